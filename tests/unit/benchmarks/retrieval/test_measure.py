import dataclasses

from benchmarks.retrieval.measure import _prediction
from exegesis.model import ChunkKind
from services.query.api import Composition
from tests.fakes.evidence import context, item


def test_a_description_is_none_of_the_lines_that_it_is_made_of() -> None:
    """It stands in a context for code that did not fit, and does not count as that code."""
    shown, described = item(1, "f()"), dataclasses.replace(item(2, "Session", path="Session.swift"), kind=ChunkKind.DESCRIPTION.value)
    found = _prediction(Composition((), context([shown, described]), ()), ())
    assert [place.path for place in found.context] == [shown.path]
