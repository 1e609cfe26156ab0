from __future__ import annotations

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import EdgeKind
from services.query.telling.diagram import MOST_STEPS, draw_flow, escape_label
from tests.fakes.evidence import context, flow_of, item

CALLER = item(1, "App.start()", path="Sources/App.swift", start=1)
CALLEE = item(2, "Session.open()", path="Sources/Session.swift", start=1)


def test_calls_between_types_are_a_sequence_diagram() -> None:
    """Each arrow is an edge, and names its call site twice: whole in a comment, short in the label."""
    drawn = draw_flow(flow_of(context([CALLER, CALLEE], [("App.start()", "Session.open()", 2)])))
    assert drawn == (
        "sequenceDiagram\n"
        "    participant P1 as App\n"
        "    participant P2 as Session\n"
        "    %% Sources/App.swift:2\n"
        "    P1->>P2: open#40;#41; App.swift:2\n"
    )


def test_calls_within_one_type_are_a_flowchart() -> None:
    """A sequence of one participant says nothing."""
    drawn = draw_flow(flow_of(context([CALLER, item(2, "App.stop()", start=9)], [("App.start()", "App.stop()", 2)])))
    assert drawn.startswith("flowchart TD\n")
    assert '    E1 -->|"App.swift:2"| E2\n' in drawn


def test_possible_calls_are_dashed() -> None:
    """A reader sees which arrows are certain."""
    drawn = draw_flow(flow_of(context([CALLER, CALLEE], [("App.start()", "Session.open()", 2, EdgeKind.WITNESS, 0.9)])))
    assert "P1-->>P2" in drawn


def test_nothing_to_draw() -> None:
    """Without events there is no diagram."""
    assert draw_flow(flow_of(context([CALLER, CALLEE]))) == ""


def test_a_diagram_shows_the_steps_that_matter_most() -> None:
    """A chain of ninety calls is no diagram; what is left hangs together."""
    items = [item(number, f"T{number % 3}.f{number}()", start=number * 10) for number in range(1, 90)]
    drawn = draw_flow(flow_of(context(items, [(a.symbol, b.symbol, a.start) for a, b in itertools.pairwise(items)])))
    assert re.findall(r"->>P\d: f(\d+)", drawn) == [str(number) for number in range(2, MOST_STEPS + 1)]


def test_two_calls_between_the_same_steps_are_one_arrow() -> None:
    """The first call site stands for both."""
    drawn = draw_flow(flow_of(context([CALLER, CALLEE], [("App.start()", "Session.open()", 3), ("App.start()", "Session.open()", 2)])))
    assert re.findall(r"%% (.+)", drawn) == ["Sources/App.swift:2"]


@given(st.text(min_size=1, max_size=60), st.text(min_size=1, max_size=60))
def test_hostile_names_cannot_leave_their_label(symbol: str, path: str) -> None:
    """Names and paths may hold anything: the diagram keeps its lines and its arrow."""
    hostile = item(2, symbol, path=path, start=1)
    drawn = draw_flow(flow_of(context([CALLER, hostile], [("App.start()", symbol, 2)])))
    body = drawn.splitlines()[1:]
    assert all(re.fullmatch(r"    (?:participant P\d as .*|%% .*|P\d-?->>P\d: .*|E\d\[\".*\"\]|E\d -->\|\".*\"\| E\d)", line) for line in body)
    assert not re.search(
        r"[<>{}\"|]|\bend\b", "".join(re.sub(r"^    (?:P\d-?->>P\d: |E\d -->\|\"|E\d\[\")|\"(?:\]|\| E\d)$", "", line) for line in body)
    )


def test_the_word_that_ends_a_block_is_escaped() -> None:
    """``end`` alone would close a Mermaid block."""
    assert "end" not in escape_label("end").lower()


def test_references_to_functions_are_dashed() -> None:
    """What is handed on as a function is not called there."""
    items = [item(1, "Desk.open()", start=10), item(2, "Bell.ring()", start=20), item(3, "Door.shut()", start=30)]
    found = context(items, [("Desk.open()", "Bell.ring()", 12), ("Desk.open()", "Door.shut()", 13, EdgeKind.ACCESS, 0.95)])
    text = draw_flow(flow_of(found))
    assert "->>P2: ring#40;#41; App.swift:12" in text
    assert "-->>P3: refers to shut App.swift:13" in text
