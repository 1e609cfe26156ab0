"""Which code parses, told from the code itself: for remembering what it failed at, where a version that somebody forgot to raise would lie."""

from __future__ import annotations

import functools
import hashlib
from importlib.util import find_spec
from pathlib import Path


@functools.cache
def parser_version() -> str:
    """A digest of this package and of the versions of tree-sitter and its grammars, once in a process."""
    seen = hashlib.sha256()
    house = Path(__file__).parent
    for path in sorted(house.rglob("*.py")):
        seen.update(f"{path.relative_to(house)}\0".encode() + path.read_bytes())
    found = find_spec("tree_sitter")
    assert found is not None
    assert found.origin is not None
    # Names of these folders hold the versions; reading the metadata of everything that is installed takes five times as long as all the rest.
    installed = Path(found.origin).parent.parent.glob("tree_sitter*.dist-info")
    seen.update("\0".join(sorted(folder.name for folder in installed)).encode())
    return seen.hexdigest()[:16]
