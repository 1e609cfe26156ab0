from __future__ import annotations

from exegesis.model import ContextItem, EdgeKind, Place
from services.query.telling.beside import read_comparison
from services.query.telling.extractive import explain_from_evidence
from tests.fakes.evidence import context, flow_of, item

OPEN = item(
    1, "Gate.open()", "func open() {\n    check()\n    lift()\n}\n", path="Gate.swift", start=10, doc="Opens the gate.", signature="func open()"
)
CLOSE = item(2, "Gate.close()", "func close() {\n    check()\n    lower()\n}\n", path="Gate.swift", start=20, doc="Closes the gate.")
CHECK = item(3, "Gate.check()", path="Gate.swift", start=30, place=Place.CALLEE)
LIFT = item(4, "Gate.lift()", path="Gate.swift", start=40, place=Place.CALLEE)
LOWER = item(5, "Gate.lower()", path="Gate.swift", start=50, place=Place.CALLEE)
GUARD = item(6, "Guard.work()", "func work() {\n    open()\n    close()\n}\n", path="Guard.swift", place=Place.RELATED)
GUEST = item(7, "Guest.enter()", "func enter() {\n    open()\n}\n", path="Guest.swift", place=Place.RELATED)
CALLS = [
    ("Gate.open()", "Gate.check()", 11),
    ("Gate.open()", "Gate.lift()", 12),
    ("Gate.close()", "Gate.check()", 21),
    ("Gate.close()", "Gate.lower()", 22),
    ("Guard.work()", "Gate.open()", 2),
    ("Guard.work()", "Gate.close()", 3),
    ("Guest.enter()", "Gate.open()", 2),
]
QUESTION = "What is the difference between open and Gate.close?"


def told(items: list[ContextItem], calls: list[object], question: str = QUESTION) -> str:
    found = context(items, calls)  # type: ignore[arg-type]
    return explain_from_evidence(question, flow_of(found), found.items)


def test_both_are_told_then_what_they_share_then_what_sets_them_apart() -> None:
    """Everything with its citations, and who uses only one of them at the end."""
    text = told([OPEN, CLOSE, CHECK, LIFT, LOWER, GUARD, GUEST], [*CALLS])
    assert text.startswith("1. **`Gate.open()`** opens the gate [E1].\n2. **`Gate.close()`** closes the gate [E2].\n\n")
    assert "- No edge of the call graph leads from one to another [E1] [E2].\n- `Gate.open()` is declared as `func open()` [E1].\n" in text
    assert "- Both belong to `Gate` [E1] [E2]." in text
    assert "**In common**\n\n- Both call `check` [E1] [E2].\n- Both are used by `Guard.work()` [E6]." in text
    assert "**What sets them apart**\n\n- Only `Gate.open()` calls `lift` [E1] [E2].\n- Only `Gate.close()` calls `lower` [E1] [E2]." in text
    assert "- `Gate.open()`: `Guest.enter()` (line 2) [E7].\n- `Gate.close()`: nothing in the evidence beside that [E2]." in text


def test_that_one_calls_the_other_comes_first() -> None:
    """With what it passes."""
    old = item(1, "Gate.open()", "func open() {\n    openWide(by: 1)\n}\n", start=10)
    new = item(2, "Gate.openWide(by:)", "func openWide(by width: Int) {\n}\n", start=20)
    text = told([old, new], [("Gate.open()", "Gate.openWide(by:)", 11)], "How does open differ from openWide?")
    assert "**Between them**\n\n- `Gate.open()` calls `Gate.openWide(by:)` at line 11: `openWide(by: 1)` [E1]." in text
    assert "No edge" not in text


def test_what_is_not_shown_whole_sets_nothing_apart() -> None:
    """A call may stand in the lines that are left out; and a name that stands there without an edge may be one."""
    text = told([OPEN, item(2, "Gate.close()", "func close() {\n    lift\n    lower()\n}\n", start=20), LIFT, LOWER], CALLS[1:4:2])
    assert "Only `Gate.close()` calls `lower`" in text
    assert "Only `Gate.open()`" not in text


def test_types_are_compared_by_what_they_build_on_and_hold() -> None:
    """Members as far as they are shown."""
    data = item(1, "Data", "class Data: Base {\n    let id = 1\n    let bytes = 2\n}\n", kind="class", start=10)
    file = item(2, "File", "class File: Base {\n    let id = 1\n    let url = 2\n}\n", kind="class", start=20)
    base = item(3, "Base", "class Base {\n}\n", kind="class", start=30, place=Place.RELATED)
    inherits = [("Data", "Base", 10, EdgeKind.INHERIT, 0.95), ("File", "Base", 20, EdgeKind.INHERIT, 0.95)]
    text = told([data, file, base], [*inherits], "Data vs File")
    assert "- Both build on `Base` [E1] [E2].\n- Both hold `id` [E1] [E2]." in text
    assert "- Only `Data` holds `bytes` [E1] [E2].\n- Only `File` holds `url` [E1] [E2]." in text


def test_a_type_does_not_use_itself() -> None:
    """Its members name it, and are part of what is compared."""
    data = item(1, "Data", "class Data {\n}\n", kind="class", start=10)
    file = item(2, "File", "class File {\n}\n", kind="class", start=20)
    copy = item(3, "Data.copy()", "func copy() -> Data {\n}\n", start=12, place=Place.RELATED)
    send = item(4, "send(_:)", "func send(_ data: Data) {\n}\n", kind="function", start=40, place=Place.RELATED)
    uses = [("Data.copy()", "Data", 12, EdgeKind.TYPE, 0.95), ("send(_:)", "Data", 40, EdgeKind.TYPE, 0.95)]
    text = told([data, file, copy, send], [*uses], "Data vs File")
    assert "- `Data`: `send(_:)` (line 40) [E4]." in text


def test_an_overload_is_told_to_be_one() -> None:
    """Which of several was taken is no secret."""
    wide = item(8, "Gate.open(wide:)", start=60, place=Place.RELATED)
    assert "`Gate.open` stands for `Gate.open(wide:)` [E8] as well." in told([OPEN, CLOSE, wide], [])


def test_fewer_than_two_things_are_not_compared() -> None:
    """One of the names is not defined, or both are the same."""
    assert read_comparison("What is the difference between open and slam?", [OPEN, CLOSE]) is None
    assert read_comparison("How does the gate open?", [OPEN, CLOSE]) is None


def test_what_hands_the_other_on_refers_to_it() -> None:
    """A function as a value is not called."""
    things = [item(1, "open()", "func open() {\n    run(then: shut)\n}\n"), item(2, "shut()", start=10)]
    found = context(things, [("open()", "shut()", 2, EdgeKind.ACCESS, 0.95)])
    text = explain_from_evidence("What is the difference between `open` and `shut`?", flow_of(found), found.items)
    assert "`open()` refers to `shut()` at line 2" in text
