"""Programs of one repository that those of another call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import FileRole, FileStatus, Relation, SourceFile
from services.graph.across import elsewhere
from services.graph.api import Beside, Crossing, Pin
from services.graph.local import LocalGraph
from services.indexer.extract import extract
from services.indexer.language import language_of

CORE = {
    "QRPGLESRC/ORDERS.rpgle": "**free\ndcl-f stock;\nreturn;\n",
    "QRPGLESRC/TAXES.rpgle": "**free\nctl-opt nomain;\ndcl-proc taxOf export;\nend-proc;\ndcl-proc hidden;\nend-proc;\n",
    "QRPGLESRC/INNER.rpgle": "     C                   CALL      'ORDERS'\n",
    "QDDSSRC/STOCK.pf": "     A          R ITEM\n",
}
SHOP = {
    "QCLSRC/NIGHT.clle": "PGM\nCALL PGM(CORE/ORDERS)\nSBMJOB CMD(CALL PGM(GONE))\nENDPGM\n",
    "QRPGLESRC/DESK.rpgle": (
        "**free\ndcl-f stock;\ndcl-pr order extpgm('ORDERS') end-pr;\ndcl-pr tax extproc('TAXOF') end-pr;\ndcl-pr hidden end-pr;\n"
        "order();\ntax();\nhidden();\n"
    ),
    "QCLSRC/START.clle": "PGM\nCALL DESK\nENDPGM\n",
    "QRPGLESRC/LATE.rpgle": "**free\n/copy elsewhere,taxes_h\nx = taxOf(1);\n",
}
SWIFT = {"Sources/ORDERS.swift": "func orders() {}\nfunc main() { orders() }\n"}


@pytest.fixture
def graph(tmp_path: Path) -> Iterator[LocalGraph]:
    with closing(LocalGraph(SqliteGraph(tmp_path))) as graph:
        for name, files in (("core", CORE), ("shop", SHOP), ("copy", {"ORDERS.rpgle": CORE["QRPGLESRC/ORDERS.rpgle"]}), ("swift", SWIFT)):
            build(graph, name, files)
        yield graph


def build(graph: LocalGraph, name: str, files: Mapping[str, str]) -> None:
    graph.begin(pin(name), basis=None)
    languages = {path: found.name for path in files if (found := language_of(path)) is not None}
    graph.write(pin(name), [extract(path, text.encode(), "", languages[path]) for path, text in files.items()])
    graph.finish(pin(name), [SourceFile(path, "", len(text), languages[path], FileRole.NONE, FileStatus.INDEXED) for path, text in files.items()])


def pin(name: str) -> Pin:
    return Pin(f"{name}-0001", "g1")


def beside(*names: str) -> list[Beside]:
    return [Beside(name, pin(name)) for name in names]


def symbol(graph: LocalGraph, repository: str, path: str, name: str) -> int:
    return next(each.id for each in graph.symbols_in(pin(repository), [path]) if each.name == name)


def shown(relations: Sequence[Relation]) -> list[tuple[str, str, str, float]]:
    return [(each.source.path, each.target.path, each.edge.rule, round(each.confidence, 3)) for each in relations]


def test_a_program_is_called_from_another_repository(graph: LocalGraph) -> None:
    """By a prototype under another name, and by CL with a library; what its own repository calls is no matter of this."""
    orders = symbol(graph, "core", "QRPGLESRC/ORDERS.rpgle", "ORDERS")
    assert shown(elsewhere(graph, pin("core"), [orders], "callers", beside("shop", "swift"))) == [
        ("shop:QCLSRC/NIGHT.clle", "QRPGLESRC/ORDERS.rpgle", "U7", 0.85),
        ("shop:QRPGLESRC/DESK.rpgle", "QRPGLESRC/ORDERS.rpgle", "U7", 0.85),
    ]


def test_a_name_that_several_repositories_offer_is_less_sure(graph: LocalGraph) -> None:
    """Either may be meant: libraries are chosen when the program runs."""
    orders = symbol(graph, "core", "QRPGLESRC/ORDERS.rpgle", "ORDERS")
    assert {each.confidence for each in elsewhere(graph, pin("core"), [orders], "callers", beside("shop", "copy"))} == {0.425}
    night = symbol(graph, "shop", "QCLSRC/NIGHT.clle", "NIGHT")
    assert shown(elsewhere(graph, pin("shop"), [night], "callees", beside("core", "copy"))) == [
        ("QCLSRC/NIGHT.clle", "copy:ORDERS.rpgle", "U7", 0.425),
        ("QCLSRC/NIGHT.clle", "core:QRPGLESRC/ORDERS.rpgle", "U7", 0.425),
    ]


def test_exported_procedures_and_files_are_found_too(graph: LocalGraph) -> None:
    """Through prototypes that lead to nothing in their own repository; what is not exported is nobody else's."""
    desk = symbol(graph, "shop", "QRPGLESRC/DESK.rpgle", "DESK")
    assert shown(elsewhere(graph, pin("shop"), [desk], "callees", beside("core"))) == [
        ("QRPGLESRC/DESK.rpgle", "core:QRPGLESRC/ORDERS.rpgle", "U7", 0.85),
        ("QRPGLESRC/DESK.rpgle", "core:QRPGLESRC/TAXES.rpgle", "U8", 0.7),
    ]
    taxes = symbol(graph, "core", "QRPGLESRC/TAXES.rpgle", "taxOf")
    assert shown(elsewhere(graph, pin("core"), [taxes], "callers", beside("shop"))) == [
        ("shop:QRPGLESRC/DESK.rpgle", "QRPGLESRC/TAXES.rpgle", "U8", 0.7),
        ("shop:QRPGLESRC/LATE.rpgle", "QRPGLESRC/TAXES.rpgle", "U8", 0.7),
    ]
    stock = symbol(graph, "core", "QDDSSRC/STOCK.pf", "STOCK")
    assert shown(elsewhere(graph, pin("core"), [stock], "callers", beside("shop"))) == [("shop:QRPGLESRC/DESK.rpgle", "QDDSSRC/STOCK.pf", "U9", 0.8)]


