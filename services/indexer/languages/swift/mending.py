"""Source that the grammar of tree-sitter-swift stumbles over, in a form that it reads. Every byte keeps its place, so positions hold.

Two things, each of which costs all that follows it in the file, or up to the end of the next comment:

* ``"/*"`` begins a comment, though it stands in a string.
* ``if await x.y { ... }``, and ``try`` likewise: the block is taken for a closure that ``y`` is called with.
"""

from __future__ import annotations

import re

_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"')
_CONDITION = re.compile(rb"^[ \t]*(?:\}[ \t]*)?(?:(?:else[ \t]+)?if|while|switch|guard|(?:let|var|case)\b.*\{[ \t\r]*$)\b.*", re.MULTILINE)
"""A line that begins a statement with a block, or goes on with its conditions up to the brace."""
_EFFECT = re.compile(rb"\b(?:try[?!]?|await)(?=[ \t])")


def mend(content: bytes) -> bytes:
    """The same number of bytes, for the parser only: what names and strings say is for the source itself to tell."""
    if b"/*" in content:
        content = _STRING.sub(_without_comment, content)
    if b"await" in content or b"try" in content:
        content = _CONDITION.sub(_without_effects, content)
    return content


def _without_comment(string: re.Match[bytes]) -> bytes:
    return string[0].replace(b"/*", b"/+")


def _without_effects(line: re.Match[bytes]) -> bytes:
    return _EFFECT.sub(lambda effect: b" " * len(effect[0]), line[0])
