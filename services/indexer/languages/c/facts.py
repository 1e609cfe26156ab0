"""What reading one C or C++ file collects, and the small vocabulary of chains that its readers share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind, Step, StepKind, Symbol, stable_id

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 120
"""Blocks and expressions followed into one another; each level costs up to five Python frames of the thousand that the interpreter allows."""

MAX_CHAIN = 16
"""Steps of a receiver chain; what is longer is UNKNOWN."""

UNKNOWN: Chain = (Step(StepKind.UNKNOWN),)
SELF: Chain = (Step(StepKind.SELF),)
INDEX = Step(StepKind.INDEX)

_BLOCK_LINES = 400
"""Lines of a block comment that are searched for its start."""

_LICENCE = re.compile(r"copyright|licen[cs]e|all rights reserved", re.IGNORECASE)
"""Says whose a file is, not what the first declaration does."""

_DEPRECATED = re.compile(r"[@\\]deprecated\b|^\W*deprecated\b", re.IGNORECASE | re.MULTILINE)


def extend(chain: Chain, step: Step) -> Chain:
    return (*chain, step) if len(chain) < MAX_CHAIN and chain[0].kind is not StepKind.UNKNOWN else UNKNOWN


def typed(type_: str) -> Chain:
    """The chain of a value of a canonical type."""
    return (Step(StepKind.TYPE, type_),) if type_ else UNKNOWN


@dataclass(slots=True)
class Facts:
    """Everything found so far in one file."""

    path: str
    content: bytes
    lines: list[bytes]
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    ordinals: Counter[str] = field(default_factory=Counter)

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def identify(self, key: str) -> int:
        """Identifier of a symbol, made unique among equals by an ordinal. No line numbers: an edit elsewhere keeps it."""
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        return stable_id("c", self.path, f"{key}#{ordinal}" if ordinal else key)

    def refer(self, kind: ReferenceKind, node: Node, source: int, receiver: Chain = (), labels: tuple[str, ...] = ()) -> None:
        """Emit a reference whose name stands at a node."""
        row, column = node.start_point
        self.references.append(Reference(kind, self.text(node), row + 1, column + 1, source, receiver, labels))

    def complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def start_of_comments(lines: Sequence[bytes], row: int) -> int:
    """Row (0-based) of the first of the comment lines that stand directly above a declaration; its own row where there are none."""
    first = row
    while first > 0:
        above = lines[first - 1].strip()
        if above.startswith(b"//"):
            first -= 1
            continue
        if not above.endswith(b"*/"):
            break
        for candidate in range(first - 1, max(-1, first - 1 - _BLOCK_LINES), -1):
            if b"/*" in lines[candidate]:
                break
        if not lines[candidate].lstrip().startswith(b"/*"):
            break
        first = candidate
    return first


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers; empty for a licence."""
    said: list[str] = []
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        line = re.sub(r"^(?:///?<?|/\*+<?!?|\*+/?)\s?", "", line).removesuffix("*/").rstrip()
        if line or said:
            said.append(line)
    doc = "\n".join(said).strip()
    return "" if _LICENCE.search(doc[:600]) else doc


def says_deprecated(doc: str) -> bool:
    return _DEPRECATED.search(doc) is not None
