"""Which questions are refused, which are answered with a warning: of those with an answer, and of those about features that are absent.

    python benchmarks/refusals.py QUESTIONS.jsonl [...] --repositories flask=~/src/flask gin=~/src/gin [--late] [--part calibration]
        [--strangers redis:flask,gin] [--each] [--learn]

    ``--stored`` in place of ``--late``: every piece gets its vector ahead of time, which must make no difference

A question with ``absent`` has no answer in its repository; all others have one. ``--part`` leaves out other parts of sets that have parts.
``--strangers`` asks the questions about one project of others that it has nothing to do with, which are then to be refused or doubted.
``--learn`` learns the weights of the signs anew, and says what they do on a repository whose questions they were not learned from.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.odds import area_under_curve, learn, learn_elsewhere
from exegesis.model import Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.query.corpus import Corpora, Corpus
from services.query.grading import grade_what_is_found, with_meaning
from services.query.relevance import EVIDENCE, MEANING, REFUSED, SETTLED, Grade, Signs, judge, odds, read_signs, score
from services.query.spelling import with_declared_spelling
from services.query.without import AvailableSources

STRICT = 0.8
"""Taken from the learned odds of meaning, for which both kinds of questions weigh the same: without it a sixth of the absent features is answered,
and .037 of the questions with an answer are refused on the first eighteen repositories; with it a fourteenth, and .051.
"""
TOLERATED = 0.05
"""Share of the questions with an answer that may be refused where signs are compared."""


@dataclass(frozen=True, slots=True)
class Case:
    repository: str
    kind: str
    """Of questions about absent features how they are worded; of others their set."""
    text: str
    absent: bool
    grade: Grade
    rule: str
    signs: Signs
    is_open: bool
    """Words settle nothing, so that meaning is asked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--repositories", nargs="+", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--strangers", nargs="*", default=[], metavar="NAME:NAME,NAME")
    parser.add_argument("--part", default="")
    parser.add_argument("--late", action="store_true", help="with vectors of the best candidates")
    parser.add_argument("--stored", action="store_true", help="with vectors of all pieces")
    parser.add_argument("--each", action="store_true", help="print what is not as it should be")
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    arguments = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in arguments.repositories)
    strangers = {name: others.split(",") for name, others in (pair.split(":", 1) for pair in arguments.strangers)}
    rows = [json.loads(line) for path in arguments.questions for line in path.read_text("utf-8").splitlines() if line.strip()]
    rows = [row for row in rows if row.get("part", arguments.part) == arguments.part or not arguments.part]
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="bundled" if arguments.late or arguments.stored else "none"))
        corpora = open_corpora(assembly, folders, stored=arguments.stored)
        cases = [ask(corpora[name], row, name, absent=absent) for row in rows for name, absent in targets(row, strangers) if name in corpora]
        assembly.close()
    print_grades(cases)
    print_signs(cases)
    if arguments.each:
        print_each(cases)
    if arguments.learn:
        print_learned(cases)


def open_corpora(assembly: Assembly, folders: Mapping[str, str], *, stored: bool) -> dict[str, Corpus]:
    opened = Corpora(assembly.graph, assembly.question_chunks, embedder=assembly.question_embedder)
    found = {}
    for name, folder in folders.items():
        report = assembly.indexer.index(str(Path(folder).expanduser()), IndexOptions(embed=stored), lambda _: None)
        found[name] = opened.open(report.generation)
    return found


def targets(row: Mapping[str, Any], strangers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, bool]]:
    """Whom a question is asked, and whether it has no answer there. Overviews have one everywhere."""
    yield row["repo"], bool(row.get("absent"))
    if not row.get("absent") and row.get("category") not in {"overview", "symbol"}:
        yield from ((name, True) for name in strangers.get(row["repo"], ()))


def ask(corpus: Corpus, row: Mapping[str, Any], name: str, *, absent: bool) -> Case:
    question = with_declared_spelling(Question(row["question"], (corpus.repository,), Options()), [corpus])
    sources = AvailableSources(question, [corpus])
    graded = grade_what_is_found(sources)
    found, ranking, verdict = graded.seeds, graded.ranking, graded.relevance
    is_open = judge(found, ranking).is_open
    near = with_meaning(found, ranking, sources.nearest().vector)[0] if is_open else found
    kind = row.get("set", "other") if not absent else "strangers" if name != row["repo"] else row.get("wording", row.get("set", "other"))
    return Case(name, kind, row["question"], absent, verdict.grade, verdict.rule, read_signs(near, ranking), is_open)


def print_grades(cases: Sequence[Case]) -> None:
    print(f"{'questions':34s} {'n':>5s} {'answered':>9s} {'doubted':>9s} {'refused':>9s}")
    for absent, title in ((False, "with an answer"), (True, "absent")):
        of_kind = [case for case in cases if case.absent is absent]
        own = [case for case in of_kind if case.kind != "strangers"]
        groups = {f"{title}": own}
        groups |= {f"  {name}": [case for case in own if case.repository == name] for name in sorted({case.repository for case in own})}
        groups |= {f"  ({name})": [case for case in of_kind if case.kind == name] for name in sorted({case.kind for case in of_kind})}
        for name, group in groups.items():
            shares = [sum(case.grade is grade for case in group) / len(group) if group else 0.0 for grade in Grade]
            print(f"{name:34s} {len(group):5d} " + " ".join(f"{share:9.3f}" for share in shares))


