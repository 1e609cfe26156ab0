from __future__ import annotations

import dataclasses
import itertools

from exegesis.model import EdgeKind, Place, ScorePart, Span, Symbol, SymbolKind
from services.query.flow import Flow, Standing, Verb, read_flow, standing
from tests.fakes.evidence import context, flow_of, identifier, item, symbols_of


def names(steps: object) -> list[str]:
    return [step.item.symbol for step in steps]  # type: ignore[attr-defined]


def test_steps_follow_the_call_sites() -> None:
    """Callees come in the order of the lines that call them, and what they call comes before the next one."""
    items = [item(1, "save", start=50), item(2, "start", start=1), item(3, "load", start=60), item(4, "parse", start=70)]
    flow = flow_of(context(items, [("start", "save", 9), ("start", "load", 4), ("load", "parse", 61)]))
    assert names(flow.in_order()) == ["start", "load", "parse", "save"]
    assert [step.depth for step in flow.in_order()] == [0, 1, 2, 1]


def test_every_item_is_told_once() -> None:
    """Recursion and shared callees do not repeat a step."""
    items = [item(1, "a"), item(2, "b", start=10), item(3, "c", start=20)]
    flow = flow_of(context(items, [("a", "b", 2), ("b", "a", 11), ("a", "c", 3), ("b", "c", 12), ("c", "c", 21)]))
    assert sorted(names(flow.in_order())) == ["a", "b", "c"]


def test_a_cycle_without_a_way_in_still_has_a_start() -> None:
    """Two functions that call each other are a story that begins somewhere."""
    flow = flow_of(context([item(1, "ping"), item(2, "pong", start=10)], [("ping", "pong", 2), ("pong", "ping", 11)]))
    assert names(flow.in_order()) == ["ping", "pong"]


def test_stories_begin_where_most_that_matters_follows() -> None:
    """A caller that reaches the best evidence comes before one that reaches little."""
    items = [
        item(1, "aside", path="A.swift", score=0.1),
        item(2, "trifle", path="A.swift", start=10, score=0.1),
        item(3, "main", path="Z.swift", score=0.2),
        item(4, "core", path="Z.swift", start=10, score=0.9),
    ]
    flow = flow_of(context(items, [("aside", "trifle", 2), ("main", "core", 2)]))
    assert names(flow.starts) == ["main", "aside"]


def test_starts_of_one_file_keep_the_order_of_the_text() -> None:
    """Life cycles are written in the order in which they are called."""
    items = [item(1, "appear", start=20, score=0.9), item(2, "load", start=1, score=0.1), item(3, "end", start=40)]
    flow = flow_of(context(items, [("load", "end", 2), ("appear", "end", 21)]))
    assert names(flow.starts) == ["load", "appear"]


def test_types_and_mentions_are_no_events() -> None:
    """Naming a type in a signature makes nothing happen."""
    items = [item(1, "f"), item(2, "T", kind="struct", start=10)]
    flow = flow_of(context(items, [("f", "T", 1, EdgeKind.TYPE, 0.95)]))
    assert flow.calls == ()
    assert [found.symbol for found in flow.apart] == ["f", "T"]


def test_reading_a_stored_property_is_no_event() -> None:
    """Only computed properties run."""
    flow = flow_of(context([item(1, "f"), item(2, "limit", kind="property", start=10)], [("f", "limit", 1, EdgeKind.ACCESS, 0.95)]))
    assert flow.calls == ()


def test_an_implementation_that_may_run_is_not_certain() -> None:
    """Which implementation of a requirement runs is known at run time only."""
    items = [item(1, "P.go"), item(2, "A.go", start=10), item(3, "f", start=20)]
    flow = flow_of(context(items, [("P.go", "A.go", 1, EdgeKind.WITNESS, 0.95), ("f", "P.go", 21, EdgeKind.CALL, 0.4)]))
    assert [call.certain for call in flow.calls] == [False, False]


def test_what_overrides_may_run_for_what_it_overrides() -> None:
    """The edge leads from the override to the overridden member, events the other way."""
    items = [item(1, "Sub.go", start=20), item(2, "Base.go", start=1), item(3, "f", start=40)]
    flow = flow_of(context(items, [("Sub.go", "Base.go", 20, EdgeKind.OVERRIDE, 0.95), ("f", "Base.go", 41)]))
    assert names(flow.in_order()) == ["f", "Base.go", "Sub.go"]


def test_an_edge_to_something_unknown_is_left_out() -> None:
    """A context whose flow names symbols that nobody knows tells what it can."""
    flow = flow_of(context([item(1, "f")], [("f", "gone", 2)]))
    assert flow.calls == ()


