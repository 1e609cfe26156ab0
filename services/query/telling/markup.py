"""Markdown that can be shown anywhere: what a model or a doc comment wrote, without images, raw HTML, links or control characters.

Text of a repository is hostile input, and a model may repeat it. A markdown image is fetched by the reader's viewer, so its address can carry away
what was read; a link can. Therefore nothing that has an address survives outside of code, and code spans are written anew, so that what is code
here is code in every viewer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from services.query.telling.quoting import CONTROL
from services.query.telling.wording import code

CODE_SPAN: Final = re.compile(r"(?<![`\\])(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_IMAGE: Final = re.compile(r"!\[[^\]]*\](?:\([^)]*\)?|\[[^\]]*\])?")
_LINK: Final = re.compile(r"\[(?P<text>[^\[\]]*)\]\([^)]*\)?")
_DEFINITION: Final = re.compile(r"^\s*\[[^\]]+\]:\s*\S.*$")
_ADDRESS: Final = re.compile(
    r"<?(?:\b[a-z][a-z0-9+.\-]*:)?//[^\s>`)\]]+>?|\bwww\.[^\s>`)\]]+|\b(?:javascript|data|mailto):[^\s>`)\]]+", re.IGNORECASE
)
_TAG: Final = re.compile(r"<!--.*?(?:-->|$)|</?(?:[a-zA-Z][\w-]*)(?:\s[^<>]*)?/?>|<[!?][^<>]*>", re.DOTALL)
_OPENING: Final = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])")

REMOVED: Final = "(link removed)"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line: code, or prose."""

    text: str
    is_code: bool


def pieces(text: str) -> Iterator[Piece]:
    """Prose and code spans, in order."""
    position = 0
    for match in CODE_SPAN.finditer(text):
        if not match["code"].strip():
            continue  # no code, so what stands around it is one piece of prose
        yield Piece(text[position : match.start()], is_code=False)
        yield Piece(match["code"].strip(), is_code=True)
        position = match.end()
    yield Piece(text[position:], is_code=False)


def make_safe(text: str) -> str:
    """One line or sentence of Markdown, made safe. Idempotent."""
    if _DEFINITION.match(text):
        return ""
    safe = ""
    for piece in pieces(CONTROL.sub("", text)):
        shown = code(piece.text) if piece.is_code else _safe_prose(piece.text)
        # Fences that touch would be read as one longer fence, and then what is code here would be none there.
        safe += " " + shown if safe.endswith("`") and shown.startswith("`") else shown
    return safe


def leaves_code_open(text: str) -> bool:
    """Whether a text ends within a code span, as far as one can tell before its end is known."""
    return "`" in CODE_SPAN.sub("", text)


def code_spans(text: str) -> tuple[str, ...]:
    return tuple(piece.text for piece in pieces(text) if piece.is_code)


def safe_language(info: str) -> str:
    """The language of a fenced block, unless viewers would run or draw it."""
    name = re.match(r"[\w+#.-]*", info.strip())
    language = name.group().lower() if name else ""
    return "text" if language in {"mermaid", "html", "svg", "math", "plantuml", "graphviz", "dot", "geojson", "topojson", "stl"} else language


def _safe_prose(text: str) -> str:
    text = text.replace("`", "")  # an unpaired one could pair with another in the next line
    text = _IMAGE.sub("", text)
    text = _LINK.sub(lambda match: match["text"], text)
    while (bare := _TAG.sub("", text)) != text:  # what stood around a tag may be one
        text = bare
    text = _ADDRESS.sub(REMOVED, text)
    text = _OPENING.sub(r"\\<", text)
    text = re.sub(r"\]\s*\(", "] (", text).replace("![", "! [")
    return re.sub(r"\\+$", "", text)  # a backslash before a code span would undo it
