"""What every ``GraphStore`` does. A further implementation is one more parameter of ``store``."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.adapters.postgres_graph import PostgresGraph
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import CorruptIndex, NotIndexed, Unavailable, UsageError
from exegesis.model import (
    Argument,
    Binding,
    Chunk,
    ChunkKind,
    Edge,
    EdgeKind,
    ExactFacts,
    ExactRole,
    ExactSymbol,
    ExactTie,
    ExactUse,
    FileFacts,
    FileRole,
    FileStatus,
    Modifier,
    Parameter,
    Reference,
    ReferenceKind,
    SourceFile,
    Span,
    Step,
    StepKind,
    Symbol,
    SymbolKind,
    Tier,
    Unresolved,
)
from exegesis.ports import Degrees, GraphDraft, GraphReader, GraphStore
from exegesis.terms import document_terms, pack, term_id
from tests.fakes.code import SELF, Code, called, name
from tests.fakes.postgres_server import PostgresServer

REPOSITORY = "shop-1234"


class Divided:
    """A store whose generations one machine writes and another one reads."""

    def __init__(self, writer: GraphStore, reader: GraphStore) -> None:
        self.draft, self.delete, self.generations = writer.draft, writer.delete, writer.generations
        self.open, self.share = reader.open, reader.share


@pytest.fixture(params=["sqlite", "postgres", "postgres, elsewhere"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    if request.param == "sqlite":
        yield SqliteGraph(tmp_path / "graph")
        return
    postgres: PostgresServer = request.getfixturevalue("postgres")
    address = postgres.fresh_schema()
    folders = [tmp_path / "one", tmp_path / "other"] if "elsewhere" in request.param else [tmp_path / "graph"]
    stores = [PostgresGraph(address, folder) for folder in folders]
    yield Divided(*stores) if len(stores) > 1 else stores[0]
    for each in stores:
        each.close()


def code() -> Code:
    """A file with a class of two methods, one of which has a closure, and a caller of both."""
    file = Code("Sources/Cart.swift", imports=("Foundation",))
    cart = file.declare(SymbolKind.CLASS, "Cart", inherits=("Base",), generics=(("Item", ""),))
    total = file.declare(SymbolKind.METHOD, "total", cart, labels=("_", "in"), defaults=("in",), type="Decimal")
    file.declare(SymbolKind.CLOSURE, "closure@3", total)
    file.declare(SymbolKind.METHOD, "empty", cart, modifiers=Modifier.ENTRY)
    file.call(total, "empty", SELF, name("lines"), called("first", "where"))
    return file


def write(draft: GraphDraft, *facts: FileFacts) -> None:
    draft.put_facts(facts)
    draft.put_files([SourceFile(each.path, each.digest, 1, "test", FileRole.NONE, FileStatus.INDEXED) for each in facts])


def built(store: GraphStore, *facts: FileFacts, generation: str = "g1", basis: str | None = None) -> GraphReader:
    draft = store.draft(REPOSITORY, generation, basis=basis)
    write(draft, *facts)
    draft.commit()
    return store.open(REPOSITORY, generation)


def edge(source: Symbol, target: Symbol, *, kind: EdgeKind = EdgeKind.CALL, confidence: float = 0.95, line: int = 1) -> Edge:
    return Edge(source.id, target.id, kind, "T1", Tier.TYPED, confidence, line, 1)


# ---- facts come back as they went in


def test_symbols_come_back_whole(store: GraphStore) -> None:
    """Every field of a symbol survives."""
    file = Code("a")
    owner = file.declare(SymbolKind.CLASS, "Owner")
    whole = replace(
        file.declare(SymbolKind.METHOD, "run", owner, labels=("_",)),
        span=Span(3, 9),
        line=5,
        column=7,
        signature="func run(_ x: X...) -> Y",
        doc="Runs.\n\nWith “care”.",
        modifiers=Modifier.STATIC | Modifier.DEPRECATED,
        parameters=(Parameter("_", "x", "X", has_default=True, variadic=True), Parameter("at", "y", "")),
        type="Array<Y>",
        inherits=("A.B", "C<D>"),
        generics=(("T", "Equatable"), ("U", "")),
        initializer=(Step(StepKind.METATYPE, "Foo"), Step(StepKind.CALL, "make", ("for", "_"))),
    )
    file.symbols[-1] = whole
    reader = built(store, file.facts())
    assert reader.symbols([whole.id, owner.id, 7]) == {whole.id: whole, owner.id: owner}


def test_references_come_back_whole_and_in_order(store: GraphStore) -> None:
    """What linking reads is what parsing wrote: every field, in the order of the text."""
    file = code()
    source = file.symbols[1].id
    file.references.append(
        Reference(ReferenceKind.ACCESS, "größe", 70_000, 300, source, (Step(StepKind.IMPLICIT),), ("a", "_"), 2, "Dictionary<K, V>")
    )
    given = (
        Argument((Step(StepKind.LITERAL, "Int"),)),
        Argument((Step(StepKind.SELF), Step(StepKind.CALL, "f", ("x",)), Step(StepKind.ARGUMENT, "+0"))),
    )
    file.references.append(Reference(ReferenceKind.CALL, "f", 70_001, 3, source, labels=("_", "_"), arguments=given))
    draft = store.draft(REPOSITORY, "g1", basis=None)
    draft.put_facts([file.facts()])
    (facts,) = draft.references_in(["Sources/Cart.swift", "nowhere"])
    assert (facts.path, facts.references, facts.imports) == (file.path, tuple(file.references), ("Foundation",))
    draft.discard()


def test_chunks_come_back_with_every_line(store: GraphStore) -> None:
    """Text is stored exactly, line ends and odd characters included; without text the rest is the same."""
    text = "\tfunc f() {\r\n  // \u2028 é \x00 \U0001f600\n}"
    chunk = Chunk(5, "a", ChunkKind.TYPE, (Span(1, 2), Span(9, 9)), text, 11, SymbolKind.CLASS, "F", "M.F", "M", "class F", "Doc", 1, 3)
    plain = Chunk(6, "a", ChunkKind.GAP, (Span(3, 8),), "x")
    reader = built(store, FileFacts("a", "d", "test", (), (), (chunk, plain), (b"", b"")))
    assert reader.chunks([5, 6, 7], text=True) == {5: chunk, 6: plain}
    assert reader.chunks([5], text=False) == {5: replace(chunk, text="")}
    assert reader.chunks_in(["a"], text=True) == [chunk, plain]


def test_parts_of_a_symbol_come_in_order(store: GraphStore) -> None:
    """A symbol that was cut into several chunks lists them first to last."""
    chunks = tuple(Chunk(9 - part, "a", ChunkKind.SYMBOL, (Span(part + 1, part + 1),), "x", 11, part=part, parts=3) for part in range(3))
    reader = built(store, FileFacts("a", "d", "test", (), (), chunks, (b"",) * 3))
    assert reader.chunks_of_symbols([11, 12]) == {11: (9, 8, 7)}


def test_files_and_imports_come_back(store: GraphStore) -> None:
    """Every file that was seen is listed, indexed or not, by path; imports by file."""
    draft = store.draft(REPOSITORY, "g1", basis=None)
    draft.put_facts([code().facts()])
    files = [
        SourceFile("Sources/Cart.swift", "ab", 10, "test", FileRole.UI | FileRole.TEST, FileStatus.INDEXED, module="Shop"),
        SourceFile("Logo.png", "", 99, "", FileRole.NONE, FileStatus.SKIPPED, "binary"),
    ]
    draft.put_files(files)
    draft.commit()
    reader = store.open(REPOSITORY, "g1")
    assert [row.file for row in reader.files()] == [files[1], files[0]]
    assert [row.file for row in reader.files(["Logo.png", "gone"])] == [files[1]]
    assert reader.imports() == {"Sources/Cart.swift": ("Foundation",)}


def test_bindings_come_back(store: GraphStore) -> None:
    """Names that imports bind, in their order, of the files that have any, all at once and with the references of a file."""
    bindings = (Binding("c", "shop.cart"), Binding("*", ".", "*"), Binding("größe", "", "size"))
    bound, plain = Code("main.py", language="python", bindings=bindings), code()
    bound.declare(SymbolKind.FUNCTION, "run")
    reader = built(store, bound.facts(), plain.facts())
    assert reader.bindings() == {"main.py": bindings}
    draft = store.draft(REPOSITORY, "g2", basis=None)
    draft.put_facts([bound.facts()])
    assert [facts.bindings for facts in draft.references_in(["main.py"])] == [bindings]
    draft.discard()


# ---- looking things up


def test_names_are_found_whatever_their_case(store: GraphStore) -> None:
    """`CART` finds `Cart`, and results come by path and line."""
    reader = built(store, code().facts())
    assert [symbol.name for symbol in reader.symbols_named(["CART", "Total"])] == ["Cart", "total"]
    assert [symbol.name for symbol in reader.symbols_in(["Sources/Cart.swift"])] == ["Cart", "total", "closure@3", "empty"]
    assert list(reader.all_symbols()) == list(reader.symbols_in(["Sources/Cart.swift"]))
    assert [symbol.name for symbol in reader.all_symbols({SymbolKind.CLASS, SymbolKind.ENUM})] == ["Cart"]
    assert reader.names() == ["Cart", "empty", "total"]
    assert [symbol.name for symbol in reader.entry_points()] == ["empty"]
    assert reader.symbol_counts() == {"Sources/Cart.swift": 4}


def test_symbols_are_found_by_the_lines_of_their_names(store: GraphStore) -> None:
    """Of each file those on the lines of any of its runs; a file without runs or without facts has none."""
    file = code()
    _, total, closure, empty = file.symbols
    reader = built(store, file.facts())
    runs = [Span(closure.line, closure.line), Span(empty.line, empty.line + 50)]
    assert total.line not in {closure.line, *range(empty.line, empty.line + 51)}
    assert reader.symbols_at({file.path: runs, "Gone.swift": [Span(1, 99)]}) == [closure, empty]
    assert reader.symbols_at({file.path: []}) == []


def test_closures_belong_to_the_declaration_around_them(store: GraphStore) -> None:
    """However deeply closures are nested, the declaration has them all, and each knows its declaration."""
    file = code()
    outer = file.symbols[2]
    inner = file.declare(SymbolKind.CLOSURE, "closure@9", outer)
    reader = built(store, file.facts())
    total = file.symbols[1].id
    assert reader.closures_in([total, file.symbols[3].id]) == {total: tuple(sorted((outer.id, inner.id)))}
    assert reader.owners([inner.id, outer.id, total]) == {inner.id: total, outer.id: total}


def test_terms_and_vocabulary_count_chunks_and_files(store: GraphStore) -> None:
    """A term's entry says in how many chunks and in how many files it stands; unknown terms have none."""
    first, second = Code("a"), Code("b")
    for file in (first, first, second):
        file.declare(SymbolKind.FUNCTION, "refund" if file is first else "charge")
    reader = built(store, first.facts(), second.facts())
    refund, charge, unknown = term_id("refund"), term_id("charg"), term_id("nothing")
    assert reader.vocabulary([refund, charge, unknown]) == {refund: (2, 1), charge: (1, 1)}
    chunks = [*first.facts().chunks, *second.facts().chunks]
    assert list(reader.terms()) == sorted(
        ((chunk.id, chunk.path, pack(document_terms(chunk))) for chunk in chunks), key=lambda each: (each[1], [c.id for c in chunks].index(each[0]))
    )
    assert [each[0] for each in reader.terms([chunks[2].id])] == [chunks[2].id]
    assert (reader.statistics().chunks, reader.statistics().files) == (3, 2)


