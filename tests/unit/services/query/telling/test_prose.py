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
