from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_committed_stubs_are_what_the_contracts_generate(tmp_path: Path) -> None:
    """Nobody edited a stub, and nobody changed a contract without `make proto`."""
    subprocess.run([sys.executable, ROOT / "proto" / "generate.py", tmp_path], check=True)
    committed = ROOT / "exegesis" / "v1"
    names = {path.name for path in (tmp_path / "exegesis" / "v1").iterdir()}
    assert names == {path.name for path in committed.iterdir() if path.suffix in {".py", ".pyi"}} - {"__init__.py"}
    stale = [name for name in sorted(names) if (tmp_path / "exegesis" / "v1" / name).read_bytes() != (committed / name).read_bytes()]
    assert stale == [], "run `make proto`"