def test_in_degree_counts_other_files_that_say_a_telling_name(store: GraphStore) -> None:
    """What is only passed on is said as well. Tests do not count, nor does the file itself, nor short names, nor names that three files define."""
    target, user, test, short = Code("target"), Code("user"), Code("test"), Code("short")
    index = Code("index", bindings=(Binding("recover", "./target", "reconcile"),))
    target.declare(SymbolKind.FUNCTION, "reconcile")
    short.declare(SymbolKind.FUNCTION, "run")
    for file in (target, user, test):
        caller = file.declare(SymbolKind.FUNCTION, "everywhere")
        for each in ("reconcile", "run", "everywhere"):
            file.call(caller, each)
    draft = store.draft(REPOSITORY, "g1", basis=None)
    files = (target, user, test, short, index)
    draft.put_facts([file.facts() for file in files])
    draft.put_files([file.file(roles=FileRole.TEST if file is test else FileRole.NONE) for file in files])
    draft.commit()
    degrees = {row.file.path: row.indegree for row in store.open(REPOSITORY, "g1").files()}
    assert degrees == {"target": 2, "user": 0, "test": 0, "short": 0, "index": 0}


# ---- edges


def linked(store: GraphStore, file: Code, edges: list[Edge], unresolved: list[Unresolved] | None = None) -> GraphReader:
    draft = store.draft(REPOSITORY, "g1", basis=None)
    write(draft, file.facts())
    draft.put_links(file.path, edges, unresolved or [], ["Cart", "total"])
    draft.commit()
    return store.open(REPOSITORY, "g1")


