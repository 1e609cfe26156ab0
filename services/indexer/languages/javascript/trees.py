"""The tree of a source; one that makes no sense as a whole is parsed again in pieces, cut where a declaration seems to begin.

A brace that is missing somewhere would otherwise hide all that comes after it.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_BEGINNING = re.compile(
    rb"^(?:export|import|async|function|class|abstract|interface|type|enum|declare|const|let|var|module\.exports|exports\.)\b", re.MULTILINE
)
"""A line that begins a declaration at the top level, as far as one can tell without its surroundings."""

_VARIANCE = re.compile(rb"([<,]\s*|^[ \t]*)(in out |out |in )(?=[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))", re.MULTILINE)
"""``interface Box<out Value>``: the grammar does not know these words, which say nothing here."""

_LOST = 0.5
"""Share of a source within errors above which it is parsed in pieces."""


def trees_of(content: bytes, grammar: object) -> list[Node]:
    """The roots of a source, one unless it is broken, in their order."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser, Range

    parser = Parser(Grammar(grammar))
    root = parser.parse(content).root_node
    if root.has_error and _VARIANCE.search(content):
        content = _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), content)
        root = parser.parse(content).root_node
    if root.type != "ERROR" and _lost(root) <= _LOST * len(content):
        return [root]
    starts = [0, *(match.start() for match in _BEGINNING.finditer(content) if match.start()), len(content)]
    if len(starts) == 2:
        return [root]
    roots = []
    row = 0
    for start, end in itertools.pairwise(starts):
        below = row + content.count(b"\n", start, end)
        column = end - (content.rfind(b"\n", 0, end) + 1)
        parser.included_ranges = [Range((row, 0), (below, column), start, end)]
        roots.append(parser.parse(content).root_node)
        row = below
    return roots


def _lost(root: Node) -> int:
    return sum(child.end_byte - child.start_byte for child in root.children if child.type == "ERROR") if root.has_error else 0
