from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from exegesis.model import OutlineNode, Place
from services.query.telling.outline import MOST_NODES, MOST_TOP_NODES, Outline, outline_from_flow, outline_schema, read_outline, write_outline
from tests.fakes.evidence import context, flow_of, item
from tests.fakes.scripted_model import ScriptedModel

START = item(1, "App.start()", "func start(with: Settings) {\n    open()\n    close()\n}\n", doc="Starts the app.")
OPEN = item(2, "App.open()", start=10)
CLOSE = item(3, "App.close()", start=20)
SETTINGS = item(4, "Settings", kind="struct", path="Sources/Settings.swift", doc="Settings of the app.")
FOUND = context([START, OPEN, CLOSE, SETTINGS], [("App.start()", "App.open()", 2), ("App.start()", "App.close()", 3)])


def shape(nodes: Iterable[OutlineNode]) -> list[Any]:
    return [(node.id, node.symbol, shape(node.children)) for node in nodes]


def ask(*scripts: str) -> tuple[Outline, ScriptedModel]:
    model = ScriptedModel(*scripts)
    return write_outline("How does it start?", FOUND, flow_of(FOUND), model, fence="f00", max_tokens=100), model


def node(path: str = "Sources/App.swift", start: int = 1, end: int = 4, **more: Any) -> dict[str, Any]:
    return {"id": "S9", "title": "t", "path": path, "start": start, "end": end, "symbol": "App.start()", "summary": "", "children": []} | more


def written(*nodes: dict[str, Any]) -> str:
    return json.dumps({"question": "q", "nodes": nodes})


def test_the_flow_as_a_tree_of_numbered_places() -> None:
    """Callees are children in the order of their calls; types that take part in no call come last."""
    nodes = outline_from_flow(flow_of(FOUND))
    assert shape(nodes) == [("S1", "App.start()", [("S1.1", "App.open()", []), ("S1.2", "App.close()", [])]), ("S2", "Settings", [])]
    assert (nodes[0].title, nodes[0].path, nodes[0].start, nodes[0].end) == ("Starts the app", "Sources/App.swift", 1, 4)


def test_an_outline_is_valid_under_its_own_schema() -> None:
    """What scripts receive is what the schema promises."""
    nodes = outline_from_flow(flow_of(FOUND))
    Draft202012Validator.check_schema(outline_schema())
    Draft202012Validator(outline_schema()).validate(json.loads(json.dumps({"question": "q", "nodes": [asdict(found) for found in nodes]})))


