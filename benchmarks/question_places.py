"""Do the places of a question set hold what was meant? Compares the first line of each with the text that the set gives for it.

    python benchmarks/question_places.py benchmarks/questions/explain_other.jsonl express=~/src/express gin=~/src/gin

Prints every place that differs, and exits with 1 if there is one. Questions on repositories that are not named are skipped and counted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    arguments = parser.parse_args()
    folders = {name: Path(folder).expanduser() for name, folder in (pair.split("=", 1) for pair in arguments.repositories)}
    asked = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines() if line.strip()]
    known = [question for question in asked if question["repo"] in folders]
    wrong = list(moved(known, folders))
    for found in wrong:
        print(found)
    places = sum(len(question["gold"]) for question in known)
    print(f"{len(known)} questions, {places} places, {len(wrong)} moved; {len(asked) - len(known)} questions on other repositories skipped")
    return 1 if wrong else 0


def moved(questions: Iterable[Mapping[str, Any]], folders: Mapping[str, Path]) -> Iterator[str]:
    """Places whose first line is not the text that the set gives, said in words. ``folders`` is by repository."""
    for question in questions:
        for place in question["gold"]:
            file = folders[question["repo"]] / place["path"]
            lines = file.read_text("utf-8", errors="replace").split("\n") if file.is_file() else []
            there = lines[place["start"] - 1].strip() if place["start"] <= len(lines) else ""
            if there != place["first"] or place["end"] > len(lines):
                yield f"{question['id']} {place['path']}:{place['start']}: {place['first']!r} was meant, {there!r} is there"


if __name__ == "__main__":
    raise SystemExit(main())
