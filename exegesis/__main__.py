"""The ``exegesis`` command.

It runs inside other people's repositories. Theirs may have a package called ``services`` too, or a file called ``json.py``: the folder of this
installation goes first on the import path and the current folder leaves it, before anything else is imported. So nothing of a repository is
ever imported, whether the command is started by its name or as ``python -m exegesis``.
"""

from __future__ import annotations

import sys
from pathlib import Path

_HOUSE = Path(__file__).resolve().parent.parent


def main() -> int:
    here = Path.cwd()
    sys.path[:] = [str(_HOUSE), *(entry for entry in sys.path if entry and Path(entry).resolve() not in {_HOUSE, here})]
    from services.gateway.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
