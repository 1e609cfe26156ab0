"""What every ``GraphService`` does. A further implementation is one more parameter of ``service``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import Conflict, NotIndexed, UnknownSymbol
from exegesis.model import EdgeKind, FileRole, FileStatus, Modifier, SourceFile, Span, Symbol, SymbolKind
from services.graph.api import Beside, Crossing, Direction, GraphService, Pin
from services.graph.local import LocalGraph
from services.graph.remote import RemoteGraph, host
from services.indexer.extract import extract
from tests.fakes.code import SELF, Code, instance
from tests.fakes.loopback import loopback

PIN = Pin("shop-1234", "g1")


@pytest.fixture(params=["local", "remote"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphService]:
    local = LocalGraph(SqliteGraph(tmp_path))
    if request.param == "local":
        yield local
        return
    with loopback(host(local)) as address, closing(RemoteGraph(address)) as remote:
        yield remote


@dataclass(frozen=True)
class Shop:
    """A small shop: an entry, a checkout that pays through a protocol, two ways to pay, a test."""

    files: tuple[Code, ...]
    symbols: dict[str, Symbol]

    def __getitem__(self, name: str) -> int:
        return self.symbols[name].id


def shop() -> Shop:
    app, core, pay, test = Code("Sources/App/main"), Code("Sources/Core/Checkout"), Code("Sources/Core/Pay"), Code("Tests/CheckoutTests")
    main = app.declare(SymbolKind.FUNCTION, "main", modifiers=Modifier.ENTRY)
    checkout = core.declare(SymbolKind.CLASS, "Checkout")
    core.declare(SymbolKind.INITIALIZER, "init", checkout, labels=("payment",))
    core.declare(SymbolKind.PROPERTY, "payment", checkout, type="Payment")
    finish = core.declare(SymbolKind.METHOD, "finish", checkout)
    closure = core.declare(SymbolKind.CLOSURE, "closure@5", finish)
    note = core.declare(SymbolKind.METHOD, "note", core.declare(SymbolKind.EXTENSION, "Checkout"))
    legacy = core.declare(SymbolKind.METHOD, "legacyFinish", checkout, modifiers=Modifier.DEPRECATED)
    payment = pay.declare(SymbolKind.PROTOCOL, "Payment")
    pay.declare(SymbolKind.METHOD, "charge", payment)
    for each in ("Card", "Cash"):
        pay.declare(SymbolKind.METHOD, "charge", pay.declare(SymbolKind.STRUCT, each, inherits=("Payment",)))
    case = test.declare(SymbolKind.METHOD, "testFinish", test.declare(SymbolKind.CLASS, "CheckoutTests"))
    app.call(main, "Checkout", labels=("payment",))
    app.call(main, "finish", instance("Checkout"))
    core.call(closure, "charge", instance("Payment"))
    core.call(finish, "note", SELF)
    core.call(legacy, "finish", SELF)
    core.call(note, "print", labels=("_",))
    test.call(case, "finish", instance("Checkout"))
    files = (app, core, pay, test)
    return Shop(files, {symbol.qualified.partition("(")[0]: symbol for code in files for symbol in reversed(code.symbols)})


def build(service: GraphService, made: Shop, pin: Pin = PIN) -> None:
    service.begin(pin, basis=None)
    assert service.write(pin, (code.facts() for code in made.files)) == len(made.files)
    files = [code.file(roles=FileRole.TEST if code.path.startswith("Tests") else FileRole.NONE) for code in made.files]
    report = service.finish(pin, files)
    assert (report.relinked_files, report.symbols, report.chunks) == (len(files), *[sum(len(code.symbols) for code in made.files)] * 2)


@pytest.fixture
def built(service: GraphService) -> Shop:
    made = shop()
    build(service, made)
    return made


def names(symbols: object) -> list[str]:
    return [symbol.qualified.partition("(")[0] for symbol in symbols]  # type: ignore[attr-defined]


# ---- building


def test_report_says_what_was_built(service: GraphService) -> None:
    """Counts of a build agree with what can be read from it."""
    made = shop()
    service.begin(PIN, basis=None)
    service.write(PIN, [code.facts() for code in made.files])
    report = service.finish(PIN, [code.file() for code in made.files])
    ids = [symbol.id for code in made.files for symbol in code.symbols]
    assert report.edges == len(service.edges(PIN, ids, Direction.CALLEES, per_node=99))
    assert report.external == sum(each.external for each in service.unresolved(PIN, ids)) == 1
    assert report.statistics == service.statistics(PIN)


def test_one_generation_is_built_by_one_caller(service: GraphService) -> None:
    """A second begin of the same generation is a conflict; after an abort it is not."""
    service.begin(PIN, basis=None)
    with pytest.raises(Conflict):
        service.begin(PIN, basis=None)
    service.abort(PIN)
    service.begin(PIN, basis=None)
    service.abort(PIN)
    assert service.stored(PIN.repository) == ()


def test_nothing_can_be_written_to_a_generation_that_was_not_begun(service: GraphService) -> None:
    """Writing and finishing need a begin; reading needs a finish; aborting nothing is no error."""
    for act in (lambda: service.write(PIN, []), lambda: service.finish(PIN, []), lambda: service.files(PIN)):
        with pytest.raises(NotIndexed):
            act()
    service.abort(PIN)


def test_incremental_build_links_what_changed(service: GraphService, built: Shop) -> None:
    """A generation on top of another holds what a clean one would, and relinks no more than it must."""
    then = Pin(PIN.repository, "g2")
    pay = Code("Sources/Core/Pay")
    pay.declare(SymbolKind.METHOD, "charge", pay.declare(SymbolKind.PROTOCOL, "Payment"))
    service.begin(then, basis=PIN.generation)
    service.write(then, [pay.facts()])
    files = [code.file() for code in built.files if code.path != "Tests/CheckoutTests"]
    report = service.finish(then, files)
    assert report.relinked_files < len(files)
    assert service.symbols_named(then, ["Card", "testFinish"]) == []
    assert service.stored(PIN.repository) == ("g1", "g2")
    service.delete(PIN)
    assert service.stored(PIN.repository) == ("g2",)
    with pytest.raises(NotIndexed):
        service.files(PIN)


def test_finishing_twice_tells_the_same(service: GraphService, built: Shop) -> None:
    """What is finished stays as it is, whatever list comes with the question."""
    before = service.files(PIN)
    report = service.finish(PIN, [])
    assert report.symbols == sum(len(code.symbols) for code in built.files)
    assert (report.statistics, report.relinked_files) == (service.statistics(PIN), 0)
    assert service.files(PIN) == before


def test_rebuilt_generation_is_read_anew(service: GraphService, built: Shop) -> None:
    """A generation that is built again, as after a crash between two steps, shows its new state at once."""
    assert service.files(PIN) != []
    service.begin(PIN, basis=None)
    service.finish(PIN, [])
    assert service.files(PIN) == []


# ---- reading


def test_reading_gives_what_was_written(service: GraphService, built: Shop) -> None:
    """Symbols, chunks and terms are found by identifier, path, name and symbol."""
    finish = built.symbols["Checkout.finish"]
    assert service.symbols(PIN, [finish.id]) == {finish.id: finish}
    assert finish in service.symbols_in(PIN, [finish.path])
    assert service.symbols_at(PIN, {finish.path: [Span(finish.line, finish.line)]}) == [finish]
    assert service.symbols_named(PIN, ["FINISH"]) == [finish]
    (chunk,) = service.chunks_of_symbols(PIN, [finish.id])[finish.id]
    assert service.chunks(PIN, [chunk], text=True)[chunk].text.startswith("Checkout.finish")
    assert [each for each, _, _ in service.terms(PIN, [chunk])] == [chunk]
    assert chunk in {each.id for each in service.chunks_in(PIN, [finish.path])}
    assert service.degrees(PIN, [finish.id])[finish.id].callers == 3


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("finish", "Checkout.finish"),
        ("FINISH", "Checkout.finish"),
        ("Checkout.finish", "Checkout.finish"),
        ("Checkout::init(payment:)", "Checkout.init"),
        ("Checkout", "Checkout"),
        ("Card.charge()", "Card.charge"),
        ("Sources/Core/Checkout:2", "Checkout.init"),
        ("Checkout:5", "Checkout.finish.closure@5"),
    ],
)
def test_symbols_are_found_as_people_write_them(service: GraphService, built: Shop, written: str, first: str) -> None:
    """Names bare or qualified, with labels or without, in any case, and places."""
    found = service.find(PIN, written)[0]
    assert found.id == (built["closure@5"] if first.endswith("@5") else built[first])


def test_unknown_name_offers_the_nearest(service: GraphService, built: Shop) -> None:
    """A typing error is answered with what may have been meant."""
    with pytest.raises(UnknownSymbol, match="Checkout"):
        service.find(PIN, "Chekout")


# ---- questions


def test_callers_come_current_first_and_tests_last(service: GraphService, built: Shop) -> None:
    """The program's own call before the deprecated one before the test."""
    assert names(each.source for each in service.callers(PIN, built["Checkout.finish"])) == [
        "main",
        "Checkout.legacyFinish",
        "CheckoutTests.testFinish",
    ]


