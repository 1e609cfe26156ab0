import pytest

from exegesis.model import Options
from services.graph.api import Direction
from services.query.aims import DIRECTIONS, RULES, Aim, aim_of
from services.query.intent import read_question
from tests.unit.services.query.aims import LABELLED, SINCE


def aim_of_question(text: str) -> Aim:
    return read_question(text, Options()).aim


@pytest.mark.parametrize("aim", LABELLED, ids=str)
def test_wording_tells_the_aim(aim: Aim) -> None:
    """As people put questions, from public sets and this project's own."""
    assert [(text, found) for text in LABELLED[aim] if (found := aim_of_question(text)) is not aim] == []


def test_wording_that_no_rule_was_written_for_is_mostly_understood() -> None:
    """The figure is kept honest: those that are still misread stay in the list."""
    read = [(aim, aim_of_question(text)) for aim, texts in SINCE.items() for text in texts]
    assert sum(aim is found for aim, found in read) >= 0.85 * len(read)


def test_every_aim_has_a_direction_and_every_rule_an_example() -> None:
    """A rule that no labelled question needs is a rule that nobody has judged."""
    assert DIRECTIONS.keys() == set(Aim)
    assert DIRECTIONS[Aim.USAGE] is Direction.CALLERS
    questions = [text for texts in LABELLED.values() for text in texts]
    assert [rule.name for rule in RULES if not any(rule.wording.search(text) for text in questions)] == []


@pytest.mark.parametrize("text", ["", "?", "why" * 5_000, "what " * 3_000 + "uses", "where is " * 2_000, "(" * 9_000, "who, " * 3_000])
def test_any_text_has_an_aim_soon(text: str) -> None:
    """Hostile wording costs no more than its length."""
    assert aim_of(text) in Aim
