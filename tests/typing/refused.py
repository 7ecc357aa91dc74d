"""Calls that have to stay errors for type checkers; it is never run.

Each line that is wrong says so to each checker by a comment of its own. Both checkers tell of a
comment that passes over nothing, and tests/test_typing.py takes the comments away.
"""

from __future__ import annotations

from onlytext import Clean, Marker, Record, Sections, Text, clean, parse


def only_a_clean_goes_into_parse(reply: str, cleaned: Clean, record: Record) -> None:
    parse(reply)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(cleaned.text)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(cleaned.reply)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(cleaned.sections)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(reply.encode())  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse({"[A]": reply})  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(record)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(None)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
    parse(reply, dict)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    parse(cleaned, "dict")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    parse()  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]


def a_clean_is_no_text(cleaned: Clean) -> str:
    len(cleaned)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    if "[A]" in cleaned:  # type: ignore[operator]  # pyright: ignore[reportOperatorIssue]
        return cleaned.text
    return cleaned  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


def only_clean_makes_a_clean(reply: str) -> None:
    Clean(reply)  # type: ignore[call-arg, arg-type]  # pyright: ignore[reportCallIssue]
    Clean()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


class Mine(Clean):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    """No other class is a Clean."""


class MySections(Sections):  # type: ignore[misc]  # pyright: ignore[reportGeneralTypeIssues]
    """A format is a value."""


def only_a_format_goes_into_clean(reply: str) -> None:
    clean(reply)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    clean(reply, "[A]")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    clean(reply, Text)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    clean(reply.encode(), Text())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    clean(reply, Text(), reply)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def formats_are_made_of_strings() -> None:
    Sections(["[A]", "[B]"])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Sections("[A]", "[B]").end = "[END]"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    Text("[TEXT]")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Marker("[A]", True)  # type: ignore[call-arg]  # noqa: FBT003  # pyright: ignore[reportCallIssue]
    Marker("[A]", aliases="[B]")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_record_does_not_change(record: Record) -> None:
    record["[A]"] = "x"  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    del record["[A]"]  # type: ignore[attr-defined]  # pyright: ignore[reportIndexIssue]
