"""Unit files, as compilers write them and broken."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.indexer.exact.units import Dependency, DependencyKind, Include, Unit, read_unit
from tests.unit.services.indexer.exact.sample import STORE
from tests.unit.services.indexer.exact.writer import INFO, MODULE, PATH, Bits, compress, stream, unit_file, version_block

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="/"), max_size=9)
PATHS = st.lists(TEXT.filter(bool), min_size=1, max_size=4).map(lambda parts: "/" + "/".join(parts))
DEPENDENCIES = st.builds(Dependency, st.sampled_from(list(DependencyKind)).map(int), TEXT, PATHS, TEXT, st.booleans())
UNITS = st.builds(
    Unit,
    name=st.just("it"),
    is_system=st.booleans(),
    is_module=st.booleans(),
    is_debug=st.booleans(),
    module=TEXT,
    main_file=PATHS,
    working_directory=PATHS,
    output=PATHS,
    sysroot=PATHS,
    target=TEXT,
    provider=TEXT,
    provider_version=TEXT,
    dependencies=st.lists(DEPENDENCIES, max_size=5).map(tuple),
    includes=st.lists(st.builds(Include, PATHS, st.integers(0, 2**32), PATHS), max_size=3).map(tuple),
)


@given(UNITS)
@settings(max_examples=60, deadline=None)
def test_what_was_written_is_read(unit: Unit) -> None:
    """Every field comes back, plain, compressed, and with a block of an unknown kind in between."""
    plain = unit_file(unit)
    for content in (plain, compress(plain, marker=b"U"), unit_file(unit, strange=True)):
        assert read_unit("it", content) == unit


@given(UNITS)
@settings(max_examples=20, deadline=None)
def test_a_unit_of_the_system_is_not_read_on(unit: Unit) -> None:
    """Where they are not wanted, units of the system have no dependencies, and all others are whole."""
    read = read_unit("it", unit_file(unit), system=False)
    assert read == (Unit("it", is_system=True) if unit.is_system else unit)


def test_paths_are_put_together_from_prefix_folder_and_file() -> None:
    """A path may begin at the working directory or at the sysroot, and lack a folder or a file."""
    text = b"/home/me/app" + b"/sdk" + b"Sources" + b"a.swift"
    work, sysroot, folder, file = (0, 12), (12, 4), (16, 7), (23, 7)

    def information(bits: Bits) -> None:
        bits.define(INFO)
        bits.record(0, INFO, [1, 0, *work, 0, 0, *sysroot, 1, 0, 0, 0, 0, 0, 0], b"")

    def paths(bits: Bits) -> None:
        bits.define(PATH)
        for prefix, *places in ((1, *folder, *file), (1, 0, 0, *file), (2, *folder, *file), (0, *folder, *file), (2, 0, 0, 0, 0)):
            bits.record(0, PATH, [4, prefix, *places])

    def includes(bits: Bits) -> None:
        for number in range(1, 6):
            bits.unabbreviated(3, [number, 1, number])

    def path_text(bits: Bits) -> None:
        paths(bits)
        bits.define(BUFFER)
        bits.record(1, BUFFER, [5], text)

    unit = read_unit("it", stream(b"IDXU", version_block(), (9, information), (11, includes), (12, path_text)))
    assert unit.problems == ()
    assert unit.main_file == "/home/me/app/Sources/a.swift"
    assert [include.source for include in unit.includes] == [
        "/home/me/app/Sources/a.swift",
        "/home/me/app/a.swift",
        "/sdk/Sources/a.swift",
        "Sources/a.swift",
        "/sdk",
    ]


BUFFER = (MODULE[0].__class__(MODULE[0].encoding, 5), INFO[-1])


@pytest.mark.parametrize("path", sorted((STORE / "v5" / "units").iterdir())[::5], ids=lambda path: path.name)
def test_a_unit_that_is_cut_off_says_so(path: object) -> None:
    """Wherever it ends short of its padding, a unit has a problem, and nothing is raised."""
    content = path.read_bytes()  # type: ignore[attr-defined]
    whole = read_unit("it", content)
    for length in range(0, len(content), 3):
        unit = read_unit("it", content[:length])
        assert unit.problems or unit == whole


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_broken_unit_never_raises(data: st.DataObject) -> None:
    """Whatever bytes of a real unit are changed, reading ends."""
    content = bytearray(data.draw(st.sampled_from(sorted((STORE / "v5" / "units").iterdir()))).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert read_unit("it", bytes(content)).name == "it"


def test_a_newer_version_is_not_guessed_at() -> None:
    """A file of another format version gives nothing, and says so."""
    assert read_unit("it", unit_file(Unit("it", module="M"), version=7)) == Unit("it", problems=("format version 7, not 5",))


def test_numbers_without_a_meaning_are_problems() -> None:
    """A path that is not there is empty, and said once."""

    def information(bits: Bits) -> None:
        bits.define(INFO)
        bits.record(0, INFO, [1, 0, 900, 9, 0, 0, 0, 0, 40, 1, 0, 0, 0, 0, 0], b"triple")

    unit = read_unit("it", stream(b"IDXU", version_block(), (9, information)))
    assert (unit.target, unit.is_debug, unit.main_file, unit.working_directory) == ("triple", True, "", "")
    assert unit.problems == ("names beyond the end of the text that holds them", "a path that is not there")
