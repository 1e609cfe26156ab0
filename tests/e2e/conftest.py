"""The command as a person runs it: a process of its own, on a copy of the example package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
EXAMPLE = HOUSE / "examples" / "swift-oauth"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package outside any version control."""
    folder = tmp_path_factory.mktemp("example") / "swift-oauth"
    shutil.copytree(EXAMPLE, folder)
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One index folder for all tests that only read."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def exegesis(home: Path, example: Path) -> Run:
    """Runs the command; the example is the current folder unless ``cwd`` says otherwise."""

    def run(*arguments: str, cwd: Path = example, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
        return subprocess.run(
            [sys.executable, "-m", "exegesis", *arguments],
            cwd=cwd,
            env={**clean, "EXEGESIS_HOME": str(home), "PYTHONPATH": str(HOUSE), **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