def test_impact_goes_on_in_the_other_repository(graph: LocalGraph) -> None:
    """With the steps of both counted together, and their confidences multiplied."""
    orders = symbol(graph, "core", "QRPGLESRC/ORDERS.rpgle", "ORDERS")
    found = elsewhere(graph, pin("core"), [orders], "impact", beside("shop"))
    assert [(each.source.path, each.depth, round(each.confidence, 4)) for each in found] == [
        ("shop:QCLSRC/NIGHT.clle", 1, 0.85),
        ("shop:QRPGLESRC/DESK.rpgle", 1, 0.85),
        ("shop:QCLSRC/START.clle", 2, round(0.85 * 0.95, 4)),
    ]


def test_other_languages_are_not_joined(graph: LocalGraph) -> None:
    """A function of Swift is not called by its name from elsewhere."""
    main = symbol(graph, "swift", "Sources/ORDERS.swift", "main")
    assert elsewhere(graph, pin("swift"), [main], "callees", beside("core")) == []
    assert elsewhere(graph, pin("swift"), [main], "callers", beside("shop")) == []


def test_a_repository_that_was_replaced_meanwhile_costs_only_itself(graph: LocalGraph) -> None:
    """Its generation was swept away between the look at the catalog and this one."""
    orders = symbol(graph, "core", "QRPGLESRC/ORDERS.rpgle", "ORDERS")
    graph.delete(pin("copy"))
    gone = beside("copy", "shop")
    assert len(elsewhere(graph, pin("core"), [orders], "callers", gone)) == 2
    assert len(elsewhere(graph, pin("core"), [orders], "impact", gone)) == 3
    night = symbol(graph, "shop", "QCLSRC/NIGHT.clle", "NIGHT")
    assert len(elsewhere(graph, pin("shop"), [night], "callees", beside("copy", "core"))) == 1


