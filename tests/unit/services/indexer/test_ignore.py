"""Ignore files and folders that are left out by name."""

import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.indexer.ignore import LIMIT_RULES, LIMIT_STARS, FolderKind, Unheeded, known_folder, read_layer, verdict

LINES = st.lists(
    st.sampled_from(["*.swift", "!keep.swift", "/a", "b/", "!b/", "a/*", "**/c", "a/**/c", "?.md", "[ab].swift", r"\!x", "# no", "", "c ", "!", "["])
)
PATHS = ["a", "b", "c", "keep.swift", "x.swift", "a.swift", "x.md", "!x", "a/c", "a/x.swift", "a/b/c", "a/keep.swift", "d/a", "d/b/x.swift", "d/c"]


@given(LINES)
def test_verdicts_are_those_of_git(git: Path, lines: list[str]) -> None:
    """Whatever the patterns, what is ignored is what ``git check-ignore`` says, folder by folder from the root."""
    layer = read_layer("", "\n".join(lines), ".gitignore")
    layers = (layer,) if layer else ()

    def ignored(path: str) -> bool:
        parts = path.split("/")
        above = ["/".join(parts[:depth]) + "/" for depth in range(1, len(parts))]
        return any(verdict(layers, folder)[0] for folder in above) or bool(verdict(layers, path)[0])

    (git / ".gitignore").write_text("\n".join(lines))
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin", "-z"],
        check=False,  # it fails when nothing is ignored
        cwd=git,
        input="\0".join(PATHS),
        text=True,
        capture_output=True,
    )
    assert {path for path in PATHS if ignored(path)} == set(asked.stdout.split("\0")) - {""}


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("git")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_the_deepest_layer_that_says_something_decides() -> None:
    """A folder's own file outweighs those above it; where it says nothing they hold."""
    above = read_layer("", "*.txt\n", ".gitignore")
    below = read_layer("sub/", "!a.txt\n", "sub/.gitignore")
    assert above
    assert below
    assert verdict((above, below), "sub/a.txt") == (False, "sub/.gitignore")
    assert verdict((above, below), "sub/b.txt") == (True, ".gitignore")
    assert verdict((above, below), "sub/b.swift") == (None, "")


def test_a_file_that_says_nothing_is_no_layer() -> None:
    """Comments and blank lines ignore nothing."""
    assert read_layer("", "# nothing\n\n", ".gitignore") is None


def test_patterns_made_to_be_slow_are_passed_over() -> None:
    """Matching takes no time even if a pattern tries to divide a name in a million ways."""
    layer = read_layer("", "*a" * 30 + "b\n" + "*x" * LIMIT_STARS + "\n", ".gitignore")
    assert layer
    started = time.monotonic()
    assert verdict((layer,), "a" * 250) == (None, "")
    assert verdict((layer,), "x" * 250) == (True, ".gitignore")
    assert time.monotonic() - started < 1


def test_folders_are_known_by_name_and_witness() -> None:
    """Some names suffice, others need something beside them."""
    known = known_folder("node_modules", ())
    assert known
    assert known.kind is FolderKind.DEPENDENCY
    assert known_folder("target", ("Sources",)) is None
    assert known_folder("target", ("Cargo.toml",))
    assert known_folder("Sources", ()) is None


@pytest.mark.parametrize(
    "line",
    [
        *(
            "x[z-a]",
            "x[z-ab]",
            "[[:alpha:]]x",
            "[![:digit:]]x",
            "[[:nothing:]]x",
            "[a[b]x",
            "[]a]x",
            r"[\]a]x",
            "[a||b]",
            "[&&]",
            "[^a]x",
            "a[/b]b",
            "[[:",
        ),
        *("*a*b*c*", "*a*a*b*", "a*?*?*?*b", "!*.*.*.*", r"*\**\**\**"),
    ],
)
def test_brackets_and_rows_of_wildcards_mean_what_they_mean_to_git(git: Path, line: str) -> None:
    """Also where the library reads them otherwise, fails at them, or warns of them; and the rules around them hold."""
    names = [
        "ax",
        "bx",
        "3x",
        "x[",
        "xz",
        "xb",
        "]x",
        "[x",
        "a",
        "|",
        "&",
        "abc",
        "axbxcx",
        "aab",
        "ab",
        "ba",
        "a1234b",
        "a.b.c.d",
        "***",
        "x",
        "other.key",
    ]
    layer = read_layer("", f"{line}\n*.key\n", ".gitignore")
    assert layer
    (git / ".gitignore").write_text(f"{line}\n*.key\n")
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin", "-z"],
        check=False,
        cwd=git,
        input="\0".join(names),
        text=True,
        capture_output=True,
    )
    assert {name for name in names if verdict((layer,), name)[0]} == set(asked.stdout.split("\0")) - {""}


def test_what_cannot_be_heeded_to_the_letter_is_not_heeded_in_part() -> None:
    """A file with too many rules, or too slow ones, is refused; comments and empty lines are no rules."""
    rule = "# why\n\n*.key\n"
    assert read_layer("", rule + "# why\n\n" * LIMIT_RULES, ".gitignore")
    with pytest.raises(Unheeded, match="more than 5,000 rules"):
        read_layer("", "a\n" * (LIMIT_RULES + 1), ".gitignore")
    with pytest.raises(Unheeded, match="more than 3 times"):
        read_layer("", "**/a/**/b/**/c/**/d\n", ".gitignore")
