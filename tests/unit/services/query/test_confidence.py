from __future__ import annotations

import pytest

from exegesis.model import Confidence, EdgeKind, Place
from services.query.confidence import RULES, Signs, coverage_of, judge, read_signs
from services.query.telling.citations import check_citations
from tests.fakes.evidence import context, flow_of, item

GOOD = Signs(coverage=1.0, anchors=3, calls=4, certainty=0.95, verified=1.0, gaps=0)


def changed(**more: float) -> Signs:
    return Signs(**({name: getattr(GOOD, name) for name in GOOD.__slots__} | more))


@pytest.mark.parametrize(
    ("signs", "verdict", "rule"),
    [
        (GOOD, Confidence.HIGH, "all of it"),
        (changed(anchors=0), Confidence.LOW, "no anchor"),
        (changed(coverage=0.2), Confidence.LOW, "words missing"),
        (changed(verified=0.4), Confidence.LOW, "claims unverified"),
        (changed(gaps=1), Confidence.MEDIUM, "gaps"),
        (changed(certainty=0.5), Confidence.MEDIUM, "calls guessed"),
        (changed(verified=0.7), Confidence.MEDIUM, "otherwise"),
        (changed(coverage=0.6), Confidence.MEDIUM, "otherwise"),
    ],
)
def test_the_first_rule_that_applies_decides(signs: Signs, verdict: Confidence, rule: str) -> None:
    """One bad sign is enough to be careful."""
    assert (judge(signs).verdict, judge(signs).name) == (verdict, rule)


def test_some_rule_always_applies() -> None:
    """The table ends with a rule for the rest, and every rule has a reason."""
    assert RULES[-1].applies(changed(coverage=0.0, verified=0.0))
    assert all(rule.reason for rule in RULES)


def test_coverage_counts_words_in_any_spelling() -> None:
    """``refreshed`` is covered by ``refreshToken``, ``quota`` by nothing."""
    found = context([item(1, "refreshToken()", "func refreshToken() {}\n")])
    assert coverage_of("How is a token refreshed?", found) == 1.0
    assert coverage_of("How is the quota refreshed?", found) == 0.5
    assert coverage_of("how?", found) <= 1.0


def test_signs_are_read_from_the_answer() -> None:
    """Anchors, calls and their certainty, and the share of verified sentences."""
    found = context([item(1, "a()"), item(2, "b()", start=9, place=Place.CALLEE)], [("a()", "b()", 2, EdgeKind.CALL, 0.6)])
    checked = check_citations("It runs the first of them [E1]. It does something else then.", found, flow_of(found), lambda *_: ())
    signs = read_signs("a b", found, flow_of(found), checked, gaps=0)
    assert (signs.anchors, signs.calls, signs.certainty, signs.verified) == (1, 1, 0.6, 0.5)
