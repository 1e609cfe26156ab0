"""Generates the stubs of ``proto/`` into a folder, by default the root of the repository: ``python proto/generate.py [FOLDER]``.

The folder of a contract equals the import path of its stubs, so nothing in them is rewritten.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grpc_tools import protoc

_HERE = Path(__file__).resolve().parent


def main(out: Path) -> int:
    contracts = sorted(_HERE.rglob("*.proto"))
    services = [contract for contract in contracts if "\nservice " in contract.read_text("utf-8")]  # others would get an empty module
    return run("--python_out", "--pyi_out", out=out, contracts=contracts) or run("--grpc_python_out", out=out, contracts=services)


def run(*outputs: str, out: Path, contracts: list[Path]) -> int:
    """Exit code of the compiler."""
    names = [contract.relative_to(_HERE).as_posix() for contract in contracts]
    code: int = protoc.main(["protoc", f"-I{_HERE}", *(f"{output}={out}" for output in outputs), *names])
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else _HERE.parent))
