"""A folder that is finished says of what it consists, so that a file that was cut short or lost later does not pass for an empty one.

The engine that reads a shard takes a missing list of identifiers for a shard without points, and a damaged one for the size of an allocation that
ends the process. Neither is an error that could be caught, so the folder is looked at before the engine does.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from exegesis.errors import CorruptIndex

NAME = "seal.json"

_BELIEVED = ("mutable_id_tracker.mappings",)
"""How files begin whose content the engine believes: a few bytes a point, so that their digest costs a millisecond where there are 50,000."""

_COUNTED = ("mutable_id_tracker.versions", "page_", "chunk_")
"""How files begin of which the engine takes what is missing for empty. Loading a shard may write them anew, and always as long as they were; others
it may also remove.
"""


def seal(folder: Path) -> None:
    """Write down of what the folder consists. Nobody else may be writing it."""
    files = (path for path in sorted(folder.rglob("*")) if path.name.startswith((*_BELIEVED, *_COUNTED)))
    (folder / NAME).write_text(json.dumps({path.relative_to(folder).as_posix(): _state(path) for path in files}), encoding="utf-8")


def check(folder: Path) -> None:
    """Raises ``CorruptIndex`` if the folder does not consist of what it did when it was sealed. One that never was is let pass."""
    try:
        sealed = json.loads((folder / NAME).read_text(encoding="utf-8"))
        whole = all(_state(folder / path) == state for path, state in sealed.items())
    except FileNotFoundError as missing:
        whole = Path(missing.filename).name == NAME
    except (ValueError, AttributeError, RecursionError):  # no JSON, or not of ours
        whole = False
    if not whole:
        raise CorruptIndex(f"Files of the chunk index {folder.name} were changed or lost since it was written.")


def _state(path: Path) -> str:
    """The digest of a file that is believed, the size of another."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.name.startswith(_BELIEVED) else str(path.stat().st_size)
