"""Random edits of a folder of source, of the kinds that people make."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

SUFFIXES = frozenset({".swift", ".md"})


def edit(root: Path, order: random.Random) -> str:
    """Change something below ``root``; returns what, in words. The same state of ``order`` and of the folder gives the same edit."""
    files = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file() and ".git" not in path.parts)
    path = order.choice(files)
    kind = order.choice([_rename_symbol, _rename_symbol, _drop_lines, _repeat_lines, _comment, _new_file, _move_file, _delete_file, _restore_twin])
    return kind(root, path, order)


def _rename_symbol(root: Path, path: Path, order: random.Random) -> str:
    """In one file only, so that references from others lose or find their target."""
    text = path.read_text()
    names = sorted(set(re.findall(r"\b(?:func|class|struct|enum|protocol|var|let) (\w+)", text)))
    if not names:
        return _comment(root, path, order)
    old = order.choice(names)
    new = order.choice([f"{old}Renamed", old.removesuffix("Renamed") or old, "common"])
    path.write_text(re.sub(rf"\b{re.escape(old)}\b", new, text))
    return f"rename {old} to {new} in {path.relative_to(root)}"


def _drop_lines(root: Path, path: Path, order: random.Random) -> str:
    lines = path.read_text().splitlines(keepends=True)
    start = order.randrange(len(lines) + 1)
    count = order.randrange(1, 15)
    path.write_text("".join(lines[:start] + lines[start + count :]))
    return f"drop {count} lines of {path.relative_to(root)}"


def _repeat_lines(root: Path, path: Path, order: random.Random) -> str:
    lines = path.read_text().splitlines(keepends=True)
    start = order.randrange(len(lines) + 1)
    path.write_text("".join(lines[: start + 20] + lines[start:]))
    return f"repeat lines of {path.relative_to(root)}"


def _comment(root: Path, path: Path, order: random.Random) -> str:
    path.write_text(path.read_text() + f"\n// remark {order.randrange(1_000)} about tokens\n")
    return f"add a comment to {path.relative_to(root)}"


def _new_file(root: Path, path: Path, order: random.Random) -> str:
    name = f"New{order.randrange(1_000)}"
    body = f"    func run(_ other: {name}?) -> Int {{\n        other?.run(nil) ?? {order.randrange(99)}\n    }}\n"
    added = path.parent / f"{name}.swift"
    added.write_text(f"/// Made by an edit.\nfinal class {name} {{\n{body}}}\n")
    return f"add {added.relative_to(root)}"


def _move_file(root: Path, path: Path, order: random.Random) -> str:
    target = path.with_name(f"Moved{order.randrange(1_000)}{path.suffix}")
    path.rename(target)
    return f"move {path.relative_to(root)} to {target.name}"


def _delete_file(root: Path, path: Path, order: random.Random) -> str:
    if len(list(root.rglob(f"*{path.suffix}"))) < 4:
        return _comment(root, path, order)
    path.unlink()
    return f"delete {path.relative_to(root)}"


def _restore_twin(root: Path, path: Path, order: random.Random) -> str:
    """A copy of a file: all of its names are declared twice from now on."""
    target = path.with_name(f"Copy{order.randrange(1_000)}{path.suffix}")
    shutil.copyfile(path, target)
    return f"copy {path.relative_to(root)} to {target.name}"