def test_an_outline_has_bounds() -> None:
    """However much is connected, it stays an outline."""
    items = [item(number, f"f{number}()", start=number * 10) for number in range(1, 200)]
    roots = [(items[0].symbol, one.symbol, 1) for one in items[1:150]]
    nodes = outline_from_flow(flow_of(context(items, roots)))

    def all_of(some: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
        for found in some:
            yield found
            yield from all_of(found.children)

    assert len(nodes) <= MOST_TOP_NODES
    assert len(list(all_of(nodes))) <= MOST_NODES


def test_documents_and_callers_are_no_steps_of_their_own() -> None:
    """Prose is no event, and what merely surrounds the anchors is left out where it takes part in nothing."""
    around = context([item(1, "Guide", kind="heading", path="README.md"), item(2, "x", kind="property", place=Place.NEIGHBOR)])
    assert outline_from_flow(flow_of(around)) == ()


def test_the_model_s_outline_is_used_when_its_places_exist() -> None:
    """Ids are ours; titles are the model's."""
    outline, model = ask(written(node(title="It starts", children=[node(start=10, end=11, symbol="App.open()")])))
    assert shape(outline.nodes) == [("S1", "App.start()", [("S1.1", "App.open()", [])])]
    assert (outline.nodes[0].title, outline.model, len(model.asked)) == ("It starts", "scripted-1", 1)


def test_json_may_be_wrapped_in_words() -> None:
    """Models like to introduce what they say."""
    outline, _ = ask(f"Here it is:\n```json\n{written(node())}\n```")
    assert outline.model == "scripted-1"


@pytest.mark.parametrize(
    "place", [{"path": "Sources/Nowhere.swift"}, {"start": 400, "end": 410}, {"start": 4, "end": 1}], ids=["file", "lines", "backwards"]
)
def test_a_node_without_a_place_is_dropped_and_its_children_stay(place: dict[str, Any]) -> None:
    """What the model invented goes; what it found under it does not."""
    nodes, problem = read_outline(written(node(children=[node(start=20, end=21, symbol="App.close()")], **place)), FOUND)
    assert (shape(nodes), problem) == ([("S1", "App.close()", [])], "")


def test_lines_are_cut_to_the_evidence() -> None:
    """A node never claims more than was shown."""
    nodes, _ = read_outline(written(node(start=3, end=9)), FOUND)
    assert (nodes[0].start, nodes[0].end) == (3, 4)


def test_one_repair_attempt() -> None:
    """The model sees its own text and what is wrong with it."""
    outline, model = ask('{"question": "q", "nodes": [{"id": "S1"}]}', written(node()))
    assert outline.model == "scripted-1"
    assert "That is not valid" in model.asked[1][-1].content
    assert '{"id": "S1"}' in model.asked[1][-2].content


@pytest.mark.parametrize(
    "script", ["no json", "[1, 2]", "{" * 5000, "<fails>", '{"question": "q", "nodes": []}'], ids=["prose", "array", "deep", "broken", "empty"]
)
def test_after_that_the_calls_tell_it(script: str) -> None:
    """Whatever a model does, there is an outline, and it says where it comes from."""
    outline, model = ask(script)
    assert shape(outline.nodes) == shape(outline_from_flow(flow_of(FOUND)))
    assert outline.model == ""
    assert len(outline.warnings) == 1
    assert len(model.asked) <= 2


def test_titles_carry_no_markup() -> None:
    """A title is shown in terminals and chats."""
    nodes, _ = read_outline(written(node(title="See ![x](https://evil.example/x) <b>now</b>")), FOUND)
    assert nodes[0].title == "See now"


def test_nodes_that_are_called_alike_say_where_they_belong() -> None:
    """Wrappers bear the words of what they wrap."""
    items = [item(1, "View.handleCallback()"), item(2, "Client.handleCallback()", start=10), item(3, "Client.decode()", start=20)]
    calls = [("View.handleCallback()", "Client.handleCallback()", 2), ("Client.handleCallback()", "Client.decode()", 11)]
    titles = [node.title for node in nodes_of(outline_from_flow(flow_of(context(items, calls))))]
    assert titles[:2] == ["Handles the callback (View)", "Handles the callback (Client)"]


def test_types_that_take_part_end_with_the_settings() -> None:
    """Whatever their scores."""
    items = [*FOUND.items, item(5, "Window", kind="struct", doc="What is opened.", score=0.5)]
    start = item(1, "App.start()", "func start(with: Settings) {\n    open(Window())\n    close()\n}\n", doc="Starts the app.")
    found = outline_from_flow(flow_of(context([start, *items[1:]], [("App.start()", "App.open()", 2), ("App.start()", "App.close()", 3)])))
    assert [node.symbol for node in found][-2:] == ["Window", "Settings"]


def nodes_of(nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    for one in nodes:
        yield one
        yield from nodes_of(one.children)


def test_the_outline_begins_where_the_explanation_does() -> None:
    """With the program that the question names, and not with who calls it."""
    menu = item(1, "menu", path="menu.rpgle", kind="procedure", place=Place.CALLER)
    pay = item(2, "pay", path="pay.rpgle", kind="procedure")
    post = item(3, "post", path="pay.rpgle", start=10, kind="procedure")
    found = context([menu, pay, post], [("menu", "pay", 1), ("pay", "post", 2)])
    told = write_outline("What does program pay do?", found, flow_of(found), None, fence="f00", max_tokens=100)
    assert [node.symbol for node in told.nodes] == ["pay"]
