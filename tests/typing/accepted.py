"""What type checkers know of parse() and clean_fields(); it is never run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, assert_type

from pydantic import BaseModel

from onlytext import Clean, Marker, Record, Sections, Text, clean, clean_fields, parse


class Carousel(BaseModel):
    cover: Annotated[str, Marker("[COVER]")]


@dataclass
class Post:
    text: str


def title_of(record: Record) -> str:
    return record.one("[COVER]")


def a_clean_goes_into_parse(reply: str) -> None:
    carousel = Sections("[COVER]", Marker("[SLIDE {n}]", min=2), end="[END]")
    cleaned = clean(reply, carousel)
    assert_type(cleaned, Clean)
    assert_type(parse(cleaned), Record)
    assert_type(parse(cleaned, None), Record)
    assert_type(parse(cleaned, Carousel), Carousel)
    assert_type(parse(cleaned, into=Post), Post)
    assert_type(parse(cleaned, into=title_of), str)
    assert_type(parse(cleaned, lambda record: len(record)), int)  # noqa: PLW0108 - a lambda is the point
    assert_type(parse(clean(reply, Text())), Record)
    assert_type(parse(clean(reply, Sections.from_model(Carousel)), Carousel), Carousel)


def a_record_has_types(record: Record) -> None:
    assert_type(record["[COVER]"], str | list[str])
    assert_type(record.one("[COVER]"), str)
    assert_type(record.many("[SLIDE {n}]"), list[str])
    assert_type(record.to_dict(), dict[str, str | list[str]])


def fields_keep_their_type(post: Post) -> None:
    assert_type(clean_fields(post).value, Post)
    assert_type(clean_fields({"a": ["b"]}).value, dict[str, list[str]])
