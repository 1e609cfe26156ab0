"""What the pipeline of a question reads of vectors, and for which part of an answer."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from exegesis.errors import NothingRelevant
from exegesis.model import Event, Options, Question
from services.query.corpus import Corpus
from services.query.pipeline import Composed, compose_context, search
from services.query.rewriting import Rewriting
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder

FILES = {
    "Sources/Session.swift": [Piece("refreshToken", "renew(token)", doc="Refreshes the token of a session.")],
    "Sources/Store.swift": [Piece("storeToken", "keychain.write(token)", doc="Writes the token of a session.")],
}
QUESTION = Question("How is the token of a session refreshed?", ("repo",))
TOPIC = Question("refreshing the token of a session", ("repo",))
T = TypeVar("T")


def drain(stages: Generator[Event, None, T]) -> T:
    while True:
        try:
            next(stages)
        except StopIteration as end:
            value: T = end.value
            return value


def composed(corpus: Corpus, question: Question = QUESTION, *, listed: bool = False) -> Composed:
    return drain(compose_context(question, [corpus], {}, listed=listed))


def test_a_context_is_composed_without_late_vectors(tmp_path: Path) -> None:
    """Where words bear a question out, explaining it embeds nothing."""
    embedder = WordEmbedder()
    assert composed(small_repository(tmp_path, FILES, embedder=embedder)).context.items
    assert not embedder.embedded


def test_a_list_beside_a_context_is_the_one_that_a_search_gives(tmp_path: Path) -> None:
    """With late vectors, which leave the context as it is without the list."""
    embedder = WordEmbedder()
    corpus = small_repository(tmp_path, FILES, embedder=embedder)
    both = composed(corpus, TOPIC, listed=True)
    assert embedder.embedded
    assert both.results == drain(search(TOPIC, [corpus], {})).listed.results
    assert both.context == composed(corpus, TOPIC).context


def test_words_that_are_lent_find_what_is_listed_beside_a_context(tmp_path: Path) -> None:
    """Where no vectors are stored; with these a list is made of the words of the question itself."""
    corpus = small_repository(tmp_path, FILES | {"Sources/Vault.swift": [Piece("credential", "keep()", doc="The credential.")]})
    lent = drain(compose_context(QUESTION, [corpus], {}, Rewriting(("credential",)), listed=True))
    assert "Sources/Vault.swift" in {result.path for result in lent.results}
    assert "Sources/Vault.swift" not in {result.path for result in composed(corpus, listed=True).results}


def test_a_list_that_vectors_alone_found_has_each_of_them_once(tmp_path: Path) -> None:
    """What stands for the words there is not counted again as the nearness of its file."""
    embedder = WordEmbedder(synonyms={"bluetooth": "token", "printer": "session"})
    corpus = small_repository(tmp_path, FILES, embedder=embedder, vectors=True)
    files = drain(search(Question("bluetooth printer", ("repo",)), [corpus], {})).listed.files
    assert files
    assert not [part for file in files for part in file.parts if part.name == "near"]


def test_a_question_in_a_sentence_is_listed_by_words_and_calls(tmp_path: Path) -> None:
    """What is found for it is compared with nothing: it says by itself what is meant."""
    embedder = WordEmbedder()
    assert drain(search(QUESTION, [small_repository(tmp_path, FILES, embedder=embedder)], {})).listed.results
    assert not embedder.embedded


def test_what_words_would_refuse_is_compared_first(tmp_path: Path) -> None:
    """A question that nothing bears out is refused only after its best candidates were compared with it."""
    embedder = WordEmbedder()
    fruit = "apple banana cherry damson elder fig grape hazel ivy juniper kiwi lemon mango nectar olive peach quince raisin sloe"
    corpus = small_repository(tmp_path, {"Sources/Orchard.swift": [Piece("pick", f"{fruit} token")]}, embedder=embedder)
    with pytest.raises(NothingRelevant):
        composed(corpus, Question("Where does the bluetooth printer pair with a token?", ("repo",)))
    assert embedder.embedded


def test_what_is_similar_in_meaning_is_not_refused(tmp_path: Path) -> None:
    """The words differ and the similarity is high: the answer comes with a warning."""
    embedder = WordEmbedder(synonyms=dict.fromkeys(("bluetooth", "printer", "pair", "with"), "token") | {"where": "session", "does": "session"})
    others = {f"Sources/Other{number}.swift": [Piece(f"other{number}", "pass()")] for number in range(8)}
    corpus = small_repository(tmp_path, FILES | others, embedder=embedder)
    question = Question("Where does the bluetooth printer pair with a token?", ("repo",))
    with pytest.raises(NothingRelevant):
        composed(corpus, replace(question, options=Options(dense=False)))
    answer = composed(corpus, question)
    assert answer.context.items
    assert answer.warnings


def test_what_is_compared_comes_first_and_whole(tmp_path: Path) -> None:
    """In the order of the question, whatever its words find besides; a name that nothing bears compares nothing."""
    long = "\n".join(f"step({number})" for number in range(80))
    files = {
        "Sources/Gate.swift": [Piece("openGate", long, doc="Opens."), Piece("closeGate", "lower()", doc="Closes.")],
        "Sources/Notes.swift": [Piece("differenceBetweenGates", "openGate closeGate difference", doc="The difference between open and close gates.")],
    }
    corpus = small_repository(tmp_path, files)
    context = composed(corpus, Question("What is the difference between closeGate and openGate?", ("repo",))).context
    assert [item.symbol for item in context.items[:2]] == ["closeGate", "openGate"]
    assert "step(79)" in context.items[1].text
    assert len(context.items[1].runs) == 1
    other = composed(corpus, Question("What is the difference between openGate and slamGate?", ("repo",))).context
    assert "step(79)" not in next(item.text for item in other.items if item.symbol == "openGate")
