from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from onlytext._textfile import TextFileError, decode, read_text


def test_a_file_comes_back_with_its_line_ends_and_its_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffone\r\ntwo\rthree\n\0".encode())
    assert read_text(file) == "\ufeffone\r\ntwo\rthree\n\0"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TextFileError, match=r"gone\.txt: there is no such file$"):
        read_text(tmp_path / "gone.txt")


def test_a_folder_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(TextFileError, match=r"is a folder; name a file in it$"):
        read_text(tmp_path)


def test_a_name_that_no_file_can_have_is_an_error_in_words() -> None:
    with pytest.raises(TextFileError, match=r"'a\\x00b' can't be the name of a file"):
        read_text(Path("a\0b"))


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit of a name there")
def test_what_the_system_says_of_a_file_is_passed_on() -> None:
    with pytest.raises(TextFileError, match="can't be read: File name too long"):
        read_text(Path("x" * 5000))


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read all")
def test_a_file_that_may_not_be_read_is_an_error_in_words(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("x")
    file.chmod(0)
    with pytest.raises(TextFileError, match=r"secret\.txt can't be read: Permission denied"):
        read_text(file)


def test_what_is_not_utf_8_is_told_with_byte_offset_and_line() -> None:
    with pytest.raises(TextFileError) as caught:
        decode(b"one\ntwo \xe9\n", "a.txt")
    assert str(caught.value) == (
        "a.txt is not UTF-8: byte 0xE9 at offset 8 (line 2); save it as UTF-8"
    )


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised(codec: str) -> None:
    with pytest.raises(TextFileError, match="it looks like UTF-16; save it as UTF-8"):
        decode("\ufeffÉté".encode(codec), "a.txt")
