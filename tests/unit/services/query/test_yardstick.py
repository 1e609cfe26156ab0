import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.errors import EmbedderUnavailable
from services.query.yardstick import PAIRS, Scale, Yardstick
from tests.fakes.word_embedder import WordEmbedder

PATIENT = 3_600.0


class Stretched(WordEmbedder):
    """The same model, whose vectors all share one direction: every cosine is higher."""

    def _vector(self, text: str) -> list[float]:
        half = 0.5**0.5
        return [half, *(half * value for value in super()._vector(text))]


class Blind(WordEmbedder):
    def _vector(self, text: str) -> list[float]:
        return [1.0]


class Slow(WordEmbedder):
    """A server at the end of its strength: each question takes a twentieth of a second."""

    def embed_question(self, text: str) -> Sequence[float]:
        time.sleep(0.05)
        return super().embed_question(text)


class Refusing(WordEmbedder):
    def _vector(self, text: str) -> list[float]:
        return [0.0] * self.dimensions


def scale_of(embedder: WordEmbedder) -> Scale:
    scale = Yardstick(embedder).scale(PATIENT)
    assert scale is not None
    return scale


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
        found.append(scale_of(embedder).nearness(near))
    assert found[0] == pytest.approx(found[1], abs=1e-4)


def test_a_model_that_cannot_tell_says_nothing() -> None:
    """It finds an answer no nearer than anything else."""
    assert scale_of(Blind()).nearness(1.0) is None


def test_a_scale_is_measured_once(tmp_path: Path) -> None:
    """Neither the next question nor the next process embeds the pairs again; without an embedder there is no scale."""
    cache, first, second = SqliteCache(tmp_path / "cache.db"), WordEmbedder(), WordEmbedder()
    yardstick = Yardstick(first, cache)
    scales = [yardstick.scale(PATIENT), yardstick.scale(PATIENT), Yardstick(second, cache).scale(PATIENT)]
    cache.close()
    assert scales[0] is not None
    assert scales == [scales[0]] * 3
    assert (len(first.embedded), len(second.embedded)) == (len(PAIRS), 0)
    assert Yardstick(None).scale(PATIENT) is None


def test_an_embedder_that_is_away_is_asked_again() -> None:
    """A scale is not given up because a server slept when it was first wanted."""
    embedder = WordEmbedder(broken=True)
    yardstick = Yardstick(embedder)
    with pytest.raises(EmbedderUnavailable):
        yardstick.scale(PATIENT)
    embedder.broken = False
    assert yardstick.scale(PATIENT) is not None


def test_a_slow_embedder_delays_no_question_beyond_its_seconds() -> None:
    """What was embedded until then counts for the next question, so that the scale is there after some."""
    yardstick, longest, scales = Yardstick(Slow()), 0.0, []
    while not scales or scales[-1] is None:
        started = time.monotonic()
        scales.append(yardstick.scale(0.1))
        longest = max(longest, time.monotonic() - started)
        assert len(scales) <= len(PAIRS) + 1
    assert len(scales) > 1
    assert longest < len(PAIRS) * 0.05


def test_who_finds_another_measuring_does_not_wait_for_long() -> None:
    """One slow measurement holds up one question and not all of them."""
    begun, end = threading.Event(), threading.Event()

    class Held(WordEmbedder):
        def embed_question(self, text: str) -> Sequence[float]:
            begun.set()
            end.wait()
            return super().embed_question(text)

    yardstick = Yardstick(Held())
    first = threading.Thread(target=yardstick.scale, args=(PATIENT,))
    first.start()
    begun.wait()
    assert yardstick.scale(0.01) is None
    end.set()
    first.join()
    assert yardstick.scale(0.01) is not None


def test_a_scale_made_of_refusals_is_not_kept(tmp_path: Path) -> None:
    """A server that refuses a text for now gives it the zero vector."""
    cache = SqliteCache(tmp_path / "cache.db")
    with pytest.raises(EmbedderUnavailable):
        Yardstick(Refusing(), cache).scale(PATIENT)
    scale = Yardstick(WordEmbedder(), cache).scale(PATIENT)
    cache.close()
    assert scale is not None
    assert scale.answer > scale.unrelated