def test_edges_are_capped_for_each_node_most_confident_first(store: GraphStore) -> None:
    """The cap holds for each symbol by itself, and keeps the most confident, then the first call site."""
    file = Code("a")
    nodes = [file.declare(SymbolKind.FUNCTION, f"f{index}") for index in range(4)]
    sites = zip(nodes, (0.3, 0.95, 0.97, 0.97), (1, 2, 9, 3), strict=True)
    edges = [edge(nodes[0], node, confidence=confidence, line=line) for node, confidence, line in sites]
    reader = linked(store, file, [*edges, edge(nodes[1], nodes[2])])
    assert reader.edges_from([nodes[0].id, nodes[1].id], per_node=2) == [edges[3], edges[2], edge(nodes[1], nodes[2])]
    assert [each.confidence for each in reader.edges_to([nodes[2].id], per_node=9)] == [0.97, 0.95]
    assert sorted(each.line for each in reader.edges_from([node.id for node in nodes], per_node=9)) == [1, 1, 2, 3, 9]


def test_edges_can_be_asked_for_by_kind(store: GraphStore) -> None:
    """Structure does not take the places of calls under a cap."""
    file = Code("a")
    one, two = (file.declare(SymbolKind.FUNCTION, each) for each in ("one", "two"))
    types = [edge(one, two, kind=EdgeKind.TYPE, confidence=0.97, line=line) for line in range(5)]
    call = edge(one, two, line=50)
    reader = linked(store, file, [*types, call])
    assert reader.edges_from([one.id], per_node=2, kinds={EdgeKind.CALL}) == [call]
    assert reader.edges_to([two.id], per_node=2, kinds={EdgeKind.TYPE}) == types[:2]
    assert len(reader.edges_from([one.id], per_node=9)) == 6


