"""Questions from history: the subject of a commit, and as gold the lines that it wrote and that still stand at a later commit.

    python benchmarks/commit_subjects.py MIRROR COMMIT --name flask [--most 60] >> commits_other.jsonl

MIRROR is a git directory with its history. Every line of code at COMMIT is asked which commit wrote it last (``git blame``), so gold needs no mapping
from one version of a file to another. Tests, documents and what is generated are no gold: nearly every commit touches some. Left out are commits that
say little or changed much: subjects of fewer than four words, merges, releases and clean-ups, more than 60 lines or six files, and those of whose
lines less than half still stands. Of the rest the first by their hashes are taken, which is a draw that anybody can repeat.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

SUFFIXES = (".py", ".js", ".mjs", ".ts", ".tsx", ".go", ".c", ".h", ".cpp", ".hpp", ".swift")
NO_CODE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|docs?(?:_src)?|examples?|benchmarks?|vendor|deps|dist|build|node_modules|fixtures?)/"
    r"|_test\.go$|\.(?:test|spec|min|d)\.\w+$|(?:^|/)test_|Tests?\.swift$",
    re.IGNORECASE,
)
SAYS_LITTLE = re.compile(
    r"^(?:merge|revert|bump|release|version|update (?:version|change|depend|docs|readme)|prepare|apply|reformat|format|lint|typo|fix typo|clean)"
    r"|\b(?:typos?|pre-commit|ruff|pyupgrade|black|prettier|eslint|copyright|type hints?|annotations?|docstrings?|whitespace)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*\(?(?:#|gh-)\d+\)?")
FEWEST_WORDS = 4
MOST_LINES = 60
MOST_FILES = 6
STANDS = 0.5
"""Share of the lines written by a commit that must still stand."""

Lines = Mapping[str, Sequence[int]]
"""Numbers of lines by path, ascending."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mirror", type=Path)
    parser.add_argument("commit")
    parser.add_argument("--name", required=True)
    parser.add_argument("--most", type=int, default=60)
    options = parser.parse_args()
    written = written_by(options.mirror, options.commit)
    for question in _questions(options.mirror, options.commit, options.name, written, options.most):
        sys.stdout.write(json.dumps(question) + "\n")


def written_by(mirror: Path, commit: str) -> Mapping[str, Lines]:
    """For each commit the lines of code at ``commit`` that it wrote last."""
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for path in _git(mirror, "ls-tree", "-r", "--name-only", "-z", commit).split("\0"):
        if path.endswith(SUFFIXES) and not NO_CODE.search(path):
            for author, number in authors(_git(mirror, "blame", "--porcelain", "-w", commit, "--", path)):
                found[author][path].append(number)
    return found


def authors(blame: str) -> Iterator[tuple[str, int]]:
    """The commit and the number of each line, of what ``git blame --porcelain`` writes."""
    for match in re.finditer(r"^([0-9a-f]{40}) \d+ (\d+)(?: \d+)?$", blame, re.MULTILINE):
        yield match[1], int(match[2])


def is_telling(subject: str) -> bool:
    """Whether a subject says what was done to the code."""
    return len(subject.split()) >= FEWEST_WORDS and not SAYS_LITTLE.search(subject)


def spans_of(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of lines, each with both ends, from ascending numbers."""
    breaks = [index + 1 for index, (one, next_) in enumerate(pairwise(numbers)) if next_ != one + 1]
    starts, ends = [0, *breaks], [*breaks, len(numbers)]
    return [(numbers[start], numbers[end - 1]) for start, end in zip(starts, ends, strict=True)]


def _questions(mirror: Path, commit: str, name: str, written: Mapping[str, Lines], most: int) -> Iterator[Mapping[str, Any]]:
    taken = 0
    for author in sorted(written):
        lines = written[author]
        standing = sum(map(len, lines.values()))
        if standing > MOST_LINES or len(lines) > MOST_FILES:
            continue
        subject = _NUMBER.sub("", _git(mirror, "show", "-s", "--format=%s", author).strip())
        if not is_telling(subject) or standing < STANDS * _inserted(mirror, author):
            continue
        gold = [{"path": path, "start": start, "end": end, "grade": 2} for path in sorted(lines) for start, end in spans_of(lines[path])]
        yield {"id": f"commit/{name}/{author[:10]}", "repo": name, "commit": commit, "question": subject, "category": "commit", "gold": gold}
        taken += 1
        if taken == most:
            return


def _inserted(mirror: Path, commit: str) -> int:
    """Lines that a commit wrote into code; none of a commit with two parents."""
    count = Counter[str]()
    for row in _git(mirror, "show", "--numstat", "--format=", commit).splitlines():
        inserted, _, path = row.split("\t", 2)
        if path.endswith(SUFFIXES) and not NO_CODE.search(path) and inserted.isdigit():
            count[path] += int(inserted)
    return count.total()


def _git(mirror: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(mirror), *arguments], check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