def print_signs(cases: Sequence[Case]) -> None:
    """Each sign alone: how well it tells, and what it refuses at the tolerated share."""
    own = [case for case in cases if case.kind != "strangers"]
    print(f"\n{'sign':12s} {'area':>6s} {'refused where ' + str(TOLERATED) + ' with an answer are':>40s}")
    values = {weight.name: weight.value for weight in EVIDENCE} | {"known": lambda signs: signs.known, "score": score}
    if any(case.signs.nearness is not None for case in cases):
        own = [case for case in own if case.signs.nearness is not None]
        values |= {"nearness": lambda signs: signs.nearness or 0.0, "both": odds}
        print(f"of {len(own)} that words do not settle:")
    for name, value in values.items():
        there = np.array([value(case.signs) for case in own if not case.absent])
        absent = np.array([value(case.signs) for case in own if case.absent])
        if len(there) and len(absent):
            print(f"{name:12s} {area_under_curve(there, absent):6.3f} {np.mean(absent < np.quantile(there, TOLERATED)):40.3f}")


def print_each(cases: Sequence[Case]) -> None:
    for case in sorted(cases, key=lambda case: score(case.signs)):
        if case.kind != "strangers" and ((case.absent and case.grade is not Grade.REFUSE) or (not case.absent and case.grade is Grade.REFUSE)):
            print(
                f"  {case.grade.value:7s} {case.rule:12s} {score(case.signs):6.2f} {'absent' if case.absent else '':6s} {case.repository} {case.text}"
            )


def print_learned(cases: Sequence[Case]) -> None:
    """Weights from the questions that the score decides: questions, put plainly, that name no symbol and are not about the whole."""
    by_rule = ("is_topic", "is_told", "is_overview", "is_translated", "whole", "defined")
    decided = [case for case in cases if not any(getattr(case.signs, rule) for rule in by_rule)]
    signs = np.array([[weight.value(case.signs) for weight in EVIDENCE] for case in decided])
    there = np.array([not case.absent for case in decided])
    odds = learn(signs, there)
    elsewhere = learn_elsewhere(signs, there, [case.repository for case in decided])
    print(f"\nlearned from {there.sum()} with and {(~there).sum()} without an answer: ", end="")
    print(", ".join(f"{weight.name} {value:.2f}" for weight, value in zip(EVIDENCE, odds.weights, strict=True)), f"bias {odds.bias:.2f}")
    own = np.array([case.kind != "strangers" for case in decided])
    print(f"area where they were not learned: {area_under_curve(elsewhere[there], elsewhere[~there & own]):.3f}")
    answerable, absent = (sum(not case.absent for case in cases), sum(case.absent and case.kind != "strangers" for case in cases))
    for share in (0.02, 0.03, 0.04, TOLERATED):
        least = np.sort(elsewhere[there])[min(int(share * answerable), there.sum() - 1)]
        refused = np.sum(elsewhere[~there & own] < least) / max(absent, 1)
        print(f"  {share:.0%} of all with an answer refused: score below {least:.2f}; {refused:.3f} of the absent")
    print_meaning(cases)


def print_meaning(cases: Sequence[Case]) -> None:
    """Weights of words and nearness where words settle nothing, and what is refused by those that other repositories teach."""
    compared = [case for case in cases if case.is_open and case.signs.nearness is not None and case.kind != "strangers"]
    learned = [case for case in compared if score(case.signs) < SETTLED]
    there = np.array([not case.absent for case in learned], dtype=bool)
    if not there.any() or there.all():
        return
    signs = np.array([[weight.value(case.signs) for weight in MEANING] for case in learned])
    odds_of = learn(signs, there)
    elsewhere = learn_elsewhere(signs, there, [case.repository for case in learned])
    print(f"\nwith meaning, {there.sum()} with and {(~there).sum()} without an answer whose words score below {SETTLED}: ", end="")
    print(", ".join(f"{weight.name} {value:.2f}" for weight, value in zip(MEANING, odds_of.weights, strict=True)), end=", ")
    print(f"bias {odds_of.bias:.2f}, and {odds_of.bias - STRICT:.2f} as it is used")
    by_words = np.array([score(case.signs) for case in learned])
    by_words, by_both = (area_under_curve(values[there], values[~there]) for values in (by_words, elsewhere))
    print(f"area where they were not learned: words {by_words:.3f}, both {by_both:.3f}")
    refused = {id(case): bool(value - STRICT < REFUSED) for case, value in zip(learned, elsewhere, strict=True)}
    own = [case for case in cases if case.kind != "strangers"]
    for absent, title in ((False, "with an answer"), (True, "absent")):
        group = [refused.get(id(case), case.grade is Grade.REFUSE) for case in own if case.absent is absent]
        print(f"{title}: {np.mean(group):.3f} of {len(group)} refused by the weights of other repositories")


if __name__ == "__main__":
    main()
