"""What reading one Go file collects, and the small vocabulary of chains that its readers share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exegesis.model import Binding, Chain, Reference, ReferenceKind, Step, StepKind, Symbol, stable_id

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_DEPTH = 120
"""Blocks and expressions followed into one another; each level costs up to five Python frames of the thousand that the interpreter allows."""

MAX_CHAIN = 16
"""Steps of a receiver chain; what is longer is UNKNOWN."""

UNKNOWN: Chain = (Step(StepKind.UNKNOWN),)
SELF: Chain = (Step(StepKind.SELF),)
INDEX = Step(StepKind.INDEX)

_DIRECTIVE = re.compile(r"//(?:[a-z]+:\S|\s*(?:nolint|lint:|\+build\b))")
"""Comments that address tools, not readers."""

_DEPRECATED = re.compile(r"^Deprecated:", re.MULTILINE)


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
    package: str = ""
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    ordinals: Counter[str] = field(default_factory=Counter)

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def identify(self, key: str) -> int:
        """Identifier of a symbol, made unique among equals by an ordinal. No line numbers: an edit elsewhere keeps it."""
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        return stable_id("go", self.path, f"{key}#{ordinal}" if ordinal else key)

    def refer(self, kind: ReferenceKind, node: Node, source: int, receiver: Chain = (), labels: tuple[str, ...] = (), *, name: str = "") -> None:
        """Emit a reference whose name stands at a node."""
        row, column = node.start_point
        self.references.append(Reference(kind, name or self.text(node), row + 1, column + 1, source, receiver, labels))

    def complain(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)


def start_of_comments(lines: Sequence[bytes], row: int) -> int:
    """Row (0-based) of the first of the comment lines that stand directly above a declaration; its own row where there are none."""
    first = row
    while first > 0 and lines[first - 1].lstrip().startswith(b"//"):
        first -= 1
    if first == row and first > 0 and lines[first - 1].rstrip().endswith(b"*/"):
        for candidate in range(first - 1, max(-1, first - 400), -1):  # longer blocks are licences, not documentation
            if lines[candidate].lstrip().startswith(b"/*"):
                return candidate
            if b"/*" in lines[candidate]:
                break
    return first


def read_doc(lines: Sequence[bytes], first: int, end: int) -> str:
    """What the comment lines in ``[first, end)`` say, without markers and without directives."""
    said = []
    for raw in lines[first:end]:
        line = raw.decode("utf-8", "replace").strip()
        if line.startswith("//"):
            if not _DIRECTIVE.match(line):
                said.append(line[2:].strip())
        else:
            said.append(line.removeprefix("/*").removesuffix("*/").strip().lstrip("*").strip())
    return "\n".join(said).strip()


def says_deprecated(doc: str) -> bool:
    """As the language's own tools read it: a paragraph that begins with the word."""
    return _DEPRECATED.search(doc) is not None
