"""Bytes as text."""

import codecs
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.indexer.decode import Undecodable, decode

CODE = "func refresh(token: String) -> Bool { return verify(token) }\n"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "utf-32-le"),
        (b"", "utf-32-be"),
        (b"", "cp037"),
    ],
)
def test_code_is_read_in_every_encoding(mark: bytes, encoding: str) -> None:
    """With a byte order mark and without one, the text comes out the same."""
    assert decode(mark + (CODE * 4).encode(encoding)).text == CODE * 4


@pytest.mark.parametrize(
    ("encoding", "comment"),
    [
        ("shift_jis", "// 日本語のコメント\n"),
        ("gb18030", "// 中文注释\n"),
        ("big5", "// 繁體中文註釋\n"),
        ("euc_kr", "// 한국어 주석입니다\n"),
        ("latin-1", "// café naïve\n"),
        ("cp1252", "// “smart” quotes\n"),
        ("cp1251", "// Привет, это комментарий к функции\n"),
    ],
)
def test_one_comment_tells_a_legacy_encoding(encoding: str, comment: str) -> None:
    """One line that is not ASCII, among many that are, is read as it was meant."""
    text = CODE * 20 + comment + CODE * 20
    assert decode(text.encode(encoding)).text == text


def test_bytes_that_are_no_character_cost_themselves_only() -> None:
    """Half a surrogate pair becomes U+FFFD, a pair written as two becomes the character it means."""
    assert decode("a\ud800b".encode("utf-8", "surrogatepass")).text == "a\ufffdb"
    assert decode("\ud83d\ude00".encode("utf-8", "surrogatepass")).text == "\U0001f600"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "PNG"),
        (b"\x7fELF" + bytes(100), "ELF"),
        (b"\x1f\x8b\x08" + bytes(100), "gzip"),
        (b"func a() {}\n\x00\x00\nfunc b() {}\n", "zero bytes"),
        (random.Random(1).randbytes(4096), "zero bytes"),
        (bytes(random.Random(1).choices([*range(1, 9), *range(0x80, 0x100)], k=4096)), "control characters"),
        (codecs.BOM_UTF16_LE + b"a", "UTF-16-LE"),
    ],
)
def test_what_is_no_text_says_what_it_is(content: bytes, reason: str) -> None:
    """The reason tells a person what the bytes are."""
    with pytest.raises(Undecodable, match=reason):
        decode(content)


@given(st.binary(max_size=300))
def test_any_bytes_decode_or_say_why_not(content: bytes) -> None:
    """Nothing else is raised, and what comes out can be stored anywhere: it is valid Unicode without zeros."""
    try:
        text = decode(content).text
    except Undecodable:
        return
    assert "\0" not in text
    text.encode("utf-8")


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))))
def test_utf_8_comes_out_as_it_went_in(text: str) -> None:
    """But for a byte order mark at its start and the beginnings of binary formats."""
    if not text.startswith(("\ufeff", "%PDF-", "GIF8", "BZh", "PK\x03\x04", "bplist00")):
        assert decode(text.encode()).text == text


def test_detection_takes_bounded_time() -> None:
    """A megabyte in an unknown encoding costs no more than its sample."""
    started = time.monotonic()
    decode(("// señor Müller\n" * 60_000).encode("latin-1"))
    assert time.monotonic() - started < 2


MEMBER = ["     H NOMAIN", "     *  a comment", "     P pay             B                   EXPORT", "     P                 E"]


@pytest.mark.parametrize(("length", "prefix"), [(92, "000100241130"), (112, "000100241130"), (80, ""), (100, "")])
def test_members_carried_over_byte_by_byte(length: int, prefix: str) -> None:
    """Records of one length have no line ends; sequence numbers and dates are not the text."""
    content = "".join((prefix + line).ljust(length) for line in MEMBER).encode("cp037")
    assert decode(content).text == "\n".join(MEMBER) + "\n"


def test_ebcdic_with_attributes_and_padding() -> None:
    """Bytes that coloured lines on a terminal are kept, each in its column."""
    lines = [" " + line[1:].ljust(60) for line in MEMBER]
    content = b"\x25".join(b"\x20" + line[1:].encode("cp037") for line in lines)
    found = decode(content)
    assert found.encoding == "cp037"
    assert [line[1:] for line in found.text.split("\n")] == [line[1:] for line in lines]