def test_callers_of_a_type_construct_it(service: GraphService, built: Shop) -> None:
    """A call of the initialiser is a use of the type."""
    assert "main" in names(each.source for each in service.callers(PIN, built["Checkout"]))


def test_callers_of_what_satisfies_a_requirement_are_possible_callers(service: GraphService, built: Shop) -> None:
    """Who calls through the protocol may call the member, less certainly than who calls it outright."""
    (possible, *_) = [each for each in service.callers(PIN, built["Card.charge"]) if each.edge.kind is EdgeKind.CALL]
    assert (possible.source.qualified, possible.target.qualified) == ("Checkout.finish()", "Payment.charge()")
    assert possible.confidence < possible.edge.confidence


def test_callees_include_those_of_closures_in_the_order_of_the_calls(service: GraphService, built: Shop) -> None:
    """What a closure calls its declaration calls; each callee once, by its first call."""
    assert names(each.target for each in service.callees(PIN, built["Checkout.finish"])) == ["Payment.charge", "Checkout.note"]


def test_impact_reaches_all_that_depend_nearest_first(service: GraphService, built: Shop) -> None:
    """Distance never falls, confidence is the product along the way, and every symbol comes once."""
    found = service.impact(PIN, built["Card.charge"])
    assert {"Checkout.finish", "Checkout.legacyFinish", "main"} <= set(names(each.source for each in found))
    assert [each.depth for each in found] == sorted(each.depth for each in found)
    assert len({each.source.id for each in found}) == len(found)
    assert all(0 < each.confidence <= 1 for each in found)
    assert len(service.impact(PIN, built["Card.charge"], limit=1)) == 1


