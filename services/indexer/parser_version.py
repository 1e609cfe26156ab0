"""Which code parses, told from the code itself: for remembering what it failed at, where a version that somebody forgot to raise would lie."""

from __future__ import annotations

import functools
import hashlib
from importlib.metadata import distributions
from pathlib import Path


@functools.cache
def parser_version() -> str:
    """A digest of this package and of the versions of tree-sitter and its grammars. Costs some 30 ms, once in a process."""
    seen = hashlib.sha256()
    house = Path(__file__).parent
    for path in sorted(house.rglob("*.py")):
        seen.update(f"{path.relative_to(house)}\0".encode() + path.read_bytes())
    grammars = {f"{found.metadata['Name']} {found.version}" for found in distributions() if "tree" in (found.metadata["Name"] or "")}
    seen.update("\0".join(sorted(grammars)).encode())
    return seen.hexdigest()[:16]