def test_impact_goes_on_from_a_hundred_callers(graph: LocalGraph) -> None:
    """All callers are told, but what everybody calls does not cost a walk from everybody."""
    files = {f"QCLSRC/N{number}.clle": "PGM\nCALL PGM(ORDERS)\nENDPGM\n" for number in range(105)}
    files |= {f"QCLSRC/S{number}.clle": f"PGM\nCALL PGM(N{number})\nENDPGM\n" for number in range(105)}
    build(graph, "many", files)
    orders = symbol(graph, "core", "QRPGLESRC/ORDERS.rpgle", "ORDERS")
    depths = [each.depth for each in elsewhere(graph, pin("core"), [orders], "impact", beside("many"))]
    assert (depths.count(1), depths.count(2)) == (105, 100)


class Counted:
    """A graph service that counts how often each of its methods is called."""

    def __init__(self, graph: LocalGraph) -> None:
        self._graph = graph
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._graph, name)


PROGRAMS = 30


@pytest.fixture
def wide(graph: LocalGraph) -> LocalGraph:
    """A program that others call in a row, and ten repositories that each offer and call all of these."""
    core = {f"QCLSRC/P{number}.clle": f"PGM\nCALL PGM(P{number - 1})\nENDPGM\n" for number in range(1, PROGRAMS)}
    row = {"QCLSRC/P0.clle": "PGM\nCALL PGM(LAST)\nENDPGM\n", **core}
    build(graph, "row", row)
    for number in range(10):
        callers = {f"QCLSRC/C{each}.clle": f"PGM\nCALL PGM(P{each})\nENDPGM\n" for each in range(1, 4)}
        offers = {f"QRPGLESRC/{each}.rpgle": "**free\nreturn;\n" for each in ("P4", "P5", "LAST")}
        build(graph, f"beside{number}", {**callers, **offers})
    return graph


@pytest.mark.parametrize("crossing", ["callers", "callees", "impact"])
def test_a_question_reads_each_repository_once(wide: LocalGraph, crossing: Crossing) -> None:
    """However many symbols it is about and leads to: what a further repository costs does not grow with the others, nor with the symbols."""
    some = [symbol(wide, "row", f"QCLSRC/P{number}.clle", f"P{number}") for number in range(5)]

    def cost(repositories: int, symbols: list[int]) -> Counter[str]:
        counted = Counted(wide)
        elsewhere(counted, pin("row"), symbols, crossing, beside(*(f"beside{number}" for number in range(repositories))))  # type: ignore[arg-type]
        return counted.calls

    for name in ("files", "symbols_in", "unresolved", "edges"):
        five, ten = cost(5, some)[name], cost(10, some)[name]
        assert ten - five <= 5
        assert cost(10, some[:1])[name] == ten
    assert cost(10, some)["symbols_named"] == 0


def test_of_several_symbols_each_is_told_as_if_it_were_asked_alone(wide: LocalGraph) -> None:
    """Overloads are asked about together."""
    some = [symbol(wide, "row", f"QCLSRC/P{number}.clle", f"P{number}") for number in range(6)]
    others = beside("beside0", "beside1", "beside2")
    crossings: list[Crossing] = ["callers", "callees", "impact"]
    for crossing in crossings:
        together = elsewhere(wide, pin("row"), some, crossing, others)
        assert together == [relation for each in some for relation in elsewhere(wide, pin("row"), [each], crossing, others)]
        assert together


def test_a_procedure_that_is_exported_under_another_name_is_found_both_ways(graph: LocalGraph) -> None:
    """By the name that it is known by outside."""
    build(graph, "lib", {"QRPGLESRC/RATES.rpgle": "**free\nctl-opt nomain;\ndcl-proc rateOf export extproc('RATE_OF');\nend-proc;\n"})
    build(graph, "bank", {"QRPGLESRC/LOAN.rpgle": "**free\ndcl-pr rate extproc('RATE_OF') end-pr;\nrate();\n"})
    rate = symbol(graph, "lib", "QRPGLESRC/RATES.rpgle", "rateOf")
    loan = symbol(graph, "bank", "QRPGLESRC/LOAN.rpgle", "LOAN")
    assert [each.source.name for each in elsewhere(graph, pin("lib"), [rate], "callers", beside("bank"))] == ["LOAN"]
    assert [each.target.name for each in elsewhere(graph, pin("bank"), [loan], "callees", beside("lib"))] == ["rateOf"]
