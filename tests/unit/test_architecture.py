"""The rules of the house that a reader may rely on, checked on every file of the packages."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from exegesis import errors

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for package in ("exegesis", "services") for path in (ROOT / package).rglob("*.py") if "v1" not in path.parts)
LANGUAGES = ROOT / "services" / "indexer" / "languages"

FORBIDDEN_MODULES = {"base", "common", "helper", "helpers", "misc", "shared", "util", "utils"}
"""Names that say nothing about what is inside, and so attract everything."""

FORBIDDEN_ENDINGS = ("Manager", "Helper", "Util", "Utils", "Base", "Impl", "Data", "Info")

ERRORS = [
    kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, errors.ExegesisError) and kind.__module__ == errors.__name__
]


def test_imports_run_one_way(tmp_path: Path) -> None:
    """The contracts in pyproject.toml hold: layers, promises only between services, technologies in adapters only."""
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-logo", "--cache-dir", tmp_path], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_names_say_what_a_thing_is() -> None:
    """No module or class has a name that could stand for anything."""
    vague = [str(path) for path in SOURCES if FORBIDDEN_MODULES & set(path.relative_to(ROOT).with_suffix("").parts)]
    vague += [
        f"{path.name}: {node.name}"
        for path in SOURCES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ClassDef) and node.name.endswith(FORBIDDEN_ENDINGS)
    ]
    assert vague == []


def test_every_module_says_what_it_is_for() -> None:
    """A reader learns from the first line whether to read on; only an empty package has nothing to say."""
    assert [path.relative_to(ROOT).as_posix() for path in SOURCES if path.read_text("utf-8").strip() and not ast.get_docstring(_tree(path))] == []


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_knows_its_status_and_exit_code(kind: type[errors.ExegesisError]) -> None:
    """A front end never has to guess what an error means to gRPC, to a shell or to a person."""
    assert kind.status in grpc.StatusCode.__members__
    assert kind.status != "OK"
    assert kind.exit_code in {1, 2, 3, 130}
    assert not kind.default_hint or kind.default_hint.endswith(".")
    assert kind("what happened").hint == kind.default_hint
    assert kind("what happened", hint="Do this.").hint == "Do this."


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    """The drawing in the docstring lists every error under its parent, and no other."""
    parents: list[str] = []
    drawn = {}
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"    ((?:[│├└─ ]{4})*)(\w+)", line):
            depth = len(found[1]) // 4
            parents[depth:] = [found[2]]
            drawn[found[2]] = parents[depth - 1] if depth else None
    assert drawn == {kind.__name__: None if kind is errors.ExegesisError else kind.__bases__[0].__name__ for kind in ERRORS}


def test_a_language_stands_alone() -> None:
    """A file of a language imports no other language, only parts of its own that are named after it."""
    trespasses = []
    for path in LANGUAGES.glob("*.py"):
        for imported in _imports(path):
            if not imported.startswith("services.indexer.languages."):
                continue
            part = imported.split(".")[3]
            if not part.startswith(f"_{path.stem.strip('_').split('_')[0]}"):
                trespasses.append(f"{path.name} imports {part}")
    assert trespasses == []


def test_nothing_names_a_language() -> None:
    """The folder of languages is scanned; no other module imports from it."""
    outside = [path for path in SOURCES if LANGUAGES not in path.parents]
    assert [path.name for path in outside if any(name.startswith("services.indexer.languages.") for name in _imports(path))] == []


def test_a_number_names_one_decision() -> None:
    """Decisions are cited by their numbers: each is that of one file, stands in its title, and pages lead to files that are there."""
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [path.name[:4] for path in files]
    assert numbers == sorted(set(numbers))
    assert [path.name for path in files if not path.read_text("utf-8").startswith(f"# {path.name[:4]} ")] == []
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    cited = {name for page in pages for name in re.findall(r"\b(\d{4}-[a-z0-9-]+\.md)", page.read_text("utf-8"))}
    assert cited - {path.name for path in files} == set()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def test_no_local_function_names_itself() -> None:
    """Such a function and what it sees form a circle, which stays until the garbage collector comes: a service kept the contexts of many answers."""
    circles = [
        f"{path.relative_to(ROOT)}:{inner.lineno} {inner.name}"
        for path in SOURCES
        for outer in ast.walk(_tree(path))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner is not outer
        if any(isinstance(node, ast.Name) and node.id == inner.name for node in ast.walk(inner))
    ]
    assert circles == []
