"""What was measured already: a line for each question and variant, written the moment it is known, so that a run that ends early is continued.

An answer counts for the state of the code that gave it (a digest of all sources), so editing a rule asks everything anew, and editing a comment too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGES: Final = ("exegesis", "services")
_KINDS: Final = {".py", ".json", ".txt"}


@dataclass(frozen=True, slots=True)
class Asking:
    """What an answer is an answer to."""

    code: str
    set: str
    variant: str
    checkout: str
    question: str
    digest: str
    """Of the question with its gold, and of how the set is asked."""


@dataclass(slots=True)
class Answers:
    """Figures by what was asked, in a file. A line that was cut off by an end of the process is ignored."""

    path: Path
    known: dict[Asking, Mapping[str, float]]

    @classmethod
    def read(cls, path: Path) -> Answers:
        known = {}
        if path.exists() and not path.read_bytes().endswith(b"\n"):
            with path.open("a", encoding="utf-8") as lines:
                lines.write("\n")  # ends what was cut off
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            try:
                row = json.loads(line)
                known[Asking(**row["asking"])] = row["figures"]
            except (ValueError, KeyError, TypeError):
                continue
        return cls(path, known)

    def remember(self, asking: Asking, figures: Mapping[str, float]) -> None:
        self.known[asking] = figures
        row = {"asking": {name: getattr(asking, name) for name in Asking.__slots__}, "figures": figures}
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


def digest_code(root: Path) -> str:
    """Twelve digits that change with any source, word list or table of the product."""
    files = sorted(path for package in PACKAGES for path in (root / package).rglob("*") if path.suffix in _KINDS and "__pycache__" not in path.parts)
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(root)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]
