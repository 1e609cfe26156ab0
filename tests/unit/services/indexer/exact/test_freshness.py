"""Telling a record of this text from one of another."""

from __future__ import annotations

import pytest

from services.indexer.exact.freshness import measure_freshness
from services.indexer.exact.occurrences import Occurrence
from services.indexer.exact.records import Record, RecordSymbol, read_record
from services.indexer.exact.vocabulary import Kind, Role, Subkind
from tests.unit.services.indexer.exact.sample import read_sample, read_source
from tests.unit.services.indexer.exact.writer import record_file


def record_of(*placed: tuple[str, int, int, int], kind: int = Kind.FUNCTION, subkind: int = 0) -> Record:
    """A record of symbols, each with its name, roles, line and column."""
    symbols = [RecordSymbol(f"s:{name}", name, kind, subkind, 100, 0, roles, 0) for name, roles, _, _ in placed]
    return read_record("it", record_file(symbols, [Occurrence(at, roles, line, column, ()) for at, (_, roles, line, column) in enumerate(placed)]))


DEFINITION, CALL = int(Role.DEFINITION), int(Role.REFERENCE | Role.CALL)


@pytest.mark.parametrize("file", read_sample().files, ids=lambda file: file.path)
def test_files_as_they_were_compiled_are_wholly_fresh(file: object) -> None:
    """In every file of the sample each name stands where its record says, non-ASCII text before it or not."""
    freshness = measure_freshness(file.record, read_source(file.path))  # type: ignore[attr-defined]
    assert freshness.share == 1.0
    assert freshness.is_fresh


@pytest.mark.parametrize("file", read_sample().files, ids=lambda file: file.path)
def test_a_line_put_before_all_others_makes_a_file_stale(file: object) -> None:
    """When every line has moved, almost no name stands where it did."""
    assert not measure_freshness(file.record, b"//\n" + read_source(file.path)).is_fresh  # type: ignore[attr-defined]


def test_quoted_and_wrapped_names_count_as_standing() -> None:
    """Backticks, and the storage and projection of a wrapped property, may stand before a name."""
    record = record_of(("default(_:)", DEFINITION, 1, 6), ("state", CALL, 2, 1), ("state", CALL, 2, 9))
    assert measure_freshness(record, b"func `default`(x)\n$state, _state\n").share == 1.0


def test_a_selector_shows_its_first_part() -> None:
    """A method of Objective-C stands where the first part of its selector does."""
    assert measure_freshness(record_of(("bar:with:", DEFINITION, 1, 8)), b"- (int)bar:(int)y with:(int)z {\n").share == 1.0


@pytest.mark.parametrize(
    ("name", "kind", "subkind"),
    [
        ("getter:x", Kind.INSTANCE_METHOD, Subkind.GETTER),
        ("x", Kind.INSTANCE_METHOD, 1020),
        ("+(_:_:)", Kind.STATIC_METHOD, Subkind.INFIX_OPERATOR),
        ("subscript(_:)", Kind.INSTANCE_PROPERTY, Subkind.SUBSCRIPT),
        ("init(a:)", Kind.CONSTRUCTOR, 0),
        ("Foo", Kind.EXTENSION, Subkind.EXTENSION_OF_CLASS),
        ("_", Kind.PARAMETER, 0),
        ("__derived_enum_equals(_:_:)", Kind.FUNCTION, 0),
    ],
)
def test_names_that_the_text_need_not_show_are_not_asked_for(name: str, kind: int, subkind: int) -> None:
    """Such symbols neither help nor harm; and a record with no others is not believed."""
    freshness = measure_freshness(record_of((name, DEFINITION, 1, 1), kind=kind, subkind=subkind), b"nothing of it\n")
    assert (freshness.tested, freshness.is_fresh) == (0, False)


def test_implicit_occurrences_are_not_asked_for() -> None:
    """What the compiler made up stands nowhere."""
    record = record_of(("made", CALL | int(Role.IMPLICIT), 1, 1), ("real", DEFINITION, 1, 1))
    assert measure_freshness(record, b"real\n").share == 1.0


def test_a_file_that_only_refers_is_tested_by_what_it_refers_to() -> None:
    """Without definitions and calls, other names decide."""
    record = record_of(("Kind", int(Role.REFERENCE), 1, 3))
    assert measure_freshness(record, b"  Kind\n").is_fresh
    assert not measure_freshness(record, b"Kind\n").is_fresh


@pytest.mark.parametrize(("line", "column"), [(0, 1), (9, 1), (1, 0), (1, 900), (2**32 - 1, 2**32 - 1)])
def test_places_that_no_text_has_are_wrong_and_harmless(line: int, column: int) -> None:
    """A line or column beyond the text counts against the record."""
    assert measure_freshness(record_of(("it", DEFINITION, line, column)), b"it\n").share == 0.0
