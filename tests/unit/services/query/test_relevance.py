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


@pytest.mark.parametrize("text", ["Wie wird ein Retry abgebrochen?", "¿Qué sucede cuando alguien hace evict?"])
def test_a_question_in_another_language_is_answered_by_the_names_it_says(corpus: Corpus, text: str) -> None:
    """Its grammar occurs nowhere in English code, and says nothing against it."""
    asked = ask(text, corpus)
    assert judge(asked.seeds, asked.ranking).relevant


@pytest.mark.parametrize(
    "text",
    [
        "How is the Session replicated to Dropbox?",  # English around a name that exists
        "explain Kafka consumer offset commits for cancel",
        "Wie werden Belege gedruckt?",  # no name at all
        "Wie wird ein disk abgebrochen?",  # a word that occurs and is no name
    ],
)
def test_unknown_words_count_where_they_can_be_understood(corpus: Corpus, text: str) -> None:
    """In English they say what is asked for; in any language something must be left that is a name."""
    asked = ask(text, corpus)
    assert not judge(asked.seeds, asked.ranking).relevant


def test_the_words_of_a_question_of_use_do_not_count_against_it(corpus: Corpus) -> None:
    """`calls` asks; that no code says it means nothing."""
    asked = ask("Who calls evict?", corpus)
    assert asked.seeds.masses[corpus.repository].unknown == ()
    assert judge(asked.seeds, asked.ranking).relevant
    nobody = ask("Who calls zzz?", corpus)
    assert not judge(nobody.seeds, nobody.ranking).relevant


@pytest.mark.parametrize("text", ["the", "what is it?", "how do I do this"])
def test_stop_words_alone_find_nothing(corpus: Corpus, text: str) -> None:
    """They stand in all texts; what is found by them is found by chance."""
    asked = ask(text, corpus)
    verdict = judge(asked.seeds, asked.ranking)
    assert not verdict.relevant
    if asked.ranking.chunks:
        assert "none can be searched" in verdict.reasons[0]
