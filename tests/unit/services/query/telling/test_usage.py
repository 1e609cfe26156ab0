from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import EdgeKind, Modifier, Place, ScorePart
from services.query.flow import Flow, read_flow
from services.query.telling.usage import LONGEST_SITE, Kind, is_answered, read_usage, site_text
from tests.fakes.evidence import context, identifier, item, symbols_of

OPEN = item(1, "Gate.open(for:)", "func open(for who: Guest) {\n}\n", path="Gate.swift", start=10)
ENTER = item(2, "Guest.enter()", "func enter() {\n    gate.open(for: self)\n    gate.open(for: friend)\n}\n", path="Guest.swift", place=Place.CALLER)
LEGACY = item(3, "Old.enter()", "func enter() {\n    gate.open(for: nobody)\n}\n", path="Old.swift", place=Place.CALLER)
DEMO = item(4, "Demo.run()", "func run() {\n    Gate().open(for: x)\n}\n", path="Examples/Demo.swift", place=Place.CALLER)
TEST = dataclasses.replace(
    item(5, "GateTests.testOpen()", "func testOpen() {\n    gate.open(for: y)\n}\n", path="GateTests.swift", place=Place.CALLER),
    parts=(ScorePart("test", -0.5),),
)
STRANGER = item(6, "Wall.paint()", path="Wall.swift", place=Place.RELATED)
ITEMS = [OPEN, TEST, DEMO, LEGACY, ENTER, STRANGER]
CALLS = [(one.symbol, "Gate.open(for:)", 2) for one in (TEST, DEMO, LEGACY, ENTER)] + [("Guest.enter()", "Gate.open(for:)", 3)]


def flow(calls: list[tuple[str, str, int] | tuple[str, str, int, EdgeKind, float]], items: list[object] = ITEMS) -> Flow:  # type: ignore[assignment]
    symbols = dict(symbols_of(items))  # type: ignore[arg-type]
    old = identifier("Old.enter()")
    if old in symbols:
        symbols[old] = dataclasses.replace(symbols[old], modifiers=Modifier.DEPRECATED)
    return read_flow(context(items, calls), symbols)  # type: ignore[arg-type]


def test_uses_are_grouped_current_before_deprecated_before_examples_before_tests() -> None:
    """Whatever the order of the evidence; what is no caller is none."""
    usage = read_usage(flow([*CALLS]), ITEMS)
    assert [one.symbol for one in usage.definition] == ["Gate.open(for:)"]
    assert [(use.item.symbol, use.kind) for use in usage.used_from] == [
        ("Guest.enter()", Kind.CURRENT),
        ("Old.enter()", Kind.DEPRECATED),
        ("Demo.run()", Kind.EXAMPLE),
        ("GateTests.testOpen()", Kind.TEST),
    ]


def test_every_call_site_shows_what_is_passed() -> None:
    """With its receiver, in the order of the lines."""
    (enter,) = read_usage(flow([*CALLS]), ITEMS).of_kind(Kind.CURRENT)
    assert [(site.line, site.shown) for site in enter.sites] == [(2, "gate.open(for: self)"), (3, "gate.open(for: friend)")]


def test_without_an_edge_the_name_tells_the_site() -> None:
    """Not in comments."""
    loud = item(7, "Loud.go()", "func go() {\n    // open\n    open (it)\n}\n", path="Loud.swift", place=Place.CALLER)
    usage = read_usage(flow([], [OPEN, loud]), [OPEN, loud])
    assert [(site.line, site.how) for use in usage.used_from for site in use.sites] == [(3, EdgeKind.MENTION)]


@pytest.mark.parametrize(("path", "sites"), [("Result.swift", [3]), ("RESULT.rpgle", [2, 3])])
def test_letter_case_counts_unless_the_language_ignores_it(path: str, sites: list[int]) -> None:
    """A method that begins with a small letter is not the type whose name it has else."""
    result = item(1, "RetryResult", "enum RetryResult {\n}\n", kind="enum", path=path, start=20)
    user = item(
        2, "Request.finish()", "func finish() {\n    retryResult(error)\n    let all: RetryResult\n}\n", path="User.swift", place=Place.CALLER
    )
    usage = read_usage(flow([], [result, user]), [result, user])
    assert [site.line for use in usage.used_from for site in use.sites] == sites


def test_a_type_is_made_and_conformed_to_before_it_is_named() -> None:
    """The most telling use of an item comes first."""
    policy = item(1, "Policy", "struct Policy {\n}\n", kind="struct")
    make = item(2, "make(_:)", "func make(a: Policy) {\n    return Policy(a: 1)\n}\n", path="Make.swift", place=Place.CALLER)
    calls: list[tuple[str, str, int, EdgeKind, float]] = [
        ("make(_:)", "Policy", 1, EdgeKind.TYPE, 0.95),
        ("make(_:)", "Policy", 2, EdgeKind.CONSTRUCT, 0.95),
    ]
    (use,) = read_usage(flow([*calls], [policy, make]), [policy, make]).used_from
    assert [(site.how, site.shown) for site in use.sites] == [(EdgeKind.CONSTRUCT, "Policy(a: 1)"), (EdgeKind.TYPE, "func make(a: Policy)")]


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ({1: "    rc = FTP_binaryMode(wwSession: wwBinary);"}, "FTP_binaryMode(wwSession: wwBinary)"),
        ({1: "     C                   callp     ftp_binarymode(ftp:", 2: "     C                             *ON)"}, "ftp_binarymode(ftp: C *ON)"),
        ({1: "    self.session?.FTP_binaryMode(", 2: "        to: a,", 3: "        from: b", 4: "    )"}, "session?.FTP_binaryMode(to: a, from: b)"),
        ({1: "FTP_binaryMode(a) { done in", 2: "}"}, "FTP_binaryMode(a)"),
        ({1: "FTP_binaryMode(then: { a in f { b } }, c)"}, "FTP_binaryMode(then: {…}, c)"),
        ({1: "let mode = FTP_binaryMode"}, "let mode = FTP_binaryMode"),
        ({1: "class A: FTP_binaryMode {"}, "class A: FTP_binaryMode"),
        ({1: "FTP_binaryMode("}, "FTP_binaryMode("),
    ],
)
def test_a_call_site_in_one_line(lines: dict[int, str], shown: str) -> None:
    """The call as far as its brackets go, over several lines; what closures do is no argument."""
    assert site_text(lines, 1, {"ftp_binarymode"}).removeprefix("self.") == shown


@given(st.lists(st.text(alphabet="ab(){}[].:, name", max_size=60), min_size=1, max_size=8))
def test_any_line_has_a_site_of_bounded_length(lines: list[str]) -> None:
    """Whatever brackets it holds."""
    shown = site_text(dict(enumerate(lines, start=1)), 1, {"name"})
    assert len(shown) <= LONGEST_SITE
    assert "\n" not in shown


def test_a_question_of_use_is_answered_by_uses_or_by_the_thing_it_names() -> None:
    """What happens when something is called asks for events."""
    alone = read_usage(flow([], [OPEN]), [OPEN])
    used = read_usage(flow([*CALLS]), ITEMS)
    assert is_answered("Who calls OPEN?", alone)
    assert not is_answered("Which part limits calls?", alone)
    assert is_answered("Which part limits calls?", used)
    assert not is_answered("What happens when open is called?", used)
