"""A home that cannot be written, for want of room or of leave: questions are answered from what there is, and removing makes room."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.errors import Unavailable
from exegesis.model import Options, Progress
from exegesis.settings import read_settings
from services.assembly import Assembly
from services.gateway.api import Asked
from services.gateway.local import LocalGateway
from services.indexer.api import IndexOptions

BESIDE = ("catalog.db-wal", "catalog.db-shm", "cache.db-wal", "cache.db-shm")


def gateway_of(assembly: Assembly) -> LocalGateway:
    """The gateway of one run of the command."""
    return LocalGateway(assembly.catalog, assembly.indexer, assembly.graph, lambda: assembly.query)


def assembled(home: Path) -> Assembly:
    """Everything on this machine, without vectors."""
    return Assembly(read_settings({"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none"}))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One file."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "Token.swift").write_text("struct Token {\n    func refresh() -> Token { renew() }\n    func renew() -> Token { self }\n}\n")
    return folder


@pytest.fixture
def home(tmp_path: Path, project: Path) -> Iterator[Path]:
    """The index of the project, whose files have changed since, with nothing to be written beside its databases."""
    folder = tmp_path / "home"
    first = assembled(folder)
    gateway_of(first).index(str(project), IndexOptions(embed=False), lambda _: None)
    first.close()
    (project / "Token.swift").write_text("struct Token {}\n")
    for name in BESIDE:
        (folder / name).mkdir()
    yield folder
    for name in BESIDE:
        shutil.rmtree(folder / name, ignore_errors=True)


def test_questions_are_answered_from_the_head(home: Path, project: Path) -> None:
    """With a warning that says why the answer may be out of date; `status` tells so too."""
    assembly, said = assembled(home), list[Progress]()
    gateway = gateway_of(assembly)
    gateway.prepare([str(project)], said.append)
    assert any("warning: the index cannot be brought up to date" in each.phase for each in said)
    found = gateway.search(Asked("refresh", (str(project),), Options()))
    assert {each.symbol for each in found.results} & {"Token", "Token.refresh()"}
    (status,) = gateway.status([str(project)])
    assert status.stale
    assembly.close()


def test_indexing_says_what_is_wrong(home: Path, project: Path) -> None:
    """Who asks for an index is not content with the old one."""
    assembly = assembled(home)
    with pytest.raises(Unavailable, match="cannot be used"):
        gateway_of(assembly).index(str(project), IndexOptions(embed=False), lambda _: None)
    assembly.close()


def test_removing_makes_room_before_it_writes(home: Path, project: Path) -> None:
    """Generations go although the catalog cannot forget them yet: their room is what it needs for that."""
    assembly = assembled(home)
    assert list(home.glob("graph/*/*.db"))
    with pytest.raises(Unavailable, match="cannot be used"):
        gateway_of(assembly).remove([str(project)])
    assert not list(home.glob("graph/*/*.db"))
    for name in BESIDE:
        (home / name).rmdir()
    gateway_of(assembly).remove([str(project)])
    assert not gateway_of(assembly).status([])
    assembly.close()
