"""What the doctor finds, and what it keeps to itself."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from exegesis.settings import Secret, Settings
from services.assembly import Assembly
from services.gateway.doctor import Verdict, examine
from services.indexer.api import IndexOptions


def test_no_password_or_key_is_shown(tmp_path: Path) -> None:
    """Neither the key nor what an address carries, in a setting or in a complaint about it."""
    settings = Settings(
        home=str(tmp_path), embedder="none", model_url="http://me:hunter2@127.0.0.1:1/v1?key=hunter3", model="m", model_key=Secret("hunter4")
    )
    said = " ".join(f"{check.found} {check.advice}" for check in examine(settings))
    assert "127.0.0.1:1" in said
    assert "hunter" not in said


def test_a_home_that_cannot_be_made_is_a_problem_with_advice(tmp_path: Path) -> None:
    """The check fails; the others are made all the same."""
    (tmp_path / "file").write_bytes(b"")
    checks = {check.name: check for check in examine(Settings(home=str(tmp_path / "file" / "home"), embedder="none"))}
    assert checks["index folder"].verdict is Verdict.PROBLEM
    assert "EXEGESIS_HOME" in checks["index folder"].advice
    assert checks["swift parser"].verdict is Verdict.OK


def test_services_at_addresses_are_asked(tmp_path: Path) -> None:
    """One that nobody serves is a problem, and the advice is the command that serves it."""
    nobody = f"unix:{tmp_path / 'nobody.sock'}"
    checks = {check.name: check for check in examine(Settings(home=str(tmp_path), embedder="none", graph_address=nobody))}
    assert checks["graph service"].verdict is Verdict.PROBLEM
    assert checks["graph service"].advice
    assert (checks["query service"].verdict, checks["query service"].found) == (Verdict.OK, "in this process")


def test_the_gateway_that_commands_ask_is_asked(tmp_path: Path) -> None:
    """One that is not there is a problem, and a token that is none is one before anything is asked."""
    for settings, said in (
        (Settings(home=str(tmp_path), embedder="none", server=f"unix:{tmp_path / 'nobody.sock'}"), "nobody.sock"),
        (Settings(home=str(tmp_path), embedder="none", server="127.0.0.1:1", token=Secret("hunter2")), "EXEGESIS_TOKEN"),
    ):
        checks = {check.name: check for check in examine(settings)}
        assert checks["gateway"].verdict is Verdict.PROBLEM
        assert said in checks["gateway"].found
        assert checks["gateway"].advice


def test_the_compilers_index_of_the_current_folder_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the folder is not indexed; then it is, and no compiler has left anything."""
    folder = tmp_path / "empty"
    folder.mkdir()
    monkeypatch.chdir(folder)
    settings = Settings(home=str(tmp_path / "home"), embedder="none")
    checks = {check.name: check for check in examine(settings)}
    assert checks["compiler's index"].found == "this folder is not indexed"
    with closing(Assembly(settings)) as assembly:
        assembly.indexer.index(str(folder), IndexOptions(embed=False), lambda _: None)
    checks = {check.name: check for check in examine(settings)}
    assert checks["compiler's index"].found == "none of this folder"
    assert "--index-store" in checks["compiler's index"].advice