def test_path_follows_calls_through_closures_and_requirements(service: GraphService, built: Shop) -> None:
    """From the entry to the concrete payment: through the closure and over the protocol."""
    (way,) = service.path(PIN, built["main"], built["Cash.charge"])
    assert names(each.target for each in way) == ["Checkout.finish", "Payment.charge", "Cash.charge"]
    assert [each.depth for each in way] == [1, 2, 3]
    assert way[-1].confidence == pytest.approx(way[0].edge.confidence * way[1].edge.confidence * way[2].edge.confidence)
    assert service.path(PIN, built["Cash.charge"], built["main"]) == []


@pytest.mark.parametrize(
    ("crossing", "asked", "beside", "found"),
    [
        ("callers", "core", "night", [("night:N.clle", "P.clle", 1)]),
        ("callees", "night", "core", [("N.clle", "core:P.clle", 1)]),
        ("impact", "core", "night", [("night:N.clle", "P.clle", 1), ("night:S.clle", "night:N.clle", 2)]),
    ],
)
def test_questions_go_on_in_other_repositories(
    service: GraphService, crossing: Crossing, asked: str, beside: str, found: list[tuple[str, str, int]]
) -> None:
    """As far as those can be read, and places say which repository they are in."""
    build_programs(service, "core", {"P": ""})
    build_programs(service, "night", {"N": "CALL PGM(P)\n", "S": "CALL PGM(N)\n"})
    start = {"core": "P.clle", "night": "N.clle"}[asked]
    (symbol,) = service.symbols_in(Pin(asked, "g1"), [start])
    others = [Beside(beside, Pin(beside, "g1")), Beside("gone", Pin("gone", "g1"))]
    relations = service.elsewhere(Pin(asked, "g1"), [symbol.id], crossing, others)
    assert [(each.source.path, each.target.path, each.depth) for each in relations] == found


def build_programs(service: GraphService, repository: str, bodies: dict[str, str]) -> None:
    texts = {f"{name}.clle": f"PGM\n{body}ENDPGM\n" for name, body in bodies.items()}
    service.begin(Pin(repository, "g1"), basis=None)
    service.write(Pin(repository, "g1"), [extract(path, text.encode(), "", "cl") for path, text in texts.items()])
    service.finish(Pin(repository, "g1"), [SourceFile(path, "", len(text), "cl", FileRole.NONE, FileStatus.INDEXED) for path, text in texts.items()])


def test_hubs_leave_tests_out(service: GraphService, built: Shop) -> None:
    """The most used symbols of the program come first with their degrees."""
    hubs = service.hubs(PIN, limit=2)
    assert (hubs[0].symbol.qualified, hubs[0].callers) == ("Checkout.finish()", 3)


