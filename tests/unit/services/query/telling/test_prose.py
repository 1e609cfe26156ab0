from __future__ import annotations

from dataclasses import replace

from services.query.telling.diagram import draw_flow
from services.query.telling.extractive import Form, explain_from_evidence, story_of
from services.query.telling.outline import outline_from_flow
from services.query.telling.prose import MOST_OF_ONE_FILE, best_documents, is_prose
from services.query.telling.sentences import tell_document
from tests.fakes.evidence import context, flow_of, item

SECTION = replace(item(9, "Setup", path="docs/guide.md"), kind="section")


def test_sections_and_documents_are_prose() -> None:
    """By kind or by name of the file."""
    assert is_prose(SECTION)
    assert is_prose(item(1, "", path="README.rst"))
    assert not is_prose(item(1, "open()", path="Sources/Session.swift"))


def test_few_sections_of_one_document_and_no_chronicle_are_named() -> None:
    """A change log names everything and explains nothing."""
    sections = [replace(SECTION, id=f"E{number}", score=1 - number / 10) for number in range(4)]
    chosen = list(best_documents([*sections, replace(SECTION, id="E8", path="CHANGELOG.md", score=9.0)]))
    assert [found.id for found in chosen] == [found.id for found in sections[:MOST_OF_ONE_FILE]]


def test_one_story_serves_explanation_outline_and_diagram() -> None:
    """Each says with it what it says when it reads the story itself."""
    items = [item(1, "App.start()", path="App.swift"), item(2, "Session.open()", path="Session.swift"), SECTION]
    flow = flow_of(context(items, [("App.start()", "Session.open()", 2)]))
    story = story_of(flow, items)
    assert outline_from_flow(flow, story) == outline_from_flow(flow) != ()
    assert draw_flow(flow, story) == draw_flow(flow) != ""
    assert explain_from_evidence("how?", flow, items, Form.FLOW, story) == explain_from_evidence("how?", flow, items)


def test_a_document_is_quoted_from_its_first_paragraph() -> None:
    """Titles, rules, fields and directives are left out; a line may begin with a role."""
    text = ":orphan:\n\nSetup\n=====\n\n.. _setup:\n\n:class:`Flask` is configured before\n:meth:`~Flask.run` is called.\n"
    found = item(9, "Setup", text, path="docs/setup.rst", kind="section")
    assert tell_document(found) == "Setup: “`Flask` is configured before `Flask.run` is called” [E9]."


def test_legal_documents_are_not_named() -> None:
    """Who may copy it explains nothing."""
    legal = [
        item(number, "Notices", "Some text.\n", kind="heading", path=path)
        for number, path in enumerate(("NOTICES.txt", "LICENSE.md", "doc/COPYING"), 1)
    ]
    assert [found.path for found in best_documents([*legal, item(9, "Guide", "Some text.\n", kind="heading", path="guide.md")])] == ["guide.md"]


def _document(text: str, symbol: str = "Guide") -> str:
    return tell_document(item(1, symbol, text, kind="heading", path="guide.md"))


def test_settings_rulers_and_code_of_a_document_are_not_quoted() -> None:
    """The first sentence is one that somebody wrote to be read; where there is none, the title stands alone."""
    for before in (
        "---\nid: combine\ntitle: Combine\nhide_title: true\n---\n\n",
        "id: combine\ntitle: Combine\n\n",
        "Guide\n+++++\n\n",
        "```js\nimport React from 'react' and more\n```\n\n",
        "Donate: [here](https://pay.example/now) or wherever you like to\n\n",
    ):
        assert _document(f"{before}It joins many reducers into one.\n") == "Guide: “It joins many reducers into one” [E1]."
        assert _document(before) == "Guide [E1]."


def test_titles_show_no_html() -> None:
    """An image before a name is none of it."""
    assert _document("It joins many reducers.\n", '<img src="logo.png" width="1">Redux').startswith("Redux: ")
