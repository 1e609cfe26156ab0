"""Questions about calls that leave a repository, asked as people ask them: on one machine, and of a gateway with a token."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.rpc.address import read_address
from exegesis.settings import Secret, Settings
from services.assembly import Assembly
from services.gateway.elsewhere import RemoteGateway, reach
from services.gateway.local import LocalGateway
from services.gateway.tokens import Grants
from services.indexer.api import IndexOptions
from tests.fakes.gateway import gateway, token

FILES = {
    "core": {"QRPGLESRC/ORDERS.rpgle": "**free\nreturn;\n"},
    "shop": {
        "QCLSRC/NIGHT.clle": "PGM\nCALL PGM(CORE/ORDERS)\nENDPGM\n",
        "QCLSRC/START.clle": "PGM\nCALL NIGHT\nENDPGM\n",
    },
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Assembly, dict[str, str]]]:
    folder = tmp_path_factory.mktemp("across")
    ids = {}
    with contextlib.closing(Assembly(Settings(home=str(folder / "home"), embedder="none", workers=1))) as assembly:
        for name, files in FILES.items():
            for path, text in files.items():
                (folder / name / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / name / path).write_text(text)
            ids[name] = assembly.indexer.index(str(folder / name), IndexOptions(embed=False), lambda _: None).repository.id
        yield assembly, ids


def far(assembly: Assembly, grants: Grants, address: str) -> contextlib.closing[RemoteGateway]:
    return contextlib.closing(reach(Settings(token=Secret(token(assembly, grants))), read_address(address, source="test")))


def test_callers_callees_and_impact_go_on_in_the_other_repository(indexed: tuple[Assembly, dict[str, str]]) -> None:
    """Near and far alike; places say which repository they are in."""
    assembly, _ = indexed
    near = LocalGateway(assembly.catalog, assembly.indexer, assembly.graph, lambda: assembly.query)
    callers = near.callers("core", "ORDERS")
    assert [(each.source.path, each.edge.rule) for each in callers] == [("shop:QCLSRC/NIGHT.clle", "U7")]
    assert [each.target.path for each in near.callees("shop", "NIGHT")] == ["core:QRPGLESRC/ORDERS.rpgle"]
    assert [(each.source.path, each.depth) for each in near.impact("core", "ORDERS")] == [
        ("shop:QCLSRC/NIGHT.clle", 1),
        ("shop:QCLSRC/START.clle", 2),
    ]
    with gateway(assembly) as served, far(assembly, Grants(admin=True), served.grpc) as everything:
        assert everything.callers("core", "ORDERS") == callers


def test_what_the_caller_may_not_read_calls_nothing(indexed: tuple[Assembly, dict[str, str]]) -> None:
    """A token for one repository learns nothing of the other."""
    assembly, ids = indexed
    with gateway(assembly) as served, far(assembly, Grants(read=frozenset({ids["core"]})), served.grpc) as one:
        assert list(one.callers("core", "ORDERS")) == []
        assert list(one.impact("core", "ORDERS")) == []


def test_repositories_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Both answer, under their identifiers, and the audit log names those that an answer came from and no other."""
    with contextlib.closing(Assembly(Settings(home=str(tmp_path / "home"), embedder="none", workers=1))) as assembly:
        ids = {}
        for folder, files in (("a/core", FILES["core"]), ("b/shop", FILES["shop"]), ("c/shop", FILES["shop"]), ("d/core", {"x.md": "# Nothing\n"})):
            for path, text in files.items():
                (tmp_path / folder / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / folder / path).write_text(text)
            ids[folder] = assembly.indexer.index(str(tmp_path / folder), IndexOptions(embed=False), lambda _: None).repository.id
        expected = {f"{ids[folder]}:QCLSRC/NIGHT.clle" for folder in ("b/shop", "c/shop")}
        near = LocalGateway(assembly.catalog, assembly.indexer, assembly.graph, lambda: assembly.query)
        assert {each.source.path for each in near.callers(ids["a/core"], "ORDERS")} == expected
        with gateway(assembly) as served, far(assembly, Grants(admin=True), served.grpc) as everything:
            assert {each.source.path for each in everything.callers(ids["a/core"], "ORDERS")} == expected
        assert [set(entry["repositories"]) for entry in served.entries() if entry["call"] == "Callers"] == [
            {ids["a/core"], ids["b/shop"], ids["c/shop"]}
        ]
