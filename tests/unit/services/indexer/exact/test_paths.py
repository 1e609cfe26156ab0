"""Finding files of the building machine in a repository."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from services.indexer.exact.paths import find_in_repository

KNOWN = ["Package.swift", "Sources/A/Util.swift", "Sources/B/Util.swift", "Sources/A/Main.swift", "Tests/A/Util.swift"]


def test_files_below_the_root_are_themselves() -> None:
    """A path below the root is the rest of it, whatever else has its name."""
    assert find_in_repository(["/r/Sources/B/Util.swift"], KNOWN, root="/r") == {"/r/Sources/B/Util.swift": "Sources/B/Util.swift"}


def test_a_file_below_the_root_that_the_repository_lacks_is_no_other() -> None:
    """A checkout of a dependency below the root is not mistaken for a file of the repository with the same end."""
    assert find_in_repository(["/r/.build/checkouts/x/Sources/A/Util.swift"], KNOWN, root="/r") == {}


def test_paths_of_another_machine_are_matched_by_their_ends() -> None:
    """The head that most paths agree on is taken, and a dependency below it is left out."""
    built = [f"/builds/7/app/{path}" for path in KNOWN]
    dependency = "/builds/7/app/.build/checkouts/x/Sources/A/Util.swift"
    found = find_in_repository([*built, dependency], KNOWN, root="/home/me/app")
    assert found == dict(zip(built, KNOWN, strict=True))


def test_a_dependency_elsewhere_does_not_take_the_place_of_a_file() -> None:
    """A checkout outside the repository whose file has the same end is left out, for that file is already found under the believed head."""
    built = [f"/builds/7/app/{path}" for path in KNOWN]
    found = find_in_repository(["/cache/checkouts/x/Sources/A/Util.swift", *built], KNOWN, root="/home/me/app")
    assert found == dict(zip(built, KNOWN, strict=True))


def test_thousands_of_heads_cost_little() -> None:
    """A store of very many places, as a hostile one may be, is matched in a moment."""
    started = time.process_time()
    find_in_repository([f"/{number}/{number % 7}/A/Util.swift" for number in range(5_000)], KNOWN, root="/r")
    assert time.process_time() - started < 5


def test_linked_sources_and_a_linked_root_are_followed() -> None:
    """A path that is a link to a file of the repository is that file; so is one below another name of the root."""
    links = {"/r/Sources/X/Main.swift": "/real/r/Sources/A/Main.swift", "/r": "/real/r", "/r/out.swift": "/etc/out.swift"}

    def resolve(path: str) -> str:
        return links.get(path, path)

    built = ["/r/Sources/X/Main.swift", "/real/r/Sources/B/Util.swift", "/r/out.swift"]
    found = find_in_repository(built, [*KNOWN, "etc/out.swift"], root="/r", resolve=resolve)
    assert found == {built[0]: "Sources/A/Main.swift", built[1]: "Sources/B/Util.swift"}


def test_links_of_another_machine_are_found_as_links_here() -> None:
    """Sources that a package gathers flatly by links have but their names in common with the files; the links here tell which these are."""

    def resolve(path: str) -> str:
        return path.replace("/r/Sources/X/", "/r/Library/Deep/")

    known = ["Library/Deep/One.swift", "Library/Deep/Two.swift"]
    built = ["/ci/app/Sources/X/One.swift", "/ci/app/Sources/X/Two.swift", "/ci/app/Other/Two.swift"]
    assert find_in_repository(built, known, root="/r", resolve=resolve) == dict(zip(built, known, strict=False))


def test_a_repository_that_was_part_of_another_is_found() -> None:
    """Where the repository lies deeper or less deep than on the building machine, the ends still match."""
    built = ["/mono/lib/app/Sources/A/Main.swift", "/mono/lib/app/Sources/B/Util.swift"]
    deeper = ["packages/app/Sources/A/Main.swift", "packages/app/Sources/B/Util.swift", "packages/old/Sources/B/Util.swift"]
    assert list(find_in_repository(built, deeper, root="/x").values()) == deeper[:2]


def test_prefixes_that_a_person_gave_come_first() -> None:
    """The longest given prefix is replaced, at a whole component only."""
    prefixes = [("/b", "/nowhere"), ("/b/app", "/r")]
    built = ["/b/app/Sources/A/Util.swift", "/b/application/Sources/A/Other.swift"]
    assert find_in_repository(built, KNOWN, root="/r", prefixes=prefixes) == {built[0]: "Sources/A/Util.swift"}


def test_a_file_name_alone_is_not_enough() -> None:
    """A file that has only its name in common with one below a folder is not that one."""
    assert find_in_repository(["/elsewhere/lib/Main.swift"], KNOWN, root="/r") == {}


@given(st.lists(st.lists(st.sampled_from(["a", "b", "A.swift", "B.swift"]), min_size=1, max_size=4).map("/".join), unique=True, max_size=12))
def test_a_whole_repository_is_found_wherever_it_was(known: list[str]) -> None:
    """All files of a repository that was built elsewhere are found, each as itself."""
    built = [f"/some/where/{path}" for path in known]
    assert find_in_repository(built, known, root="/r") == dict(zip(built, known, strict=True))


@given(st.lists(st.text(max_size=8), max_size=6), st.lists(st.text(min_size=1, max_size=8), max_size=6))
def test_strange_paths_do_no_harm(built: list[str], known: list[str]) -> None:
    """Whatever a store says, what is found is a file of the repository."""
    assert set(find_in_repository(built, known, root="/r").values()) <= set(known)
