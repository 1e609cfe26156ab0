"""The ``exegesis`` command.

It runs inside other people's repositories. Theirs may have a package called ``services`` too, or a file called ``json.py``: the folder of this
installation goes first on the import path and the current folder leaves it, before anything else is imported. So nothing of a repository is
ever imported, whether the command is started by its name or as ``python -m exegesis``. For the same reason this file itself imports only
what the interpreter has loaded before it looks at the current folder.
"""

import gc
import os.path
import sys

_HOUSE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - pathlib might be the repository's


def main() -> int:
    gc.disable()  # until the command says how often: importing makes objects that stay, and looking for garbage among them costs a tenth of it
    ours = {_HOUSE, os.path.realpath(os.curdir)}
    sys.path[:] = [_HOUSE, *(entry for entry in sys.path if entry and os.path.realpath(entry) not in ours)]
    try:
        from services.gateway.cli import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:  # before the command could prepare for it
        return 130


if __name__ == "__main__":
    sys.exit(main())