def test_edges_of_many_are_those_of_each(store: GraphStore) -> None:
    """Whatever the cap, and whether few or all of the symbols exceed it, edges come symbol by symbol as they were asked for."""
    file = Code("a")
    nodes = [file.declare(SymbolKind.FUNCTION, f"f{index}") for index in range(6)]
    kinds = (EdgeKind.CALL, EdgeKind.TYPE, EdgeKind.ACCESS)
    edges = [
        edge(source, nodes[line % 6], kind=kinds[line % 3], confidence=0.6 + line % 4 / 10, line=line)
        for number, source in enumerate(nodes)
        for line in range(number * 3)
    ]
    reader = linked(store, file, edges)
    asked = [node.id for node in (nodes[3], nodes[0], nodes[5], nodes[4], nodes[1])]
    for cap in range(1, 20):
        for kinds_asked in (None, {EdgeKind.CALL, EdgeKind.TYPE}):
            alone = [each for node in asked for each in reader.edges_from([node], per_node=cap, kinds=kinds_asked)]
            assert reader.edges_from(asked, per_node=cap, kinds=kinds_asked) == alone
    assert reader.edges_from([], per_node=3) == []


def test_degrees_count_distinct_ends_of_what_runs(store: GraphStore) -> None:
    """Two calls of the same function make one callee; a type that is named makes none."""
    file = Code("a")
    one, two, three = (file.declare(SymbolKind.FUNCTION, each) for each in ("one", "two", "three"))
    calls = [edge(one, two), edge(one, two, line=2), edge(three, two)]
    others = [edge(one, three, kind=EdgeKind.TYPE), edge(three, one, kind=EdgeKind.ACCESS)]
    reader = linked(store, file, [*calls, *others])
    assert reader.degrees([one.id, two.id, 7]) == {one.id: Degrees(1, 1), two.id: Degrees(2, 0), 7: Degrees(0, 0)}
    assert reader.busiest(1) == [(two.id, 2)]
    assert reader.edges_between_files() == [("a", "a", 5)]


