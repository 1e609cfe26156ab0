"""How sure an answer may sound: a table of rules over what can be measured about it. The first rule that applies decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from exegesis.model import Confidence, Context, Place
from exegesis.terms import question_terms, terms_of, words
from services.query.flow import Flow
from services.query.telling.citations import Checked
from services.query.telling.contrasts import done_otherwise


@dataclass(frozen=True, slots=True)
class Signs:
    coverage: float
    """Share of the question's content words that occur in the evidence, in [0, 1]; 1 for a question without any."""
    anchors: int
    """Items that were found by the question itself and not by following the graph."""
    calls: int
    certainty: float
    """Mean confidence of the calls that are told, in [0, 1]; 1 where none are."""
    verified: float
    """Share of the answer's sentences whose citations were verified, in [0, 1]."""
    gaps: int
    """Warnings that files beside the evidence could not be indexed."""
    doubtful: bool = False
    """What was found may be beside the question."""
    apart: bool = False
    """Much of the best evidence does what the question sets apart from what it asks for."""


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    verdict: Confidence
    applies: Callable[[Signs], bool]
    reason: str


BEST: Final = 12
"""Pieces of evidence that are looked at for what they do; a third of them is much."""

RULES: Final = (
    Rule("no anchor", Confidence.LOW, lambda signs: signs.anchors == 0, "nothing in the evidence was found by the question itself"),
    Rule("doubt", Confidence.LOW, lambda signs: signs.doubtful, "little of what was found bears on the question"),
    Rule("words missing", Confidence.LOW, lambda signs: signs.coverage < 0.4, "most words of the question occur nowhere in the evidence"),
    Rule("claims unverified", Confidence.LOW, lambda signs: signs.verified < 0.5, "most sentences could not be tied to the code"),
    Rule("gaps", Confidence.MEDIUM, lambda signs: signs.gaps > 0, "files beside the evidence could not be read"),
    Rule("another deed", Confidence.MEDIUM, lambda signs: signs.apart, "much of what was found puts in what the question asks to find, or the like"),
    Rule("calls guessed", Confidence.MEDIUM, lambda signs: signs.certainty < 0.7, "the calls between the pieces are likely and not certain"),
    Rule(
        "all of it",
        Confidence.HIGH,
        lambda signs: signs.coverage >= 0.75 and signs.verified >= 0.9 and signs.anchors >= 2,
        "the evidence has the question's words, its calls are certain, and the sentences are verified",
    ),
    Rule("otherwise", Confidence.MEDIUM, lambda _: True, "parts of the question or of the answer are not covered"),
)


def judge(signs: Signs) -> Rule:
    """The rule that decides; its verdict is the answer's confidence."""
    return next(rule for rule in RULES if rule.applies(signs))


def read_signs(question: str, context: Context, flow: Flow, checked: Checked, *, gaps: int, doubtful: bool = False) -> Signs:
    certainty = sum(call.edge.confidence for call in flow.calls) / len(flow.calls) if flow.calls else 1.0
    anchors = sum(item.place is Place.ANCHOR for item in context.items)
    best = sorted(context.items, key=lambda item: -item.score)[:BEST]
    apart = done_otherwise(question, flow, context.items)
    is_apart = sum(item.id in apart for item in best) * 3 >= len(best) > 0 and bool(apart)
    return Signs(coverage_of(question, context), anchors, len(flow.calls), certainty, checked.share, gaps, doubtful, is_apart)


def coverage_of(question: str, context: Context) -> float:
    """Share of the question's content words, in any spelling, that the evidence contains."""
    units = question_terms(question).units
    if not units:
        return 1.0
    said = set[str]().union(*(words(f"{item.path} {item.symbol} {item.text}") for item in context.items))
    found = set[str]().union(*map(terms_of, said))
    return sum(any(spelling in found for spelling in unit) for unit in units) / len(units)
