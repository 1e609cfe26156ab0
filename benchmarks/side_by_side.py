"""This project and other search tools on the same questions, in one run on one machine: quality, time to index, time to answer, memory.

    python benchmarks/side_by_side.py QUESTIONS REPOSITORIES [--semble-python PATH --static-model FOLDER] [--ccc PATH] [--whole] [--out FILE]

QUESTIONS and REPOSITORIES are the folders of ``benchmarks.retrieval``; asked are its questions about four repositories of three languages that lie
at the published commits or close to them. Other tools live in environments of their own, which flags name; those that are not named are left out. A
tool is one process per repository (``others/drive_*.py``): it indexes from nothing, is asked once to warm up, then answers. ``--whole`` indexes whole
repositories.

    python -m venv elsewhere && elsewhere/bin/pip install semble && python benchmarks/others/static_table.py TABLE TOKENIZER
    python -m venv there && there/bin/pip install cocoindex-code
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.processes import measure  # noqa: E402 - runs as a script, from anywhere
from benchmarks.retrieval.catalogue import read_checkouts  # noqa: E402
from benchmarks.retrieval.questions import Asked, read_questions  # noqa: E402
from services.gateway.scoring import Prediction, figures, location, mean_over_repositories  # noqa: E402

REPOSITORIES = ("alamofire", "snapkit", "flask", "gin")
DRIVERS = ROOT / "benchmarks" / "others"
COLUMNS = ("ndcg10", "ndcg10_file", "hit10", "index s", "index cpu s", "query ms", "query p95", "query cpu ms", "peak MiB")


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    command: tuple[str, ...]
    """Interpreter and driver."""
    environment: Mapping[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("--semble-python", help="interpreter of an environment with semble")
    parser.add_argument("--static-model", type=Path, help="folder made by others/static_table.py, for semble")
    parser.add_argument("--ccc", type=Path, help="command of cocoindex-code; it gets this project's model over HTTP")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--tools", default="", help="only these, separated by commas")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    wanted = set(filter(None, arguments.tools.split(",")))
    tools = [tool for tool in known_tools(arguments) if not wanted or tool.name in wanted]
    asked = [one for one in read_questions(arguments.questions / "semble.jsonl") if one.repository in REPOSITORIES]
    rows = []
    for tool in tools:
        for name in REPOSITORIES:
            questions = [one for one in asked if one.repository == name]
            checkout = next(one for one in read_checkouts() if one.is_asked_as(name, questions[0].commit))
            root = (arguments.repositories / checkout.folder).resolve()
            if not root.is_dir():
                print(f"left out: {checkout.folder}\n    {checkout.how_to_get(arguments.repositories)}", file=sys.stderr)
                continue
            row = run(tool, root if arguments.whole else root / questions[0].folder, questions)
            rows.append((tool.name, name, row))
            print_row(tool.name, name, row)
        print_row(tool.name, "all", mean([row for named, _, row in rows if named == tool.name]))
    print(f"\n{'tool':20s} {'repository':12s} " + " ".join(f"{column:>12s}" for column in COLUMNS))
    for tool in tools:
        print_row(tool.name, "all", mean([row for named, _, row in rows if named == tool.name]))
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as out:
            for tool_name, name, row in rows:
                record = {"tool": tool_name, "repository": name, "whole": arguments.whole, "cores": os.cpu_count(), "at": time.strftime("%Y-%m-%d")}
                out.write(json.dumps(record | row) + "\n")


def known_tools(arguments: argparse.Namespace) -> list[Tool]:
    """Those that can run here."""
    here = {"PYTHONPATH": str(ROOT)}
    tools = [
        Tool("exegesis lexical", (sys.executable, str(DRIVERS / "drive_exegesis.py")), here),
        Tool("exegesis late", (sys.executable, str(DRIVERS / "drive_exegesis.py")), here | {"EXEGESIS_LATE": "1"}),
    ]
    if arguments.semble_python and arguments.static_model:
        model = {"STATIC_MODEL": str(arguments.static_model.absolute())}
        tools.append(Tool("semble", (arguments.semble_python, str(DRIVERS / "drive_semble.py")), model))
    if arguments.ccc:
        tools.append(Tool("cocoindex-code", (sys.executable, str(DRIVERS / "drive_cocoindex.py")), here | {"CCC": str(arguments.ccc.absolute())}))
    return tools


def run(tool: Tool, folder: Path, questions: Sequence[Asked]) -> dict[str, float]:
    """One process that indexes and answers. Raises ``SystemExit`` with what the tool said if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        asking, answers, said = Path(scratch, "questions"), Path(scratch, "answers"), Path(scratch, "said")
        own = Path(scratch, "own")
        own.mkdir()
        asking.write_text("".join(json.dumps({"id": one.id, "question": one.text}) + "\n" for one in questions))
        # A shell connects the files, because what is measured is a command with all its children.
        command = ["sh", "-c", 'exec "$@" < "$0" > "$ANSWERS" 2> "$SAID"', str(asking), *tool.command, str(folder), str(own)]
        cost = measure(command, environment={**tool.environment, "ANSWERS": str(answers), "SAID": str(said)})
        if cost.exit_code:
            raise SystemExit(f"{tool.name} failed on {folder.name}: {said.read_text('utf-8', 'replace')[-2000:]}")
        index, *found = map(json.loads, answers.read_text("utf-8").splitlines())
    return score(questions, index["index"], {answer["id"]: answer for answer in found}) | {"peak MiB": cost.peak_mib}


def score(questions: Sequence[Asked], index: Mapping[str, float], answers: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
    """Quality over all questions, and medians of what an answer took."""
    scored = []
    for one in questions:
        results = tuple(map(location, answers[one.id]["results"]))
        scored.append((one.repository, figures(one.gold, Prediction(results, (), 0))))
    quality = mean_over_repositories(scored)
    waited = sorted(1_000 * answer["cost"]["seconds"] for answer in answers.values())
    worked = [1_000 * answer["cost"]["processor"] for answer in answers.values()]
    return {
        **{name: quality[name] for name in ("ndcg10", "ndcg10_file", "hit10")},
        "index s": index["seconds"],
        "index cpu s": index["processor"],
        "query ms": statistics.median(waited),
        "query p95": waited[int(len(waited) * 0.95)],
        "query cpu ms": statistics.fmean(worked),
    }


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {column: statistics.fmean(row[column] for row in rows) for column in COLUMNS} if rows else {}


def print_row(tool: str, repository: str, row: Mapping[str, float]) -> None:
    digits = {"ndcg10": 3, "ndcg10_file": 3, "hit10": 3, "peak MiB": 0}
    cells = (f"{row[column]:12.{digits.get(column, 1)}f}" for column in COLUMNS if column in row)
    print(f"{tool:20s} {repository:12s} " + " ".join(cells), flush=True)


if __name__ == "__main__":
    main()