def test_a_file_does_not_depend_on_the_code_that_its_prototypes_declare(store: GraphStore) -> None:
    """The tie from a prototype to its procedure says what belongs together, not who needs whom."""
    file = Code("a")
    prototype, one = file.declare(SymbolKind.PROTOTYPE, "one"), file.declare(SymbolKind.PROCEDURE, "one")
    reader = linked(store, file, [edge(prototype, one, kind=EdgeKind.EXTEND), edge(one, prototype)])
    assert reader.edges_between_files() == [("a", "a", 1)]


def test_what_could_not_be_resolved_is_kept(store: GraphStore) -> None:
    """Names, places and numbers of candidates come back by caller; totals tell inside from outside."""
    file = Code("a")
    one = file.declare(SymbolKind.FUNCTION, "one")
    missing = [Unresolved(one.id, "send", 3, 1, 2, external=False), Unresolved(one.id, "print", 4, 1, 0, external=True)]
    reader = linked(store, file, [], missing)
    assert reader.unresolved([one.id, 9]) == missing
    assert (reader.totals().unresolved, reader.totals().external) == (1, 1)


# ---- building


def recorded(path: str) -> ExactFacts:
    """What a compiler may say of a file."""
    symbols = (ExactSymbol("s:4Cart", "Cart", 1, 1), ExactSymbol("s:4Cart\u00e9", "init()", 1, 1, "s:4Cart", stands_for_owner=True))
    uses = (ExactUse("s:5print", 5, 5, ExactRole.CALL, "s:4Cart"), ExactUse("s:4Cart", 5, 9, ExactRole.CALL | ExactRole.IMPLICIT))
    return ExactFacts(path, is_fresh=True, symbols=symbols, uses=uses, ties=(ExactTie(EdgeKind.OVERRIDE, "s:4Cart", "s:4Base", 1, 1),))


def test_what_a_compiler_recorded_comes_back_whole_or_without_its_uses(store: GraphStore) -> None:
    """Symbols and ties are wanted of all files, uses only of those that are linked."""
    file = code()
    draft = store.draft(REPOSITORY, "g1", basis=None)
    draft.put_facts([file.facts()])
    draft.put_exact([recorded(file.path), recorded("nobody/knows/this")])
    draft.put_files([file.file()])
    draft.commit()
    reader = store.open(REPOSITORY, "g1")
    assert list(reader.exact(uses=True)) == [recorded(file.path)]
    assert list(reader.exact([file.path, "other"], uses=False)) == [replace(recorded(file.path), uses=())]


@pytest.mark.parametrize("change", ["taken away", "written anew", "no longer listed"])
def test_what_a_compiler_recorded_goes_with_its_file(store: GraphStore, change: str) -> None:
    """It is of one text of one file, and of nothing once that is another or gone."""
    file = code()
    draft = store.draft(REPOSITORY, "g1", basis=None)
    draft.put_facts([file.facts()])
    draft.put_exact([recorded(file.path)])
    if change == "taken away":
        draft.put_exact([ExactFacts(file.path, is_fresh=False)])
    elif change == "written anew":
        draft.put_facts([file.facts()])
    else:
        draft.put_files([])
    assert list(draft.exact(uses=True)) == []


