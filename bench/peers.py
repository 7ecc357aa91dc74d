"""Other libraries on the same documents, each written in the syntax that it reads.

A document in sections is written once with dspy's headers, once as JSON, once as XML; the
commentary round it is the same in all of them, and stands where a model would put it: outside of
the fence. It has none on its lines, where no other library would look for it.
Each library is called with what its documentation gives for a reply, and without the steps that
nobody asked for here (llmclean would otherwise take the Markdown and the typography out as well).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from xml.sax.saxutils import escape

from bench.contenders import Contender, is_text
from bench.documents import SLIDES, Document, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

FIELDS: Final = ("cover", *(f"slide_{number}" for number in range(1, SLIDES + 1)), "caption")


def peers(kind: Kind) -> list[Contender]:
    """The libraries that can be measured on one kind of reply."""
    if kind == "plain":
        return [*_llmclean_plain(), _think_scrubber(), *_langchain_plain()]
    return [_dspy(), _json_repair(), _llmclean_json(), *_langchain_sectioned()]


# ---------------------------------------------------------------- the same document, written anew


def in_headers(document: Document) -> tuple[str, ...]:
    """With dspy's field headers, and the header that it ends with."""
    parts = [f"[[ ## {name} ## ]]\n{body}" for name, body in _fields(document).items()]
    return (document.before + "\n\n".join([*parts, "[[ ## completed ## ]]"]) + document.after,)


def in_json(document: Document) -> tuple[str, ...]:
    """As a JSON object, in a fence where commentary stands round it."""
    written = json.dumps(_fields(document), ensure_ascii=False, indent=2)
    return (_fenced(document, "json", written),)


def in_xml(document: Document) -> tuple[str, ...]:
    """As an XML element with one child a section, in a fence where commentary stands round it."""
    parts = [f"<{name}>{escape(body)}</{name}>" for name, body in _fields(document).items()]
    return (_fenced(document, "xml", "\n".join(["<reply>", *parts, "</reply>"])),)


def as_it_is(document: Document) -> tuple[str, ...]:
    """The reply itself."""
    return (document.reply,)


def as_list(document: Document) -> tuple[str, ...]:
    """Each line of the text as an item of a Markdown list."""
    items = "\n".join(f"- {line}" for line in _items(document))
    return (document.before + items + document.after,)


def _fields(document: Document) -> dict[str, str]:
    return dict(zip(FIELDS, (body for _, body in document.sections), strict=True))


def _fenced(document: Document, language: str, written: str) -> str:
    if not document.leaking:
        return written
    return f"{document.before}```{language}\n{written}\n```{document.after}"


def _items(document: Document) -> list[str]:
    return [line.removeprefix("- ") for line in document.text.split("\n") if line]


# ---------------------------------------------------------------- what counts as right


def _is_fields(document: Document, result: object) -> bool:
    return result == _fields(document)


# ---------------------------------------------------------------- the libraries


def _plain(who: str, what: str, call: Callable[[str], object]) -> Contender:
    return Contender(who, what, as_it_is, call, is_text)


def _llmclean_plain() -> list[Contender]:
    import llmclean

    def whole(reply: str) -> object:
        return llmclean.clean_text(reply, markdown=False, typography=False)

    def steps(reply: str) -> object:
        return llmclean.strip_preamble(llmclean.strip_reasoning_trace(reply))

    return [
        _plain("llmclean", "clean_text", whole),
        _plain("llmclean", "strip_reasoning_trace, strip_preamble", steps),
    ]


def _think_scrubber() -> Contender:
    from think_scrubber import scrub_string

    return _plain("think-scrubber", "scrub_string", scrub_string)


def _langchain_plain() -> list[Contender]:
    from langchain_core.output_parsers import MarkdownListOutputParser, StrOutputParser

    return [
        _plain("langchain-core", "StrOutputParser.invoke", StrOutputParser().invoke),
        Contender(
            "langchain-core",
            "MarkdownListOutputParser.parse",
            as_list,
            MarkdownListOutputParser().parse,
            lambda document, result: bool(result == _items(document)),
        ),
    ]


def _dspy() -> Contender:
    import dspy

    signature = dspy.Signature(
        {"draft": (str, dspy.InputField())} | {name: (str, dspy.OutputField()) for name in FIELDS},
        "Correct the draft.",
    )
    adapter = dspy.ChatAdapter()

    def call(reply: str) -> object:
        return adapter.parse(signature, reply)

    return Contender("dspy", "ChatAdapter.parse", in_headers, call, _is_fields)


def _json_repair() -> Contender:
    import json_repair

    return Contender("json_repair", "loads", in_json, json_repair.loads, _is_fields)


def _llmclean_json() -> Contender:
    import llmclean

    return Contender("llmclean", "load_json", in_json, llmclean.load_json, _is_fields)


def _langchain_sectioned() -> list[Contender]:
    from langchain_core.output_parsers import (
        JsonOutputParser,
        PydanticOutputParser,
        XMLOutputParser,
    )
    from pydantic import create_model

    fields: dict[str, Any] = dict.fromkeys(FIELDS, (str, ...))
    model = create_model("Reply", **fields)
    who = "langchain-core"

    def is_model(document: Document, result: object) -> bool:
        return isinstance(result, model) and result.model_dump() == _fields(document)

    def is_element(document: Document, result: object) -> bool:
        return result == {"reply": [{name: body} for name, body in _fields(document).items()]}

    # parser="xml" is the one that needs no further package.
    xml = XMLOutputParser(parser="xml")
    return [
        Contender(who, "JsonOutputParser.parse", in_json, JsonOutputParser().parse, _is_fields),
        Contender(
            who,
            "PydanticOutputParser.parse",
            in_json,
            PydanticOutputParser(pydantic_object=model).parse,
            is_model,
        ),
        Contender(
            who,
            "XMLOutputParser.parse",
            in_xml,
            xml.parse,
            is_element,
        ),
    ]
