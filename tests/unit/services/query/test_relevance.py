from dataclasses import replace

import pytest

from exegesis.model import Options
from services.query.corpus import Corpus
from services.query.relevance import Signs, decide, judge
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

BAD = Signs(known=0.2, matched=0.1, named=0.0, path=0.0, cosine=None, defined=False)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    files = {
        "Sources/RetryPolicy.swift": [Piece("shouldRetry", "limit > count", doc="Whether a failed request is tried again.")],
        "Sources/Session.swift": [Piece("resume", "task.resume()"), Piece("cancel", "task.cancel()")],
        "Sources/Cache.swift": [Piece("store", "disk.write()"), Piece("evict", "disk.delete()")],
    }
    return small_repository(tmp_path_factory.mktemp("relevance"), files)


@pytest.mark.parametrize("text", ["how does retrying work?", "RetryPolicy", "when is a failed request tried again?", "cancel a task"])
def test_questions_about_what_is_there_are_answered(corpus: Corpus, text: str) -> None:
    """One good sign is enough."""
    asked = ask(text, corpus)
    assert judge(asked.seeds, asked.ranking).relevant


@pytest.mark.parametrize("text", ["how are blockchain transactions mined?", "kubernetes ingress certificates", "zzz"])
def test_questions_about_what_is_absent_are_refused(corpus: Corpus, text: str) -> None:
    """No word, no name, no path: and each reason is said."""
    asked = ask(text, corpus)
    verdict = judge(asked.seeds, asked.ranking)
    assert not verdict.relevant
    assert verdict.reasons


def test_no_single_bad_sign_refuses() -> None:
    """Every sign alone rescues an otherwise hopeless question."""
    assert not decide(BAD).relevant
    for good in (
        Signs(0.2, 0.1, 0.0, 0.0, None, defined=True),
        Signs(0.8, 0.5, 0.0, 0.0, None, defined=False),
        Signs(0.6, 0.15, 1.0, 0.0, None, defined=False),
        Signs(0.4, 0.1, 0.0, 0.0, None, defined=False, is_topic=True),
        Signs(0.2, 0.1, 0.0, 0.6, None, defined=False),
        Signs(0.2, 0.1, 0.0, 0.0, 0.7, defined=False),
    ):
        assert decide(good).relevant


def test_unknown_proper_names_outweigh_common_words() -> None:
    """A question about a product that never occurs is not answered from its filler words."""
    fair = Signs(known=0.7, matched=0.2, named=1.0, path=0.0, cosine=None, defined=False)
    assert decide(fair).relevant
    assert not decide(replace(fair, foreign=True)).relevant


def test_nothing_found_is_never_relevant(corpus: Corpus) -> None:
    """An empty ranking has no good sign to read."""
    asked = ask("qqq", corpus, options=Options(lexical_prefilter=True))
    assert not judge(asked.seeds, asked.ranking).relevant
