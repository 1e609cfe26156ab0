"""Words that a language model adds to a question, at the wire."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from exegesis.errors import NothingRelevant
from exegesis.model import Answer, Finished, Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from tests.fakes.openai_server import completes, endpoint, never_answers, refuses, says

SOURCES = {
    "Ledger.swift": "/// Moves money.\nfinal class Ledger {\n    func transfer(_ amount: Int) { lock.hold() }\n}\n",
    "Journal.swift": "/// Writes lines.\nfinal class Journal {\n    func record(_ amount: Int) { flush() }\n    func flush() {}\n}\n",
}
ASKED = "I paid twice. Where does a transfer leave a trace?"
WORDS = completes('{"words": ["Journal", "record"]}')
WRITES = says("A transfer leaves a line in the journal [E1].")


@contextmanager
def project(folder: Path, url: str, **settings: object) -> Iterator[tuple[Assembly, str]]:
    source = folder / "ledger"
    source.mkdir(exist_ok=True)
    for name, text in SOURCES.items():
        (source / name).write_text(text)
    known = {"rewrite": True, "rewrite_seconds": 5.0} | settings
    with closing(Assembly(Settings(home=str(folder / "home"), embedder="none", model_url=url, model="m", **known))) as assembly:  # type: ignore[arg-type]
        yield assembly, assembly.indexer.index(str(source), IndexOptions(embed=False), lambda _: None).repository.id


def answer(asked: tuple[Assembly, str], text: str = ASKED, **options: object) -> Answer:
    assembly, repository = asked
    *_, last = assembly.query.explain(Question(text, (repository,), Options(**options)))  # type: ignore[arg-type]
    assert isinstance(last, Finished)
    return last.answer


def test_what_a_model_names_is_found_too(tmp_path: Path) -> None:
    """The journal shares no word with the question; the warning says how it was found, and the cost is in the usage of the answer."""
    with endpoint(WRITES) as model, project(tmp_path, model.url, rewrite=False) as asked:
        plain = answer(asked)
        assert len(model.requests) == 1
    with endpoint(WORDS, WRITES) as model, project(tmp_path, model.url) as asked:
        rewritten = answer(asked)
    assert not any(item.path == "Journal.swift" for item in plain.context.items)
    assert any(item.path == "Journal.swift" for item in rewritten.context.items)
    assert "Also searched for “Journal” and “record”, which the language model named." in rewritten.warnings
    assert rewritten.usage.input_tokens > plain.usage.input_tokens
    assert [stage.name for stage in rewritten.stages][:2] == ["rewriting", "retrieval"]
    assert "rewriting" not in [stage.name for stage in plain.stages]


def test_a_model_sees_how_code_begins_that_declares_nothing(tmp_path: Path) -> None:
    """Much of a script is calls; a path alone names nothing."""
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "routes.js").write_text("// Leaves a trace of a transfer.\nserver.route('/paid', settle)\n")
    with endpoint(WORDS, WRITES) as model, project(tmp_path, model.url) as asked:
        answer(asked)
        assert "routes.js: server.route('/paid', settle)" in model.requests[0]["messages"][1]["content"]


def test_the_same_question_is_rewritten_once(tmp_path: Path) -> None:
    """Until the repository changes; it is found the same way again, without a call."""
    with endpoint(WORDS, WRITES) as model, project(tmp_path, model.url) as asked:
        first, second = answer(asked), answer(asked)
        assert len(model.requests) == 3  # the words, and two answers
    assert [item.path for item in first.context.items] == [item.path for item in second.context.items]


@pytest.mark.parametrize(
    ("script", "seconds", "why"),
    [(refuses(500, "broken"), 30.0, ""), (completes("I would rather not"), 30.0, "named no words"), (never_answers, 0.3, "within 0.3 s")],
)
def test_a_model_in_trouble_costs_a_moment_and_no_answer(tmp_path: Path, script: object, seconds: float, why: str) -> None:
    """The question is searched as it is put, and the answer says so. A busy machine may need longer than a moment to say no."""
    with endpoint(script, WRITES) as model, project(tmp_path, model.url, rewrite_seconds=seconds) as asked:  # type: ignore[arg-type]
        found = answer(asked)
    assert found.context.items
    assert any("searched as it is put" in warning and why in warning for warning in found.warnings)


def test_who_wants_no_model_is_asked_for_nothing(tmp_path: Path) -> None:
    """``--no-model`` means that nothing leaves this machine."""
    with endpoint(WORDS) as model, project(tmp_path, model.url) as asked:
        answer(asked, use_model=False)
        assert model.requests == []


def test_words_of_a_model_answer_no_question_that_is_refused(tmp_path: Path) -> None:
    """Whether anything bears on it is judged by the person's words, so the model is not even asked."""
    with endpoint(WORDS, WRITES) as model, project(tmp_path, model.url) as asked:
        with pytest.raises(NothingRelevant):
            answer(asked, "How are blockchain transactions mined?")
        assert model.requests == []