def test_tests_stand_aside() -> None:
    """Their calls make nobody a callee, and their own stories come last."""
    test = dataclasses.replace(item(1, "testAll", path="Tests.swift"), parts=(ScorePart("test", -0.5),))
    items = [test, item(2, "a", start=10, score=0.1), item(3, "b", start=20, score=0.1)]
    flow = flow_of(context(items, [("testAll", "a", 2), ("testAll", "b", 3), ("a", "b", 11)]))
    assert names(flow.starts) == ["a", "testAll"]
    assert names(flow.in_order()) == ["a", "b", "testAll"]


def test_the_main_stories_are_those_that_the_question_leads_to() -> None:
    """A story of weak neighbours is left out where others are there, and told where it is all there is."""
    weak = [item(number, name, start=number * 10, place=Place.RELATED, score=0.2) for number, name in ((3, "c"), (4, "d"))]
    strong = [item(number, name, start=number * 10, place=Place.RELATED, score=0.9) for number, name in ((5, "e"), (6, "f"))]
    calls = [("a", "b", 2), ("c", "d", 31), ("e", "f", 51)]
    flow = flow_of(context([item(1, "a"), item(2, "b", start=20), *weak, *strong], calls))
    assert names(flow.main_starts()) == ["a", "e"]
    assert names(flow_of(context(weak, calls[1:2])).main_starts()) == ["c"]


def test_only_what_implements_the_called_requirement_follows() -> None:
    """A protocol shows all of its requirements; calling one does not run what implements another, not even when it was told before."""
    protocol = item(1, "P", "protocol P {\n    func go()\n    func stop()\n}\n", kind="protocol", start=1)
    items = [protocol, item(2, "A.go", start=20), item(3, "A.stop", start=30), item(4, "f", start=40), item(5, "g", start=50)]
    go, stop = (
        Symbol(identifier(name), name[-2:], name, SymbolKind.METHOD, protocol.path, Span(line, line), line, 10)
        for name, line in (("P.go", 2), ("P.stop", 3))
    )
    found = context(
        items,
        [("P.go", "A.go", 2, EdgeKind.WITNESS, 0.9), ("P.stop", "A.stop", 3, EdgeKind.WITNESS, 0.9), ("f", "P.stop", 41), ("g", "P.go", 51)],
    )
    flow = read_flow(found, {**symbols_of(items), go.id: go, stop.id: stop})
    assert [(step.item.symbol, step.depth) for step in flow.in_order()] == [("f", 0), ("P", 1), ("A.stop", 2), ("g", 0), ("A.go", 1)]


def test_what_a_demonstration_is() -> None:
    """Told by the folder, in the ways in which people name them."""
    for path in ("Examples/A.swift", "Sources/oauth-demo/A.swift", "RxExample/A.swift", "iOS Example/Source/A.swift", "docs/tutorial/a.py"):
        assert standing(item(1, "f", path=path)) is Standing.DEMONSTRATION
    for path in ("Sources/Demographics/A.swift", "Sources/Sampler/A.swift", "Sources/Example.swift", "Resampled/A.swift"):
        assert standing(item(1, "f", path=path)) is Standing.SUBJECT


def test_a_chain_of_any_length_is_told() -> None:
    """What is too far from its start begins a story of its own; nothing is lost, and nothing is as deep as the interpreter's stack."""
    items = [item(number, f"f{number}", start=number) for number in range(1, 1_100)]
    flow = flow_of(context(items, [(one.symbol, following.symbol, one.start) for one, following in itertools.pairwise(items)]))
    assert sorted(names(flow.in_order())) == sorted(one.symbol for one in items)


def _with_references(*calls: tuple[str, str, int, EdgeKind, float]) -> Flow:
    """``check`` lists ``answer``; ``serve`` calls ``answer``."""
    items = [item(number, name, start=10 * number) for number, name in enumerate(("check()", "serve()", "answer()", "log()"), start=1)]
    return flow_of(context(items, calls))


def test_who_only_refers_to_functions_begins_nothing() -> None:
    """A tuple of functions calls none of them: what calls one begins the story, and the tuple takes no part in it."""
    flow = _with_references(
        ("check()", "answer()", 11, EdgeKind.ACCESS, 0.95),
        ("check()", "log()", 12, EdgeKind.ACCESS, 0.95),
        ("serve()", "answer()", 21, EdgeKind.CALL, 0.95),
    )
    assert [start.item.symbol for start in flow.starts] == ["serve()"]
    assert "check()" in {apart.symbol for apart in flow.apart}
    assert [(call.source.symbol, call.verb) for call in flow.calls_to(flow.starts[0].steps[0].item)] == [
        ("check()", Verb.REFERS),
        ("serve()", Verb.CALLS),
    ]


def test_what_is_handed_on_joins_the_story_of_who_hands_it_on() -> None:
    """A callback that nothing calls by its name is told where it is handed on."""
    flow = _with_references(("serve()", "answer()", 21, EdgeKind.CALL, 0.95), ("serve()", "log()", 22, EdgeKind.ACCESS, 0.95))
    assert [step.item.symbol for step in flow.in_order()] == ["serve()", "answer()", "log()"]
