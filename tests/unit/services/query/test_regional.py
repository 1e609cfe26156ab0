"""Words as the code spells them."""

from pathlib import Path

import pytest

from exegesis.model import Options, Question
from services.query.regional import as_code_spells, other_spellings
from services.query.retrieve import retrieve
from services.query.spelling import with_declared_spelling
from tests.fakes.small_repository import Piece, small_repository


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("behaviour", "behavior"),
        ("colours", "colors"),
        ("normalised", "normalized"),
        ("initialiser", "initializer"),
        ("serialisation", "serialization"),
        ("analyse", "analyze"),
        ("cancelled", "canceled"),
        ("labelling", "labeling"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
        ("grey", "gray"),
    ],
)
def test_each_spelling_leads_to_the_other(one: str, other: str) -> None:
    """Both ways: who writes code and who asks may come from either side."""
    assert other in other_spellings(one)
    assert one in other_spellings(other)


@pytest.mark.parametrize("word", ["four", "hour", "filled", "filed", "pulled", "or", "log2"])
def test_words_that_are_others_have_no_other_spelling(word: str) -> None:
    """What looks alike and means something else."""
    assert list(other_spellings(word)) == []


def test_only_what_the_code_does_not_have_is_spelled_as_it_has_it(tmp_path: Path) -> None:
    """A word that both have stays, and so does one of which no spelling is there; names are left alone."""
    corpus = small_repository(tmp_path, {"a.swift": [Piece("setColor", "color = canceled"), Piece("tour", "x", doc="Our tour is cancelled.")]})
    text = "how is the colour of our tour cancelled, normalised and drawn by ColourPicker?"
    assert as_code_spells(text, [corpus]) == "how is the color of our tour cancelled, normalised and drawn by ColourPicker?"


def test_a_question_finds_the_other_spelling(tmp_path: Path) -> None:
    """It is the word of the code that is searched for."""
    corpus = small_repository(tmp_path, {"a.swift": [Piece("setColor", "x"), Piece("draw", "y")]})
    question = with_declared_spelling(Question("where is the colour set", ("repo",), Options()), [corpus])
    assert question.text == "where is the color set"
    assert retrieve(question, [corpus]).candidates[0].chunk.name == "setColor"
