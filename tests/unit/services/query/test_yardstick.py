from collections.abc import Sequence
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.errors import EmbedderUnavailable
from services.query.yardstick import PAIRS, Scale, Yardstick, measure
from tests.fakes.word_embedder import WordEmbedder


class Stretched(WordEmbedder):
    """The same model, whose vectors all share one direction: every cosine is higher."""

    def _vector(self, text: str) -> list[float]:
        half = 0.5**0.5
        return [half, *(half * value for value in super()._vector(text))]


class Blind(WordEmbedder):
    def _vector(self, text: str) -> list[float]:
        return [1.0]


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(first, second, strict=True))


def test_an_answer_is_one_and_the_unrelated_zero() -> None:
    """Between them and beyond them nearness grows with the cosine."""
    scale = Scale(unrelated=0.5, answer=0.75)
    assert [scale.nearness(value) for value in (0.5, 0.75, 1.0, 0.25)] == [0.0, 1.0, 2.0, -1.0]


def test_models_with_other_cosines_say_the_same() -> None:
    """What is near for one is as near for the other, although one calls it .8 and the other .6."""
    question, text = "how does a person sign in?", "a person may sign"
    found = []
    for embedder in (WordEmbedder(), Stretched()):
        near = cosine(embedder.embed_question(question), embedder.embed([text], tokens=8)[0])
        found.append(measure(embedder).nearness(near))
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_a_model_that_cannot_tell_says_nothing() -> None:
    """It finds an answer no nearer than anything else."""
    assert measure(Blind()).nearness(1.0) is None


def test_a_scale_is_measured_once(tmp_path: Path) -> None:
    """Neither the next question nor the next process embeds the pairs again; without an embedder there is no scale."""
    cache, first, second = SqliteCache(tmp_path / "cache.db"), WordEmbedder(), WordEmbedder()
    yardstick = Yardstick(first, cache)
    scales = [yardstick.scale(), yardstick.scale(), Yardstick(second, cache).scale()]
    cache.close()
    assert scales[0] is not None
    assert scales == [scales[0]] * 3
    assert (len(first.embedded), len(second.embedded)) == (len(PAIRS), 0)
    assert Yardstick(None).scale() is None


def test_an_embedder_that_is_away_is_asked_again() -> None:
    """A scale is not given up because a server slept when it was first wanted."""
    embedder = WordEmbedder(broken=True)
    yardstick = Yardstick(embedder)
    with pytest.raises(EmbedderUnavailable):
        yardstick.scale()
    embedder.broken = False
    assert yardstick.scale() is not None
