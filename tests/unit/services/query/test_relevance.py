from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.model import FileRole, Options
from services.query.corpus import Corpus
from services.query.relevance import Grade, Signs, decide, is_told, judge
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

BAD = Signs(known=0.2, matched=0.05, path=0.0)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    files = {
        "Sources/RetryPolicy.swift": [Piece("shouldRetry", "limit > count", doc="Whether a failed request is tried again.")],
        "Sources/Session.swift": [Piece("resume", "task.resume()"), Piece("cancel", "task.cancel()")],
        "Sources/Cache.swift": [Piece("store", "disk.write()"), Piece("evict", "disk.delete()")],
    }
    return small_repository(tmp_path_factory.mktemp("relevance"), files)


@pytest.mark.parametrize("text", ["how does retrying work?", "RetryPolicy", "is a failed request tried again above the limit?", "cancel a task"])
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


@pytest.mark.parametrize(
    ("good", "grade"),
    [
        (Signs(0.2, 0.05, 0.0, defined=True), Grade.ANSWER),
        (Signs(0.2, 0.05, 0.0, is_overview=True), Grade.ANSWER),
        (Signs(1.0, 0.05, 0.0, whole=True), Grade.ANSWER),
        (Signs(0.2, 0.05, 0.0, is_translated=True), Grade.ANSWER),
        (Signs(0.8, 0.5, 0.3, together=0.8, named=2), Grade.ANSWER),
        (Signs(0.8, 0.35, 0.25, together=0.6, named=1), Grade.DOUBT),
        (Signs(0.4, 0.05, 0.0, is_topic=True), Grade.DOUBT),
        (Signs(0.2, 0.05, 0.0, together=0.2, nearness=1.3), Grade.DOUBT),
        (Signs(0.2, 0.05, 0.0, is_told=True), Grade.DOUBT),
        (Signs(0.2, 0.05, 0.0, is_general=True), Grade.DOUBT),
    ],
)
def test_each_good_sign_decides(good: Signs, grade: Grade) -> None:
    """What is borne out is answered; what merely cannot be told is answered with a warning."""
    assert decide(BAD).grade is Grade.REFUSE
    assert decide(good).grade is grade


def test_meaning_decides_where_words_are_near_the_line() -> None:
    """The same words are doubted with a piece that resembles the question, and refused without one; resemblance alone is never an answer."""
    faint = Signs(0.8, 0.3, 0.0, together=0.6, named=1)
    assert decide(faint).grade is Grade.REFUSE
    assert decide(replace(faint, nearness=0.9)).grade is Grade.DOUBT
    assert decide(replace(faint, nearness=0.4)).grade is Grade.REFUSE


def test_words_that_nothing_resembles_are_no_answer() -> None:
    """All of its few words stand in one file, in another sense: what is stored ahead of time tells so."""
    chance = Signs(1.0, 0.4, 0.0, together=1.0, named=1)
    assert decide(chance).grade is Grade.ANSWER
    refused = decide(replace(chance, nearness=0.2))
    assert refused.grade is Grade.REFUSE
    assert refused.reasons[0] == "nothing in the code resembles it"


def test_resemblance_alone_answers_nothing() -> None:
    """A model whose cosines are beyond its scale could else answer every question."""
    assert decide(Signs(0.0, 0.0, 0.0, nearness=9.0)).grade is Grade.REFUSE


def test_what_words_settle_is_not_asked_of_meaning() -> None:
    """A question that the code answers in its own words stays answered however its vectors lie."""
    settled = Signs(1.0, 0.6, 0.5, together=1.0, named=2)
    assert decide(replace(settled, nearness=0.0)).grade is Grade.ANSWER
    assert not decide(settled).is_open


@pytest.mark.parametrize(
    ("signs", "is_open"),
    [
        (BAD, True),
        (Signs(1.0, 0.4, 0.0, together=1.0, named=1), True),  # answered by a few common words
        (Signs(1.0, 0.4, 0.0, together=1.0, named=1, is_topic=True), False),  # never refused, whatever it resembles
        (replace(BAD, defined=True), False),
        (replace(BAD, is_told=True), False),
        (replace(BAD, nearness=0.5), False),  # meaning was asked
    ],
)
def test_meaning_is_asked_where_it_can_say_otherwise(signs: Signs, *, is_open: bool) -> None:
    """To embed sixteen pieces takes longer than all the rest, so nothing is embedded for a verdict that stands."""
    assert decide(signs).is_open is is_open


def test_unknown_proper_names_outweigh_the_tellers_words() -> None:
    """Who tells what he sees is not refused for his words, but for a product that never occurs."""
    told = replace(BAD, is_told=True)
    assert decide(told).relevant
    assert not decide(replace(told, foreign=True)).relevant


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My upload stops. Where does that come from?", True),
        ("Why does somebody else see my basket?", True),
        ("What happens when somebody opens a link?", False),
        ("Where does the code that should run when the server boots or goes down get called from, and what if it fails?", True),
        ("How do I close a session?", False),
        ("Show me how sessions are closed.", False),
        ("How is version 2.1 parsed?", False),
    ],
)
def test_who_tells_what_he_sees_is_heard(text: str, *, told: bool) -> None:
    """Ways to ask that speak of the asker are no tales."""
    assert is_told(text) is told


def test_reasons_begin_with_what_is_missed_most() -> None:
    """A question whose words match no path, but otherwise well, is said to lack a path."""
    doubtful = decide(Signs(0.9, 0.4, 0.0, together=0.5, named=2))
    assert doubtful.grade is Grade.DOUBT
    assert "no file is named" in doubtful.reasons[0]
    assert decide(Signs(0.9, 0.5, 0.5, together=1.0, named=2)).reasons == ()


@pytest.mark.parametrize(
    "text",
    [
        "Who calls the retryPolicy in a mill of windows?",
        "who calls retryPolicy of a mill",
        "How does the retry policy decide on server failures of a mill?",
    ],
)
def test_a_name_said_in_words_is_a_definition(tmp_path: Path, text: str) -> None:
    """The people who ask know what it is called, not how that is spelled; in a test the same name is what somebody made up."""
    policy = [Piece("RetryPolicy", "limit()")]
    others = {f"Filler{number}.swift": [Piece(f"filler{number}", "pass()")] for number in range(20)}
    own = ask(text, small_repository(tmp_path / "own", {"Sources/A.swift": policy, **others}))
    assert judge(own.seeds, own.ranking).rule == "definition"


def test_a_name_in_a_test_is_no_definition_of_what_is_said_in_words(tmp_path: Path) -> None:
    """There it is what somebody made up for an example."""
    files = {"Tests/A.swift": [Piece("CircuitBreaker", "open()")], "Sources/B.swift": [Piece("resume", "task.resume()")]}
    corpus = small_repository(tmp_path, files, {"Tests/A.swift": FileRole.TEST})
    asked = ask("How does the circuit breaker open after repeated failures?", corpus)
    assert judge(asked.seeds, asked.ranking).grade is Grade.REFUSE


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
