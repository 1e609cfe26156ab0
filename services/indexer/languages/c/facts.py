"""What reading one file of C, C++ or Objective-C collects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exegesis.model import Chain, Reference, ReferenceKind
from services.indexer.findings import Findings

if TYPE_CHECKING:
    from tree_sitter import Node

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".cuh", ".inc", ".def")
MAX_DEPTH = 120
"""Blocks and expressions followed into one another; each level costs up to five Python frames of the thousand that the interpreter allows."""


@dataclass(slots=True)
class Facts(Findings):
    """Everything found so far in one file."""

    language = "c"

    @property
    def is_header(self) -> bool:
        """Whether others include the file, and so see what it defines, statics and macros with the rest."""
        return self.path.lower().endswith(_HEADERS)

    def refer(self, kind: ReferenceKind, node: Node, source: int, receiver: Chain = (), labels: tuple[str, ...] = ()) -> None:
        """Emit a reference whose name stands at a node."""
        row, column = node.start_point
        self.references.append(Reference(kind, self.text(node), row + 1, column + 1, source, receiver, labels))
