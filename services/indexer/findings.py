"""What reading one file collects, whatever its language; what is particular to a language it adds in a class of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from exegesis.model import Binding, Reference, Symbol, stable_id

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_PROBLEMS = 5
"""Of one file: more tell nobody more, and a hostile file could have one on each line."""


@dataclass(slots=True)
class Findings:
    """Everything found so far in one file. The parts are those of ``Syntax``."""

    language: ClassVar[str]
    """In the identifiers of symbols."""

    path: str
    content: bytes
    lines: list[bytes]
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    texts: dict[bytes, str] = field(default_factory=dict)
    """Names read so far: most come again, and decoding costs more than looking up."""
    ordinals: Counter[str] = field(default_factory=Counter)

    def text(self, node: Node) -> str:
        source = self.content[node.start_byte : node.end_byte]
        text = self.texts.get(source)
        if text is None:
            text = self.texts[source] = source.decode("utf-8", "replace")
        return text

    def identify(self, key: str) -> tuple[int, str]:
        """Identifier of a symbol and its key, made unique among equals by an ordinal. No line numbers: an edit elsewhere keeps it."""
        ordinal = self.ordinals[key]
        self.ordinals[key] += 1
        unique = f"{key}#{ordinal}" if ordinal else key
        return stable_id(self.language, self.path, unique), unique

    def complain(self, problem: str) -> None:
        if len(self.problems) < MAX_PROBLEMS and problem not in self.problems:
            self.problems.append(problem)
