"""Bytes as text: which encoding a file is in, and whether it is text at all."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

SAMPLE_BYTES = 1 << 14
"""Bytes that a statistical detector looks at: enough for its statistics, and never more than some 50 ms."""

CONTROL_SHARE = 0.02
"""Share of control characters above which bytes that are not UTF-8 are no text: random bytes have .10, text in any encoding nearly none."""

LEGACY = ("shift_jis", "cp932", "gb18030", "big5", "euc_jp", "euc_kr", "cp1251", "koi8_r", "cp1252")
"""Encodings that source code is still found in. A detector that may choose among all ninety reads a French comment as Turkish."""

RECORDS = ((92, 12), (112, 12), (132, 12), (80, 0), (100, 0), (120, 0))
"""Lengths of records of IBM i source files, with and without the sequence number and date that stand before the text."""

MOST_LOOKED_AT = 50
"""Records of which the last character tells whether a length fits: real lines are shorter than their records."""

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"%PDF-", "PDF"),
    (b"\x7fELF", "ELF program"),
    (b"\xca\xfe\xba\xbe", "Mach-O program or Java class"),
    (b"\xcf\xfa\xed\xfe", "Mach-O program"),
    (b"\xce\xfa\xed\xfe", "Mach-O program"),
    (b"\x00asm", "WebAssembly"),
    (b"\x1f\x8b", "gzip archive"),
    (b"PK\x03\x04", "zip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xfd7zXZ\x00", "xz archive"),
    (b"\x28\xb5\x2f\xfd", "zstd archive"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"bplist00", "binary property list"),
)
"""How files of kinds that carry a text suffix by accident begin."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_CONTROL = bytes(sorted({*range(0x20), 0x7F} - {0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1A, 0x1B}))
_HIGH = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")
_HIGH_PAIR = re.compile(rb"[\x80-\xff]{2}")
_UNUSED_IN_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Undecodable(ValueError):
    """The bytes are no text; the message says what they are."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    """Without a byte order mark; never with a NUL or half a surrogate pair, which databases and wire formats refuse."""
    encoding: str


def decode(content: bytes) -> Text:
    """Decode a file. Raises ``Undecodable`` for bytes that are no text.

    A byte order mark decides; then the pattern of zeros that UTF-16 and UTF-32 leave without one; then UTF-8 if it is valid; then EBCDIC by its
    spaces; then the best of :data:`LEGACY` by the statistics of charset-normalizer, and cp1252 where these have nothing to go by. Time is bounded, as
    all but the plain decodings look at samples.
    """
    for start, kind in _MAGIC:
        if content.startswith(start):
            raise Undecodable(f"binary: {kind}")
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _checked(content[len(mark) :], encoding)
    if 0 in content:
        return _checked(content, _wide_encoding(content))
    try:
        return Text(content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    encoded_surrogates = _with_surrogates(content)
    if encoded_surrogates is not None:
        return Text(encoded_surrogates, "utf-8")
    sample = content[:SAMPLE_BYTES]
    if _is_ebcdic(sample):
        return Text(_with_lines(content.decode("cp037").replace("\x85", "\n")), "cp037")
    if len(sample) - len(sample.translate(None, _CONTROL)) > CONTROL_SHARE * len(sample):
        raise Undecodable("binary: control characters")
    return _legacy(content)


def _checked(content: bytes, encoding: str) -> Text:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise Undecodable(f"not valid {encoding.upper()}") from None
    if "\x00" in text:
        raise Undecodable("binary: zero bytes")
    return Text(text, encoding)


def _wide_encoding(content: bytes) -> str:
    """UTF-16 or UTF-32 without a mark: mostly ASCII text leaves zeros at one place of each unit."""
    sample = content[: SAMPLE_BYTES & ~3]
    quarters = [sample[offset::4].count(0) / max(1, len(sample) // 4) for offset in range(4)]
    zeros = "".join("0" if share > 0.7 else "x" if share < 0.3 else "?" for share in quarters)
    encodings = {"x000": "utf-32-le", "000x": "utf-32-be", "x0x0": "utf-16-le", "0x0x": "utf-16-be"}
    if zeros not in encodings:
        raise Undecodable("binary: zero bytes")
    return encodings[zeros]


def _with_surrogates(content: bytes) -> str | None:
    """UTF-8 but for surrogates, as some programs write it (CESU-8): pairs become the character they mean, single ones U+FFFD."""
    try:
        text = content.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _SURROGATE.sub("\ufffd", joined)


def _is_ebcdic(sample: bytes) -> bool:
    """Spaces are 0x40 there, and the letters lie where ASCII has none. Records are padded with spaces, and 0x20 is an attribute of a line."""
    letters = sum(sample.count(code) for code in (*range(0x81, 0x8A), *range(0x91, 0x9A), *range(0xA2, 0xAA), *range(0xC1, 0xCA), *range(0xD1, 0xDA)))
    spaces = sample.count(0x40)
    return spaces > 0.05 * len(sample) and sample.count(0x20) < 0.03 * len(sample) and letters > 0.3 * (len(sample) - spaces)


def _with_lines(text: str) -> str:
    """Members of source files that were carried over byte by byte have records of one length and no line ends; their padding is dropped."""
    if "\n" in text:
        return text
    fitting = [found for length, prefix in RECORDS if (found := _records(text, length, prefix))]
    if not fitting:
        return text
    lines = max(fitting, key=lambda records: sum(record.startswith("     ") for record in records) / len(records))
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)


def _records(text: str, length: int, prefix: int) -> list[str]:
    """The records, if that is their length: all end in padding, and in numbers begin those that have a prefix. Empty if not."""
    if len(text) % length:
        return []
    records = [text[start : start + length] for start in range(0, len(text), length)]
    if any(record[-1] != " " for record in records[:MOST_LOOKED_AT]) or all(record[:prefix].isdigit() for record in records) != (prefix > 0):
        return []
    return [record[prefix:] for record in records]


def _legacy(content: bytes) -> Text:
    # Only lines with such bytes tell encodings apart; a thousand ASCII lines around one comment would drown it.
    telling = b"".join(match.group() for match in _HIGH.finditer(content))[:SAMPLE_BYTES]
    if not _HIGH_PAIR.search(telling):
        # Accents stand alone among ASCII letters; Cyrillic and East Asian characters stand together. Statistics of so few bytes would be a guess.
        encoding = "latin-1" if _UNUSED_IN_CP1252.search(content) else "cp1252"
        return Text(content.decode(encoding), encoding)
    from charset_normalizer import from_bytes

    best = from_bytes(telling, steps=5, chunk_size=512, cp_isolation=list(LEGACY), preemptive_behaviour=False, enable_fallback=False).best()
    for encoding in (best.encoding if best else "cp1252", "cp1252"):
        try:
            return Text(content.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    return Text(content.decode("latin-1"), "latin-1")
