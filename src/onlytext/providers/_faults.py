"""Which fault an error of an API is, and the sentence for it; no key ever stands in one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from onlytext.providers._headers import limits, retry_after
from onlytext.providers._protocol import Fault, ProviderError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onlytext.providers._gathered import Gathered

_BY_STATUS: Final[Mapping[int, Fault]] = {
    401: "authentication",
    402: "spend_limit",
    403: "authentication",
    408: "server",
    409: "server",
    429: "rate_limited",
    503: "overloaded",
    529: "overloaded",
}
# In a stream that has begun the status is 200, and only the error's own type says what it is.
_BY_TYPE: Final[Mapping[str, Fault]] = {
    "authentication_error": "authentication",
    "billing_error": "spend_limit",
    "invalid_request_error": "bad_request",
    "not_found_error": "bad_request",
    "overloaded_error": "overloaded",
    "permission_error": "authentication",
    "rate_limit_error": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "request_too_large": "bad_request",
}
_SPEND_CODES: Final = frozenset(
    {
        "billing_hard_limit_reached",
        "billing_not_active",
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "insufficient_quota",
        "linked_organization_billing_unavailable",
        "linked_organization_spend_limit_reached",
    }
)
# The Messages API answers an empty purse with 400 and no code of its own: only this says it.
_SPEND_WORDS: Final = "credit balance is too low"
_AGAIN: Final[frozenset[Fault]] = frozenset(
    {"rate_limited", "overloaded", "timeout", "connection", "broken_stream", "server", "bad_answer"}
)
# What keys of the known services look like, whole or with their middle starred out.
_KEYS: Final = re.compile(r"\b(?:sk|pk|key|gsk|xai|hf)[-_][\w*.-]{6,}", re.ASCII)
_LONGEST: Final = 500
_ERRORS: Final = 400
_SERVER_ERRORS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the body of an error says: its type, the code that names the cause, the sentence."""

    type: str | None = None
    code: str | None = None
    message: str = ""

    @classmethod
    def of(cls, body: object) -> Said:
        """What it says, in the shape of the Messages API or of Chat Completions."""
        if not isinstance(body, dict):
            return cls(message=body if isinstance(body, str) else "")
        whole = cast("dict[str, object]", body)
        inner = whole.get("error")
        if isinstance(inner, str):
            return cls(message=inner)
        error = cast("dict[str, object]", inner) if isinstance(inner, dict) else whole
        details = error.get("details")
        code = error.get("code")
        if isinstance(details, dict):
            code = cast("dict[str, object]", details).get("error_code")
        kind, message = error.get("type"), error.get("message")
        return cls(
            type=kind if isinstance(kind, str) else None,
            code=code if isinstance(code, str) else None,
            message=message if isinstance(message, str) else "",
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Call:
    """One call to a provider, as far as its errors need it: what came, and what must not be told."""

    provider: str
    gathered: Gathered
    secret: str | None
    seconds: float

    def answered(self, status: int, said: Said, headers: Mapping[str, str]) -> ProviderError:
        """The error for an answer that is one."""
        fault = fault_of(status, said)
        name = said.code or said.type
        told = shown(said.message, self.secret)
        asked = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
        how = f"answered with status {status}" if status >= _ERRORS else "broke off with an error"
        return ProviderError(
            f"{self.provider} {how}"
            f"{f' ({shown(name, self.secret)})' if name else ''}{': ' if told else ''}{told}",
            fault=fault,
            again=fault in _AGAIN if asked is None else asked,
            retry_after=retry_after(headers),
            status=status,
            partial=self.gathered.text,
            usage=self.gathered.usage if self.gathered.began else None,
            limits=limits(headers),
            request_id=headers.get("request-id") or headers.get("x-request-id"),
        )

    def broke(self, fault: Fault, what: str) -> ProviderError:
        """The error for a call that failed without the server's saying why."""
        return ProviderError(
            f"{self.provider}: {shown(what, self.secret)}",
            fault=fault,
            again=fault in _AGAIN,
            partial=self.gathered.text,
            usage=self.gathered.usage if self.gathered.began else None,
        )

    def raised(self, error: Exception) -> ProviderError:
        """The error for one that came from below an SDK, or from reading what a server sent."""
        import httpx2

        if isinstance(error, TimeoutError | httpx2.TimeoutException):
            return self.late()
        if isinstance(error, httpx2.HTTPError | httpx2.StreamError | OSError):
            return self.lost(str(error))
        if isinstance(error, UnicodeEncodeError):
            return self.broke(
                "bad_request", "the prompt holds half a character (a lone surrogate): take it out"
            )
        if isinstance(error, ValueError | TypeError | AttributeError | KeyError | RecursionError):
            return self.broke(
                "bad_answer", f"the answer is not what its API promises ({type(error).__name__})"
            )
        return ProviderError(
            f"{self.provider}: the call failed ({type(error).__name__})",
            fault="bad_request",
            again=False,
        )

    def late(self) -> ProviderError:
        """The error for a call whose time is over."""
        return self.broke("timeout", f"no whole answer within {self.seconds:g} seconds")

    def lost(self, why: str) -> ProviderError:
        """The error for a connection that failed, or that was lost in the midst of an answer."""
        named = f" ({why})" if why else ""
        if self.gathered.began:
            return self.broke("broken_stream", f"the connection was lost in mid-answer{named}")
        return self.broke("connection", f"there is no connection{named}")

    def unfinished(self) -> ProviderError:
        """The error for a stream that ended before the provider said that the reply was over."""
        if self.gathered.began:
            return self.broke("broken_stream", "the answer broke off before its end")
        return self.broke("bad_answer", "the answer holds no event: is base_url right?")

    def cause(self, error: Exception) -> Exception | None:
        """The error to chain; None where its own words hold the key."""
        below = error
        while self.secret is not None:
            if self.secret in f"{below} {below.args} {vars(below)}":
                return None
            deeper = below.__cause__ or below.__context__
            if not isinstance(deeper, Exception):
                break
            below = deeper
        return error


def fault_of(status: int, said: Said) -> Fault:
    """Which fault an answer with this status is, or an error in the midst of a stream (200).

    >>> fault_of(529, Said(type="overloaded_error"))
    'overloaded'
    >>> fault_of(200, Said(type="rate_limit_error"))
    'rate_limited'
    """
    if not _SPEND_CODES.isdisjoint({said.code, said.type}) or _SPEND_WORDS in said.message:
        return "spend_limit"
    if status < _ERRORS:  # the answer had begun well
        return _BY_TYPE.get(said.code or "") or _BY_TYPE.get(said.type or "") or "server"
    return _BY_STATUS.get(status) or ("server" if status >= _SERVER_ERRORS else "bad_request")


def shown(said: str, secret: str | None) -> str:
    """What a server said, on one line and not too long, without the key and what looks like one.

    >>> shown("Incorrect API key: sk-abc12*****89", None)
    'Incorrect API key: [key]'
    """
    if secret:
        said = said.replace(secret, "[key]")
    line = " ".join(_KEYS.sub("[key]", said[: 4 * _LONGEST]).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
