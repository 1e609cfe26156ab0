"""What the content of a file makes of it: indexed or not, and in which role."""

from __future__ import annotations

import re
from dataclasses import dataclass

from exegesis.model import FileRole, FileStatus
from services.indexer.claims import UNCLAIMED, Claim
from services.indexer.decode import Undecodable, decode
from services.indexer.roles import role_of_path, role_of_text

LINES = 30_000
"""Most lines of a file: what a megabyte of ordinary code has, at 35 bytes a line. More are tables."""

LONG_LINE = 1_000
"""Characters of a line that nobody wrote by hand. One such literal in a file proves nothing, so nearly all of a file must consist of them."""

LONG_SHARE = 0.9

LONG_AVERAGE = 300
"""Average length of lines from which a file of more than ``SMALL`` characters is minified, though no single line is that long."""

SMALL = 2_000
"""Characters below which long lines prove nothing: a query in one line, a key, a manifest."""

_LFS = b"version https://git-lfs.github.com/spec/"

_PAGE = re.compile(r"(?i)\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype html|html)")
_PAGE_GENERATOR = re.compile(
    r"(?i)<meta name=[\"']?generator|jazzy\.(?:css|js)|\bgenerated (?:by|with|using) (?:doxygen|javadoc|jazzy|typedoc|jsdoc|sphinx|rustdoc|yard)"
    r"|window\.baseUrl|var baseUrl ?=|class=[\"']?dash|id=[\"']?rustdoc|_static/sphinx|swift-docc"
)
_RENDERED_DOCUMENTATION = re.compile(r'^\s*\{[\s\S]{0,4000}"(?:schemaVersion|primaryContentSections|hierarchy|interfaceLanguages)"')

_HEAD = 6_000
"""Characters at the start of a page in which its generator shows."""


@dataclass(frozen=True, slots=True)
class Judgement:
    status: FileStatus
    roles: FileRole
    reason: str = ""


def judge(path: str, claim: Claim, content: bytes) -> Judgement:
    """What becomes of a file with this content. Pure."""
    roles = role_of_path(path)
    if claim.script and not content.startswith(b"#!"):
        return _skip(roles, UNCLAIMED)
    if content.startswith(_LFS):
        return _skip(roles, "Git LFS pointer: the content is elsewhere")
    try:
        text = decode(content).text
    except Undecodable as error:
        return _skip(roles, str(error))
    lines = text.count("\n") or text.count("\r")
    if lines > LINES:
        return _skip(roles, f"more than {LINES:,} lines")
    if claim.prose or roles & FileRole.DOCUMENT:
        return Judgement(FileStatus.INDEXED, roles | FileRole.DOCUMENT)
    if is_generated_page(path, text[:_HEAD]):
        return _skip(roles | FileRole.GENERATED, "generated documentation")
    if is_minified(text, lines):
        return _skip(roles | FileRole.MINIFIED, "minified: lines longer than people write them")
    return Judgement(FileStatus.INDEXED, roles | role_of_text(text))


def is_minified(text: str, lines: int) -> bool:
    """Whether lines are longer than people write them."""
    if len(text) < SMALL:
        return False
    if len(text) > LONG_AVERAGE * (lines + 1):
        return True
    if len(text) < LONG_LINE * 2:
        return False
    separator = "\n" if "\n" in text else "\r"
    return sum(len(line) for line in text.split(separator) if len(line) > LONG_LINE) > LONG_SHARE * len(text)


def is_generated_page(path: str, head: str) -> bool:
    """Whether a page of HTML or a data file behind one was rendered by a documentation tool, told from its first characters."""
    if path.endswith(".json"):
        return _RENDERED_DOCUMENTATION.match(head) is not None
    return _PAGE.match(head) is not None and _PAGE_GENERATOR.search(head) is not None


def _skip(roles: FileRole, reason: str) -> Judgement:
    return Judgement(FileStatus.SKIPPED, roles, reason)