def test_map_names_modules_their_entries_and_dependencies(service: GraphService, built: Shop) -> None:
    """Without build targets the folders below `Sources` stand for modules."""
    modules = {module.name: module for module in service.map(PIN)}
    assert set(modules) == {"Sources/App", "Sources/Core", "Tests"}
    assert modules["Sources/App"].depends_on == (("Sources/Core", 2),)
    assert names(modules["Sources/App"].entry_points) == ["main"]
    assert modules["Sources/Core"].files == 2
    assert [(module.name, module.kind, module.layer) for module in service.map(PIN)] == [
        ("Sources/Core", "", 0),
        ("Sources/App", "", 1),
        ("Tests", "tests", 1),
    ]


def test_a_large_module_is_told_in_parts(service: GraphService) -> None:
    """Files that use each other form a part, named by the words of its types, with those first that most else uses."""
    files = []
    for group, size in (("Parser", 8), ("Printer", 6)):
        for number in range(size):
            code = Code(f"Sources/Tool/{group}{number}")
            whole = code.declare(SymbolKind.STRUCT, f"{group}Part{number}")
            code.declare(SymbolKind.INITIALIZER, "init", whole)
            user = code.declare(SymbolKind.METHOD, f"use{group}{number}", whole)
            for other in range(size):
                if other != number:
                    code.call(user, f"{group}Part{other if number else 1}")
            code.call(user, f"{group}Part0")
            files.append(code)
    service.begin(PIN, basis=None)
    service.write(PIN, [code.facts() for code in files])
    service.finish(PIN, [code.file() for code in files])
    (module,) = service.map(PIN)
    assert [(part.files, part.name.partition(",")[0]) for part in module.parts] == [(8, "parser"), (6, "printer")]
    assert [part.central[0].name for part in module.parts] == ["ParserPart0", "PrinterPart0"]


def test_only_through_names_what_depends_on_the_symbol_alone(service: GraphService, built: Shop) -> None:
    """The checkout leads to paying and noting, and nothing else outside of tests does."""
    found = service.only_through(PIN, [built["Checkout.finish"]])
    assert [relation.depth for relation in found.relations] == [1, 1, 2, 2]
    assert names(relation.target for relation in found.relations) == ["Checkout.note", "Payment.charge", "Card.charge", "Cash.charge"]
    assert found.total == 4
    assert service.only_through(PIN, [built["Checkout.note"]]).total == 0


def test_only_through_a_bounded_list_says_how_many_there_are(service: GraphService, built: Shop) -> None:
    """A limit cuts the list, not the count."""
    found = service.only_through(PIN, [built["Checkout.finish"]], limit=1)
    assert (len(found.relations), found.total) == (1, 4)


def test_always_with_counts_callers(service: GraphService, built: Shop) -> None:
    """One caller that calls two things says nothing."""
    assert list(service.always_with(PIN, [built["Payment.charge"]])) == []


def test_entries_circles_and_dead_ends_of_the_shop(service: GraphService, built: Shop) -> None:
    """Control comes in at main; nothing goes round; the legacy way is dead, and so is nothing that a test uses."""
    assert service.entry_points(PIN)[0].symbol.id == built["main"]
    assert list(service.cycles(PIN)) == []
    assert names(service.dead_ends(PIN)) == ["Checkout.legacyFinish"]


def test_questions_about_unknown_symbols_are_refused(service: GraphService, built: Shop) -> None:
    """An identifier of another generation gets an error, not an empty answer."""
    for ask in (service.callers, service.callees, service.impact):
        with pytest.raises(UnknownSymbol):
            ask(PIN, 12345)


def test_build_targets_name_modules(service: GraphService) -> None:
    """Where targets are known they are the modules, and a target that is not imported is not called."""
    made = shop()
    service.begin(PIN, basis=None)
    service.write(PIN, [code.facts() for code in made.files])
    targets = {"Sources/App/main": "App", "Tests/CheckoutTests": "Tests"}
    service.finish(PIN, [replace(code.file(), module=targets.get(code.path, "Core")) for code in made.files])
    assert {module.name for module in service.map(PIN)} == {"App", "Core", "Tests"}
    assert "main" not in names(each.source for each in service.callers(PIN, made["Checkout"]))


def test_descriptions_are_those_of_the_content(service: GraphService, built: Shop) -> None:
    """A further build of the same files says the same, small ones on request; what is not built cannot be described."""
    then = Pin(PIN.repository, "again")
    build(service, built, then)
    assert service.descriptions(PIN) == service.descriptions(then)
    (checkout,) = [each for each in service.descriptions(PIN, small=True) if each.symbol == built["Checkout"]]
    assert "`finish`" in checkout.text
    assert checkout not in service.descriptions(PIN)
    with pytest.raises(NotIndexed):
        service.descriptions(Pin(PIN.repository, "never"))
