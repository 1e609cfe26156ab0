"""What the query service says again of languages, which it cannot ask, is what they say themselves."""

from __future__ import annotations

from services.graph.dialects import DIALECTS, dialect_of
from services.indexer.language import languages
from services.query.programs import BINDER, MEMBERS
from services.query.telling.columns import SUFFIXES


def test_suffixes_are_those_that_the_languages_claim() -> None:
    """Source that is indexed as RPG is told as RPG, also that of earlier versions."""
    assert set(SUFFIXES) == set(languages()["rpg"].suffixes)
    assert set(BINDER) == set(languages()["bnd"].suffixes)


def test_languages_whose_files_are_programs_are_those_of_the_graph() -> None:
    """The map and the questions agree about what bears the name of its file."""
    assert {name for name in DIALECTS if dialect_of(name).members} == MEMBERS


def test_every_row_of_the_linker_is_of_a_language_that_there_is() -> None:
    """A row under a name that no language has would link nothing."""
    assert DIALECTS.keys() <= languages().keys()
