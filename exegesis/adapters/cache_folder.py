"""The folder that everything is kept in, marked as what it is: something that backups may leave out and indexers must.

The mark is the one of the Cache Directory Tagging Specification (bford.info/cachedir).
"""

from __future__ import annotations

import contextlib
from pathlib import Path

NAME = "CACHEDIR.TAG"
SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55"


def mark(folder: Path) -> Path:
    """Make the folder and its mark if they are not there; returns the folder. Whoever then uses it finds out why it could not be made."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / NAME).open("x", encoding="ascii") as tag:
            tag.write(f"{SIGNATURE}\n# Indexes and caches of Exegesis; `exegesis remove` deletes those of a project.\n")
    return folder
