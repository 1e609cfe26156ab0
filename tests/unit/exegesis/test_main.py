"""How the command starts: fast, and deaf to the folder it is started in."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("celery", "google.protobuf", "grpc", "httpx", "numpy", "onnxruntime", "opentelemetry.sdk", "qdrant_edge", "tokenizers", "tree_sitter")

SECONDS = 0.3
"""What `exegesis --help` may cost. Measured as processor time, so that a busy machine does not fail the promise."""


def test_help_imports_nothing_heavy() -> None:
    """Help is printed without an engine, a queue, a parser or a network library."""
    program = "import sys; sys.argv[1:] = ['--help']; from exegesis.__main__ import main"
    ending = f"\ntry: main()\nexcept SystemExit: pass\nprint([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program + ending], capture_output=True, text=True, check=True)
    assert "usage: exegesis" in done.stdout
    assert done.stderr.strip() == "[]"


def test_help_starts_fast() -> None:
    """The best of three starts stays within the promise."""
    costs = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "exegesis", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(costs) < SECONDS


@pytest.mark.parametrize("command", [[str(Path(sys.executable).parent / "exegesis")], [sys.executable, "-m", "exegesis"]], ids=["script", "module"])
def test_the_command_runs_beside_packages_of_the_same_names(command: list[str], tmp_path: Path) -> None:
    """A repository with its own `services` package and its own `argparse.py` is neither imported nor in the way."""
    ran = tmp_path / "ran"
    trap = f"open({str(ran)!r}, 'w').close()\nraise SystemExit('the repository was executed')\n"
    (tmp_path / "services" / "gateway").mkdir(parents=True)
    for name in ("services/__init__.py", "services/gateway/__init__.py", "argparse.py", "json.py"):
        (tmp_path / name).write_text(trap)
    done = subprocess.run([*command, "--help"], cwd=tmp_path, capture_output=True, text=True, env=_without_import_path(), check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: exegesis" in done.stdout
    assert not ran.exists()


def _without_import_path() -> dict[str, str]:
    """The environment as a person has it: a test run may have put the tree on the import path."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
