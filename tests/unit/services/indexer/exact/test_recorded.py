"""What of a record is kept for linking, on the sample that a compiler indexed."""

from __future__ import annotations

from collections.abc import Iterable

from exegesis.model import EdgeKind, ExactFacts, ExactRole
from services.indexer.exact.recorded import recorded
from tests.unit.services.indexer.exact.sample import read_sample

FILES = read_sample().files


def of_file(name: str, *, is_fresh: bool = True) -> ExactFacts:
    (path,) = {file.path for file in FILES if file.path.endswith(f"/{name}")}
    return recorded(path, [file for file in FILES if file.path == path], is_fresh=is_fresh)


def at(facts: ExactFacts, line: int) -> list[tuple[str, int]]:
    """Columns and roles of what is used in a line, by the end of the USR."""
    return [(use.usr, int(use.roles)) for use in facts.uses if use.line == line]


def names(usrs: Iterable[str], facts: ExactFacts) -> set[str]:
    return {symbol.name for symbol in facts.symbols if symbol.usr in set(usrs)}


def test_a_property_that_is_named_stands_for_its_accessors() -> None:
    """`lines.count` reads `lines` once, not once by name and once by its getter."""
    journal = of_file("Journal.swift")
    assert [usr.endswith("vp") for usr, _ in at(journal, 15)] == [True, True]


def test_what_nobody_wrote_stands_for_what_has_it() -> None:
    """Getters stand for their property, an implicit initialiser for its type; what was written stands for itself."""
    journal = of_file("Journal.swift")
    folded = {symbol.name for symbol in journal.symbols if symbol.stands_for_owner}
    assert {"getter:ledger", "setter:limit", "init()"} <= folded
    assert {"ledger", "write(_:)", "Journal"} & folded == set()
    written = [symbol for symbol in journal.symbols if symbol.name == "init()" and not symbol.stands_for_owner]
    assert [symbol.line for symbol in written] == [5]


def test_parameters_and_generic_parameters_are_left_out() -> None:
    """No edge could lead to them."""
    wrappers = of_file("Wrappers.swift")
    assert not {"text", "steps", "path", "Value", "Member"} & {symbol.name for symbol in wrappers.symbols}


def test_calls_say_who_calls_and_how() -> None:
    """An explicit call has its caller; a call inside of an initial value has the property; what the compiler makes is implicit."""
    trees, main = of_file("Trees.swift"), of_file("main.swift")
    (call,) = [use for use in trees.uses if (use.line, use.column) == (25, 24)]
    assert names([call.user], trees) == {"init()"}
    assert call.roles is ExactRole.CALL
    (build,) = [use for use in main.uses if (use.line, use.column) == (31, 18)]
    assert build.roles is ExactRole.IMPLICIT
    assert names([build.user], main) == {"steps"}


def test_overrides_witnesses_and_extensions_are_ties() -> None:
    """The source is what overrides, satisfies or extends."""
    trees, harvest = of_file("Trees.swift"), of_file("Trees+Harvest.swift")
    overriding = {tie.source for tie in trees.ties if tie.kind is EdgeKind.OVERRIDE}
    assert names(overriding, trees) == {"init(age:)", "grow()", "species()"}
    assert [(tie.kind, tie.line) for tie in harvest.ties if tie.kind is EdgeKind.EXTEND] == [(EdgeKind.EXTEND, 3), (EdgeKind.EXTEND, 19)]


def test_a_stale_record_tells_its_symbols_only() -> None:
    """Which keys the file defined is still worth knowing; where anything stands is not."""
    stale = of_file("Trees.swift", is_fresh=False)
    assert stale.symbols == of_file("Trees.swift").symbols
    assert (stale.uses, stale.ties) == ((), ())
