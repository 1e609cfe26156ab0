from __future__ import annotations

import pytest

from exegesis.errors import Forbidden, NotFound, UsageError
from exegesis.model import Repository
from services.gateway.access import Reach, Visit, current_visit
from services.gateway.tokens import Grants

ALPHA = Repository("alpha-1", "alpha", "/src/alpha")
OTHER_ALPHA = Repository("alpha-2", "alpha", "/old/alpha")
BRAVO = Repository("bravo-1", "bravo", "/src/bravo")


def test_a_repository_is_found_by_identifier_and_by_name() -> None:
    """As people and programs name it."""
    reach = Reach((ALPHA, BRAVO), Grants())
    assert reach.find("alpha-1") is ALPHA
    assert reach.find("bravo") is BRAVO


def test_a_name_that_several_have_asks_for_the_identifier() -> None:
    """Naming those that the caller may read, so that it can choose."""
    with pytest.raises(UsageError, match="alpha-1, alpha-2"):
        Reach((ALPHA, OTHER_ALPHA, BRAVO), Grants()).find("alpha")
    assert Reach((ALPHA, BRAVO), Grants()).find("alpha") is ALPHA


@pytest.mark.parametrize("project", ["", ".", "/src/bravo", "bravo", "*", "../alpha", "alpha-1\x00", "x" * 10_000])
def test_what_is_beyond_reach_does_not_exist(project: str) -> None:
    """Folders are no names, and a long name is not repeated at length."""
    with pytest.raises(NotFound) as refused:
        Reach((ALPHA,), Grants()).find(project)
    assert len(refused.value.message) < 300


def test_naming_none_means_all_within_reach_each_once() -> None:
    """And naming one twice asks it once."""
    reach = Reach((ALPHA, BRAVO), Grants())
    assert reach.choose([]) == (ALPHA, BRAVO)
    assert reach.choose(["bravo", "bravo-1"]) == (BRAVO,)


def test_reading_is_not_indexing() -> None:
    """A repository that one may only read is forbidden to index; one that one may not read is not there."""
    reach = Reach((ALPHA, BRAVO), Grants(read=frozenset({"alpha-1"}), index=frozenset({"bravo-1"})))
    assert reach.find_to_index("bravo") is BRAVO
    with pytest.raises(Forbidden):
        reach.find_to_index("alpha")
    with pytest.raises(NotFound):
        reach.find_to_index("charlie")


def test_a_visit_remembers_what_was_asked_about() -> None:
    """For the audit log: each repository once, in the order asked."""
    visit = Visit(Reach((ALPHA, BRAVO), Grants()))
    visit.find("bravo")
    visit.choose(["alpha", "bravo"])
    assert visit.asked == ("bravo-1", "alpha-1")


def test_outside_of_a_visit_there_is_nobody() -> None:
    """A way past the door fails instead of answering."""
    with pytest.raises(LookupError):
        current_visit()
