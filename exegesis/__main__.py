"""The ``exegesis`` command.

It runs inside other people's repositories, and theirs may have a package called ``services`` too: the folder of this installation goes first on
the import path before anything else is imported.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HOUSE = str(Path(__file__).resolve().parent.parent)


def main() -> int:
    if sys.path[:1] != [_HOUSE]:
        sys.path.insert(0, _HOUSE)
    from services.gateway.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