def test_rewriting_a_file_forgets_what_it_was(store: GraphStore) -> None:
    """Symbols, chunks, terms and edges of the earlier state are gone, those of other files stay."""
    first, other = Code("a"), Code("b")
    old, kept = first.declare(SymbolKind.FUNCTION, "old"), other.declare(SymbolKind.FUNCTION, "kept")
    draft = store.draft(REPOSITORY, "g1", basis=None)
    write(draft, first.facts(), other.facts())
    draft.put_links("a", [edge(old, kept)], [Unresolved(old.id, "x", 1, 1, 0, external=True)], ["kept"])
    draft.put_links("b", [edge(kept, old)], [], ["old"])
    draft.commit()
    anew = Code("a")
    anew.declare(SymbolKind.FUNCTION, "new")
    reader = built(store, anew.facts(), other.facts(), generation="g2", basis="g1")
    assert [symbol.name for symbol in reader.all_symbols()] == ["new", "kept"]
    assert reader.vocabulary([term_id("old")]) == {}
    assert reader.unresolved([old.id]) == []
    assert [symbol.name for symbol in store.open(REPOSITORY, "g1").all_symbols()] == ["old", "kept"]


def test_files_that_are_no_longer_listed_or_indexed_are_forgotten(store: GraphStore) -> None:
    """What disappears from the list of files disappears from everything."""
    codes = [Code(path) for path in ("a", "b", "c")]
    for file in codes:
        file.declare(SymbolKind.FUNCTION, f"in_{file.path}")
    built(store, *(file.facts() for file in codes))
    draft = store.draft(REPOSITORY, "g2", basis="g1")
    draft.put_files([codes[0].file(), replace(codes[1].file(), status=FileStatus.FAILED, reason="took too long")])
    draft.commit()
    reader = store.open(REPOSITORY, "g2")
    assert [symbol.name for symbol in reader.all_symbols()] == ["in_a"]
    assert [row.file.path for row in reader.files()] == ["a", "b"]
    assert reader.totals().chunks == 1


def test_files_are_known_by_the_names_they_asked_for(store: GraphStore) -> None:
    """Asking for a name brings the files whose links depend on it, also where nothing was found."""
    draft = store.draft(REPOSITORY, "g1", basis=None)
    write(draft, *(Code(path).facts() for path in ("a", "b", "c")))
    draft.put_links("a", [], [], ["Cart", "total"])
    draft.put_links("b", [], [], ["total"])
    draft.put_links("c", [], [], [])
    assert draft.files_consulting(["total"]) == ["a", "b"]
    assert draft.files_consulting(["Cart", "nobody"]) == ["a"]
    assert draft.files_consulting([]) == ()
    draft.discard()


def test_draft_shows_its_present_state(store: GraphStore) -> None:
    """A draft answers as a reader before it is committed."""
    draft = store.draft(REPOSITORY, "g1", basis=None)
    draft.put_facts([code().facts()])
    assert [symbol.name for symbol in draft.symbols_named(["cart"])] == ["Cart"]
    draft.discard()


def test_equal_symbols_of_one_file_cost_nothing_but_themselves(store: GraphStore) -> None:
    """A parser's mistake, two symbols with one identifier, does not stop the build: the first stays."""
    file = Code("a")
    one = file.declare(SymbolKind.FUNCTION, "one")
    file.symbols.append(replace(one, name="two"))
    reader = built(store, file.facts())
    assert [symbol.name for symbol in reader.all_symbols()] == ["one"]


# ---- generations


def test_generation_is_invisible_until_it_is_committed(store: GraphStore) -> None:
    """Nobody opens a draft; a discarded one leaves nothing behind."""
    draft = store.draft(REPOSITORY, "g1", basis=None)
    with pytest.raises(NotIndexed):
        store.open(REPOSITORY, "g1")
    assert store.generations(REPOSITORY) == ("g1",)
    draft.discard()
    assert store.generations(REPOSITORY) == ()


def test_killed_build_is_listed_and_replaced(store: GraphStore) -> None:
    """A stray draft is what a collector sees, and the next build of the generation begins anew."""
    store.draft(REPOSITORY, "g1", basis=None).put_facts([code().facts()])
    assert store.generations(REPOSITORY) == ("g1",)
    reader = built(store, Code("b").facts())
    assert [row.file.path for row in reader.files()] == ["b"]


