from __future__ import annotations

import dataclasses

from exegesis.model import ContextItem, EdgeKind, Place, ScorePart
from services.query.telling.extractive import Form, explain_from_evidence
from services.query.telling.usage import Kind
from services.query.telling.used_from import MOST_OF_ONE_WAY, MOST_USES
from tests.fakes.evidence import context, flow_of, identifier, item

OPEN = item(1, "Gate.open(for:)", "func open(for who: Guest) {\n    lift()\n}\n", path="Gate.swift", start=10, doc="Opens the gate.")
ENTER = item(2, "Guest.enter()", "func enter() {\n    gate.open(for: self)\n}\n", path="Guest.swift", place=Place.CALLER, doc="Comes in.")
LIFT = item(3, "Gate.lift()", path="Gate.swift", start=30, place=Place.CALLEE)
MAIN = item(4, "main", "enter()\n", path="main.swift", kind="function", place=Place.RELATED)
CALLS = [("Guest.enter()", "Gate.open(for:)", 2), ("Gate.open(for:)", "Gate.lift()", 11), ("main", "Guest.enter()", 1)]


def told(items: list[ContextItem], calls: list[object], question: str = "Who calls open?") -> str:
    found = context(items, calls)  # type: ignore[arg-type]
    return explain_from_evidence(question, flow_of(found), found.items, Form.USAGE)


def test_the_definition_and_the_uses_stand_apart() -> None:
    """What it is, who uses it with what and who calls these, then what it does itself."""
    text = told([OPEN, ENTER, LIFT, MAIN], [*CALLS])
    lead, used, _, does, steps = text.rstrip().split("\n\n")
    assert lead == "`Gate.open(for:)` opens the gate [E1]."
    assert used == "**Used from**"
    assert "- `Guest.enter()` in `Guest.swift` calls it at line 2: `gate.open(for: self)`; it is described as “Comes in” [E2]. " in text
    assert "That is called by `main` (line 1) [E4]." in text
    assert does == "**What it does**"
    assert steps.startswith("1. **`Gate.open(for:)`** opens the gate [E1]. It calls `lift` (line 11) [E1].")


def test_what_nothing_uses_is_said_to_be_unused() -> None:
    """As far as the evidence goes, and cited."""
    assert "Nothing in the evidence uses it [E1]." in told([OPEN, LIFT], CALLS[1:2])


def test_old_code_examples_and_tests_have_sections_of_their_own() -> None:
    """In this order, and a deprecated caller with what its attribute says."""
    old = item(
        5,
        "Old.enter()",
        '@available(*, deprecated, message: "Use new.")\nfunc enter() {\n    open(for: a)\n}\n',
        path="Old.swift",
        place=Place.CALLER,
    )
    demo = item(6, "Demo.run()", "func run() {\n    open(for: b)\n}\n", path="Examples/Demo.swift", place=Place.CALLER)
    test = dataclasses.replace(
        item(7, "T.testOpen()", "func testOpen() {\n    open(for: c)\n}\n", path="T.swift", place=Place.CALLER), parts=(ScorePart("test", -1.0),)
    )
    text = told([OPEN, test, demo, old, ENTER], [("Guest.enter()", "Gate.open(for:)", 2)])
    titles = ["**Used from**", "**Used from deprecated code**", "**Used in examples**", "**Used in tests**"]
    assert sorted(titles, key=text.index) == titles
    assert "It is deprecated (“Use new”) [E5]." in text
    assert "`T.testOpen()` in `T.swift` names it at line 2: `open(for: c)` [E7]." in text


