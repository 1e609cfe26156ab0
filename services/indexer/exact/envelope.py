"""What lies around a bitstream in a file: the compression wrapper and the magic that says unit or record.

A compressed file is ``CIDX`` and one more letter, the size of the plain file (32 bits, little-endian), and the plain file as a zlib stream;
compilers write it on request since 2025 (``-index-store-compress``).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from services.indexer.exact import bitstream
from services.indexer.exact.bitstream import Malformed
from services.indexer.exact.vocabulary import FORMAT_VERSION

MAX_FILE_BYTES = 16 << 20
"""Of a file, and of what it decompresses to. A record has 70 to 90 bytes for each line of source; a crafted file could ask for 4 GB."""

_COMPRESSED = b"CIDX"
_COMPRESSED_HEAD = 9
VERSION_BLOCK = 8
_VERSION = 0


def unwrap(content: bytes, magic: bytes) -> tuple[bytes, str]:
    """The plain file and what is wrong with it, "" where nothing is: a compressed file that is cut off yields what could be decompressed.

    Raises ``Malformed`` for a file of another kind, or one above ``MAX_FILE_BYTES``.
    """
    problem = ""
    if content.startswith(_COMPRESSED):
        content, problem = _inflate(content)
    if len(content) > MAX_FILE_BYTES:
        raise Malformed(f"larger than {MAX_FILE_BYTES >> 20} MiB")
    if content[:4] != magic:
        raise Malformed(f"begins with {content[:4]!r}, not {magic!r}")
    return content, problem


def _inflate(content: bytes) -> tuple[bytes, str]:
    declared = int.from_bytes(content[5:_COMPRESSED_HEAD], "little")
    if declared > MAX_FILE_BYTES:
        raise Malformed(f"larger than {MAX_FILE_BYTES >> 20} MiB")
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(content[_COMPRESSED_HEAD:], declared) if declared else b""
    except zlib.error as error:
        return _inflate_until_broken(content, declared), f"compressed data is broken: {error}"
    return plain, "" if len(plain) == declared else f"compressed data ends at byte {len(plain)} of {declared}"


def _inflate_until_broken(content: bytes, declared: int) -> bytes:
    """What comes out before the error, which ``decompress`` throws away when it is given everything at once."""
    stream, plain = zlib.decompressobj(), bytearray()
    try:
        for start in range(_COMPRESSED_HEAD, len(content), 256):
            plain += stream.decompress(content[start : start + 256], max(declared - len(plain), 1))
    except zlib.error:
        pass
    return bytes(plain[:declared])


def checked_blocks(data: bytes) -> Iterator[bitstream.Block]:
    """The blocks after the version block. Raises ``Malformed`` for a version that this reader does not know, and what ``bitstream.blocks`` raises."""
    version = 0
    for block in bitstream.blocks(data):
        if block.identifier == VERSION_BLOCK:
            version = next((fields[0] for code, fields, _ in bitstream.entries(data, block) if code == _VERSION and fields), 0)
            continue
        if version != FORMAT_VERSION:
            break
        yield block
    if version != FORMAT_VERSION:
        raise Malformed(f"format version {version}, not {FORMAT_VERSION}" if version else "does not say its format version")