def test_reader_survives_the_deletion_of_its_generation(store: GraphStore) -> None:
    """A question that has begun is answered to its end."""
    reader = built(store, code().facts())
    store.delete(REPOSITORY, "g1")
    assert len(reader.symbols_named(["cart"])) == 1
    assert store.generations(REPOSITORY) == ()
    with pytest.raises(NotIndexed):
        store.open(REPOSITORY, "g1")
    store.delete(REPOSITORY, "g1")


def test_basis_that_does_not_exist_is_refused(store: GraphStore) -> None:
    """Building on nothing is an error, not an empty index."""
    with pytest.raises(NotIndexed):
        store.draft(REPOSITORY, "g2", basis="g1")


@pytest.mark.parametrize("identifier", ["../g1", "", ".", "a/b", "x" * 300])
def test_identifiers_cannot_leave_the_store(store: GraphStore, identifier: str) -> None:
    """Names that are no plain identifiers are refused before they reach the file system."""
    with pytest.raises(UsageError):
        store.open(REPOSITORY, identifier)
    with pytest.raises(UsageError):
        store.generations(identifier)


def test_reader_may_be_used_from_several_threads(store: GraphStore) -> None:
    """Ten threads that ask at once each get their own answer."""
    files = [Code(f"f{index}") for index in range(10)]
    for index, file in enumerate(files):
        file.declare(SymbolKind.FUNCTION, f"name{index}")
    reader = built(store, *(file.facts() for file in files))
    wrong: list[str] = []

    def ask(index: int) -> None:
        for _ in range(30):
            found = [symbol.path for symbol in reader.symbols_named([f"name{index}"])]
            chunks = reader.chunks_in([f"f{index}"], text=True)
            if found != [f"f{index}"] or len(chunks) != 1:
                wrong.append(f"{index}: {found}")

    threads = [threading.Thread(target=ask, args=(index,)) for index in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_no_draft_is_begun_where_there_is_little_room(tmp_path: Path) -> None:
    """Before anything is written; what is there can be read."""
    built(SqliteGraph(tmp_path), code().facts()).close()
    store = SqliteGraph(tmp_path, reserve_bytes=1 << 60)
    for basis in (None, "g1"):
        with pytest.raises(Unavailable, match="MiB are free"):
            store.draft(REPOSITORY, "g2", basis=basis)
    assert store.generations(REPOSITORY) == ("g1",)
    store.open(REPOSITORY, "g1").close()


def test_damaged_file_is_reported_as_such(tmp_path: Path) -> None:
    """A generation that does not read as what was written raises ``CorruptIndex``, for garbage and for another format alike."""
    store = SqliteGraph(tmp_path)
    built(store, code().facts()).close()
    (file,) = (tmp_path / REPOSITORY).glob("*.db")
    content = file.read_bytes()
    for damaged in (b"not a database", b"", os.urandom(len(content))):
        file.write_bytes(damaged)
        with pytest.raises(CorruptIndex):
            store.open(REPOSITORY, "g1")


def test_damage_inside_a_file_is_reported_when_it_is_met(tmp_path: Path) -> None:
    """Pages that were overwritten after the header still give ``CorruptIndex``, not an error of the database library."""
    store = SqliteGraph(tmp_path)
    files = [Code(f"f{index}") for index in range(40)]
    for file in files:
        file.declare(SymbolKind.FUNCTION, f"name_{file.path}")
    built(store, *(file.facts() for file in files)).close()
    (path,) = (tmp_path / REPOSITORY).glob("*.db")
    content = bytearray(path.read_bytes())
    content[3 * 4096 :] = os.urandom(len(content) - 3 * 4096)
    path.write_bytes(content)
    with pytest.raises(CorruptIndex):
        list(store.open(REPOSITORY, "g1").all_symbols())


def test_draft_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """A cache folder that vanishes during a build is reported with a hint."""
    draft = SqliteGraph(tmp_path).draft(REPOSITORY, "g1", basis=None)
    shutil.rmtree(tmp_path)
    with pytest.raises(Unavailable):
        draft.commit()