def test_a_type_says_who_conforms_makes_and_names_it() -> None:
    """Many of one way do not hide the others."""
    policy = item(1, "Policy", "protocol Policy {\n}\n", kind="protocol", doc="Decides on retries.", start=100)
    kinds = [
        item(number, f"P{number}", f"class P{number}: Policy {{\n}}\n", kind="class", path=f"P{number}.swift", place=Place.CALLER)
        for number in range(2, 20)
    ]
    take = item(30, "run(with:)", "func run(with policy: Policy) {\n}\n", path="Run.swift", kind="function", place=Place.CALLER)
    calls = [*((one.symbol, "Policy", 1, EdgeKind.INHERIT, 0.95) for one in kinds), ("run(with:)", "Policy", 1, EdgeKind.TYPE, 0.95)]
    text = told([policy, *kinds, take], [*calls], "How is Policy used?")
    assert text.startswith("`Policy` decides on retries [E1].\n\n**Used from**\n\n- `P2` in `P2.swift` conforms to it at line 1")
    assert "`run(with:)` in `Run.swift` names it at line 1: `func run(with policy: Policy)`" in text
    assert text.count("conforms to it") == MOST_USES[Kind.CURRENT] - 1 >= MOST_OF_ONE_WAY
    assert f"- {len(kinds) + 1 - MOST_USES[Kind.CURRENT]} more, such as " in text


def test_a_doubtful_call_is_told_as_a_possibility() -> None:
    """Its edge may lead elsewhere."""
    text = told([OPEN, ENTER], [("Guest.enter()", "Gate.open(for:)", 2, EdgeKind.CALL, 0.5)])
    assert "may call it at line 2" in text


def test_overloads_are_named_with_the_definition() -> None:
    """The name stands for all of them, and none is its own user."""
    other = item(8, "Gate.open()", "func open() {\n    open(for: nobody)\n}\n", path="Gate.swift", start=50)
    text = told([OPEN, other, ENTER], [*CALLS[:1], ("Gate.open()", "Gate.open(for:)", 51)])
    assert "The name stands for `Gate.open()` [E8] as well." in text
    assert "- `Gate.open()`" not in text


def test_what_exports_a_procedure_is_named_last_and_calls_nothing() -> None:
    """A binder's list declares it: it is neither a caller nor what calls one."""
    send = item(1, "send", path="api.rpgle", kind="procedure")
    exports = item(2, "api", "EXPORT SYMBOL(send)\nEXPORT SYMBOL(menu)\n", path="api.bnd", kind="struct", place=Place.CALLER)
    menu = item(3, "menu", "send();\n", path="menu.rpgle", kind="procedure", place=Place.CALLER)
    text = told([send, exports, menu], [("api", "send", 1), ("api", "menu", 2), ("menu", "send", 1)], "Who calls send?")
    assert text.index("**Used from**\n\n- `menu`") < text.index("**Exported by**\n\n- `api` in `api.bnd` declares it for others at line 1")
    assert "That is called by" not in text


def test_who_may_copy_a_program_is_not_what_it_does() -> None:
    """Of a comment that is a licence nothing is told."""
    text = told([item(1, "INSTALL", path="INSTALL.clle", kind="procedure", doc="+ Copyright (c) 2001-2024 The author. All rights reserved.")], [])
    assert "Copyright" not in text


def test_code_at_the_level_of_its_file_is_called_by_its_path() -> None:
    """Nothing else names it, and twice is once too often."""
    above = dataclasses.replace(MAIN, symbol="", symbol_id=identifier(""), path="bin/main.swift")
    text = told([OPEN, ENTER, LIFT, above], [*CALLS[:2], ("", "Guest.enter()", 1)])
    assert "That is called by `bin/main.swift` (line 1) [E4]." in text
    user = dataclasses.replace(above, text="gate.open(for: me)\n", place=Place.CALLER)
    assert "- `bin/main.swift` calls it at line 1" in told([OPEN, user], [("", "Gate.open(for:)", 1)])


def test_overloads_of_one_name_are_counted() -> None:
    """Where a language writes no labels, all of them are called the same."""
    other = [dataclasses.replace(item(number, "join"), symbol_id=number, place=Place.ANCHOR) for number in (5, 6, 7)]
    text = told([item(1, "join", doc="Joins."), *other], [], "How is `join` used?")
    assert "It has 3 other signatures [E5] [E6]." in text
    assert "The name stands for" not in text


def test_who_hands_a_function_on_refers_to_it() -> None:
    """It is not called there."""
    text = told([OPEN, ENTER, LIFT], [("Guest.enter()", "Gate.open(for:)", 2, EdgeKind.ACCESS, 0.95), CALLS[1]])
    assert "`Guest.enter()` in `Guest.swift` refers to it at line 2" in text
