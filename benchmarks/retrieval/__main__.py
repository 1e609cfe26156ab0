"""All question sets, asked of all repositories, with parts of the pipeline switched off: one command, and one table beside what others published.

    python -m benchmarks.retrieval QUESTIONS REPOSITORIES [--sets semble,explain] [--repos flask,gin] [--ablations full,lexical,no-graph] [--out FILE]
    python -m benchmarks.retrieval QUESTIONS.jsonl --at flask=~/src/flask [--each]

QUESTIONS is a folder of question sets; the project's own in ``benchmarks/questions`` take part then, and ``sets.toml`` says how each is asked. Or it
is the file of one set. REPOSITORIES is a folder of checkouts named as ``repositories.toml`` says, such as ``flask@258d68b``; ``--at`` names a folder
that is taken for a repository whatever its commit. What is missing is named with the commands that get it, and left out.

Indexes and answers are kept in ``--home``. An answer is written down the moment it is known: a run that was interrupted goes on where it stopped, and
a run on unchanged code prints at once. ``--again`` asks everything anew, as is right for times.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval.answers import Answers, Asking, digest_code
from benchmarks.retrieval.catalogue import OWN_QUESTIONS, Checkout, QuestionSet, find_sets, read_checkouts, read_published, read_sets
from benchmarks.retrieval.indexing import Subject, opened
from benchmarks.retrieval.measure import ask
from benchmarks.retrieval.questions import Asked, read_questions
from benchmarks.retrieval.report import Row, Scored, print_tables, summarise
from benchmarks.retrieval.variants import VARIANTS, Variant

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Job:
    """Questions of one set about one index."""

    of: QuestionSet
    subject: Subject
    asked: tuple[Asked, ...]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retrieval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", type=Path, nargs="?", default=Path())
    parser.add_argument("--at", action="append", default=[], metavar="NAME=FOLDER", help="where a repository lies; may be repeated")
    parser.add_argument("--sets", default="", help="only these, separated by commas; of all if empty")
    parser.add_argument("--repos", default="", help="only questions about these")
    parser.add_argument("--ablations", default="full,lexical", help="; ".join(f"{variant.name}: {variant.why}" for variant in VARIANTS.values()))
    parser.add_argument("--home", type=Path, default=Path("~/.cache/exegesis-benchmarks"), help="folder of indexes and answers")
    parser.add_argument("--known", action="store_true", help="ask nothing, print what is known of this state of the code")
    parser.add_argument("--again", action="store_true", help="ask what was asked already, too")
    parser.add_argument("--each", action="store_true", help="print questions that are not answered perfectly")
    parser.add_argument("--out", type=Path, help="file that the rows of the report are appended to, as JSON lines")
    arguments = parser.parse_args()
    names = [name for name in arguments.ablations.split(",") if name]
    if unknown := [name for name in names if name not in VARIANTS]:
        parser.error(f"There is no ablation {unknown[0]!r}; there are {', '.join(VARIANTS)}.")
    home = arguments.home.expanduser().absolute()
    home.mkdir(parents=True, exist_ok=True)

    known = read_sets()
    wanted_sets = set(filter(None, arguments.sets.split(",")))
    wanted_repositories = set(filter(None, arguments.repos.split(",")))
    places = [arguments.questions] if arguments.questions.is_file() else [arguments.questions, OWN_QUESTIONS]
    sets = [found for found in find_sets(places, known) if not wanted_sets or found[0].name in wanted_sets]
    if unfound := wanted_sets - {of.name for of, _ in sets}:
        parser.error(f"There is no set {min(unfound)!r} in {' or '.join(map(str, places))}.")
    given = [Checkout(name, address="", commit="", path=folder) for name, _, folder in (pair.partition("=") for pair in arguments.at)]
    jobs = plan(sets, [*given, *read_checkouts()], arguments.repositories, wanted_repositories)

    answers = Answers.read(home / "answers.jsonl")
    scored: list[Scored] = []
    interrupted = False
    try:
        for variant in (VARIANTS[name] for name in names):
            for job in jobs:
                if not arguments.known:
                    work(job, variant, answers, repositories=arguments.repositories, home=home, again=arguments.again)
                scored += recall(job, variant, answers)
    except KeyboardInterrupt:
        interrupted = True
        print("interrupted: the same command goes on from here", file=sys.stderr)
    rows = summarise(sorted(scored, key=lambda one: [of.name for of, _ in sets].index(one.set)))
    print("\n".join(print_tables(rows, read_published())))
    if arguments.each:
        print_each(scored)
    if arguments.out and not interrupted:
        append(arguments.out, rows)
    return 130 if interrupted else 0


def plan(sets: Sequence[tuple[QuestionSet, Path]], checkouts: Sequence[Checkout], repositories: Path, only: set[str]) -> list[Job]:
    """The jobs, those about one index one after the other. Says what is missing."""
    jobs: dict[tuple[str, Subject], list[Asked]] = {}
    missing: dict[str, str] = {}
    for of, path in sets:
        for asked in read_questions(path):
            if only and asked.repository not in only:
                continue
            checkout = next((one for one in checkouts if one.is_asked_as(asked.repository, asked.commit)), None)
            if checkout is None:
                missing[f"{asked.repository}@{asked.commit[:7]}"] = f"not in repositories.toml, asked for by {of.name}"
            elif not checkout.place(repositories).is_dir():
                missing[checkout.folder] = checkout.how_to_get(repositories)
            else:
                # A folder that was named is what is to be indexed, be it the whole or a part.
                subject = Subject(checkout, asked.folder if of.part and not checkout.path else "", of.leaves_out)
                jobs.setdefault((of.name, subject), []).append(asked)
    for name, reason in missing.items():
        print(f"left out: {name}\n    {reason}", file=sys.stderr)
    by_name = {of.name: of for of, _ in sets}
    ordered = sorted(jobs.items(), key=lambda item: item[0][1].name)
    return [Job(by_name[name], subject, tuple(asked)) for (name, subject), asked in ordered]


def work(job: Job, variant: Variant, answers: Answers, *, repositories: Path, home: Path, again: bool) -> None:
    """Ask what was not asked before, and remember it."""
    keys = askings(job, variant)
    waiting = [asked for asked, key in keys.items() if again or key not in answers.known]
    if waiting:
        started, processor = time.monotonic(), time.process_time()
        with opened(job.subject, repositories, home, stored=variant.stored, say=lambda line: print(line, file=sys.stderr)) as (assembly, repository):
            for asked in waiting:
                answers.remember(keys[asked], ask(assembly.query, asked, repository, variant, job.of))
        spent = f"{time.monotonic() - started:.0f} s, {time.process_time() - processor:.0f} s of processor"
        print(f"{variant.name}: {job.of.name} of {job.subject.name}, {len(waiting)} questions, {spent}", file=sys.stderr, flush=True)


def recall(job: Job, variant: Variant, answers: Answers) -> list[Scored]:
    """What is known of a job."""
    keys = askings(job, variant).items()
    return [Scored(job.of.name, variant.name, asked, answers.known[key]) for asked, key in keys if key in answers.known]


def askings(job: Job, variant: Variant) -> dict[Asked, Asking]:
    code = digest_code(ROOT)
    how = hashlib.sha256(repr(job.of).encode()).hexdigest()[:8]
    return {asked: Asking(code, job.of.name, variant.name, job.subject.name, asked.id, asked.digest + how) for asked in job.asked}


def print_each(scored: Sequence[Scored]) -> None:
    """Questions whose list or largest context misses something. Read them before changing a weight, and never fit a rule to one of them."""
    for one in scored:
        spans = [value for name, value in one.figures.items() if name.startswith("span@")]
        if one.figures.get("ndcg10", 1.0) < 0.95 or (spans and spans[-1] < 1.0):
            figures = " ".join(
                f"{name} {value:.2f}" for name, value in one.figures.items() if name.partition("@")[0] in {"ndcg10", "span", "essential"}
            )
            print(f"{one.set} {one.variant} {one.asked.id}: {figures}\n    {one.asked.text}")


def append(path: Path, rows: Sequence[Row]) -> None:
    provenance = {
        "commit": _git("rev-parse", "--short=12", "HEAD") + ("+changes" if _git("status", "--porcelain", "--", "exegesis", "services") else ""),
        "cores": os.cpu_count(),
        "at": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "command": shlex.join(["python", "-m", "benchmarks.retrieval", *(argument for argument in sys.argv[1:])]),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as lines:
        for row in rows:
            record = {"set": row.set, "variant": row.variant, "group": row.group, "label": row.label, "questions": row.questions, **row.means}
            lines.write(json.dumps(record | provenance) + "\n")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
