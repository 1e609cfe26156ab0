"""What calls mean in Swift sources, from the text to the edge: the parts that need parser and linker to agree."""

from __future__ import annotations

import pytest

from exegesis.model import Edge, ReferenceKind, Symbol
from services.graph.link import link
from services.graph.table import FileContext, SymbolTable
from services.indexer.extract import extract

MODEL = """
enum Event { case next(Item), failed(Failure), done }
enum Failure { case late(by: Int), lost }
enum Kind { case next, done }
struct Item { var name: String; func weigh() {} ; func weigh(twice: Bool) {} }
class Box<Value> {
    var value: Value
    func each(_ body: (Value) -> Void) {}
    func each(_ body: (Value, Int) -> Void) {}
    func open(then body: (Value) -> Void, otherwise: (Failure) -> Void) {}
    func take() -> Value { value }
}
protocol Sink { func put(_ event: Event) }
extension Sink { func put(_ name: String) {} ; func put(kind: Kind) {} ; func put(number: Int) {} }
struct Log: Sink { func put(_ event: Event) {} ; func put(_ body: (Log) -> Void) {} }
func run(_ body: (Log) -> Void) {}
func choose(_ item: Item) {}
func choose(_ kind: Kind) {}
func choose(_ items: [Item]) {}
func choose(_ range: ClosedRange<Int>) {}
func choose(_ name: String) {}
func pack(item: Item) {}
extension String { func trimmedToWords() {} ; func append() {} }
enum Mode: String { case fast }
func deliver(item: Item, twice: Bool = false) {}
@available(*, deprecated) func deliver(item: Item) {}
extension Collection { func tally() {} }
class Shape { init(side: Int) {} }
class Square: Shape { func draw() {} }
"""


def resolved(code: str) -> list[tuple[Edge, Symbol]]:
    """Edges of the calls of a function that has this body, beside the model in another file, in the order of the text, with what they lead to."""
    files = [
        extract(path, text.encode(), "", "swift")
        for path, text in (("Model.swift", MODEL), ("Use.swift", f"func use(box: Box<Item>, log: Log, event: Event) {{\n{code}\n}}\n"))
    ]
    symbols = {symbol.id: symbol for file in files for symbol in file.symbols}
    table = SymbolTable(symbols.values(), {file.path: FileContext() for file in files})
    calls = {(reference.line, reference.column) for reference in files[1].references if reference.kind is ReferenceKind.CALL}
    found = [(edge, symbols[edge.target]) for edge in link(files[1], table).edges if (edge.line, edge.column) in calls]
    return sorted(found, key=lambda each: (each[0].line, each[0].column))


def meanings(code: str) -> list[str]:
    """What the calls of the body mean, with the types of its parameters."""
    return [f"{target.qualified}: {', '.join(each.type for each in target.parameters)}".removesuffix(": ") for _, target in resolved(code)]


def rules(code: str) -> list[str]:
    return [edge.rule for edge, _ in resolved(code)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("box.each { $0.weigh() }", ["Box.each(_:): Function<Void, Value>", "Item.weigh()"]),
        ("box.each { item, _ in item.weigh() }", ["Box.each(_:): Function<Void, Value, Int>", "Item.weigh()"]),
        (
            "box.open(then: { $0.weigh() }, otherwise: { _ in })",
            ["Box.open(then:otherwise:): Function<Void, Value>, Function<Void, Failure>", "Item.weigh()"],
        ),
        ("run { $0.put(.done) }", ["run(_:): Function<Void, Log>", "Log.put(_:): Event"]),
        ("run { log in log.put(kind: .done) }", ["run(_:): Function<Void, Log>", "Sink.put(kind:): Kind"]),
    ],
)
def test_closures_are_given_what_the_callee_says(code: str, expected: list[str]) -> None:
    """The parameters of a closure have the types that the function it is passed to declares, generic arguments filled in."""
    assert meanings(code) == expected


@pytest.mark.parametrize(
    ("argument", "type_"),
    [
        ('"name"', "String"),
        (".next", "Kind"),
        ('Item(name: "a")', "Item"),
        ("[box.take()]", "Array<Item>"),
        ("1...2", "ClosedRange<Int>"),
        ("box.value", "Item"),
    ],
)
def test_arguments_tell_overloads_apart(argument: str, type_: str) -> None:
    """Literals, constructor calls, leading dots and typed values choose among declarations with the same labels."""
    assert f"choose(_:): {type_}" in meanings(f"choose({argument})")


def test_what_a_type_overloads_hides_nothing_that_only_its_protocol_suits() -> None:
    """A nearer declaration whose types do not fit gives way to a farther one whose types do."""
    assert meanings('log.put("name")') == ["Sink.put(_:): String"]
    assert meanings("log.put { $0.put(number: 1) }") == ["Log.put(_:): Function<Void, Log>", "Sink.put(number:): Int"]


@pytest.mark.parametrize(
    ("code", "callee"),
    [
        ("log.put(.failed(.lost))", "Event.failed(_:): Failure"),
        ("log.put(.failed(.late(by: 1)))", "Failure.late(by:): Int"),
        ("if event == .failed(.late(by: 2)) {}", "Failure.late(by:): Int"),
        ("var last = event\nlast = .failed(.lost)", "Event.failed(_:): Failure"),
    ],
)
def test_leading_dots_are_of_the_type_that_is_expected(code: str, callee: str) -> None:
    """An argument's type is that of the parameter, and nested ones likewise; a comparison and an assignment expect the type of the other side."""
    assert callee in meanings(code)


def test_cases_of_other_files_tell_what_they_carry() -> None:
    """A pattern binds the associated values of an enum that is declared elsewhere."""
    assert meanings("switch event {\ncase .next(let item): item.weigh()\ncase .failed, .done: break\n}") == ["Item.weigh()"]


def test_arrays_have_what_is_added_to_collections() -> None:
    """What a project adds to a protocol of the standard library, its types have."""
    assert meanings("let items = [Item]()\nitems.tally()") == ["Collection.tally()"]


def test_class_without_initialisers_stands_for_those_it_inherits() -> None:
    """The compiler makes a class's inherited initialisers anew, so the class is what is constructed."""
    assert meanings("Square(side: 2).draw()") == ["Square", "Square.draw()"]


def test_local_of_the_same_name_is_not_what_is_called_with_labels() -> None:
    """A local shadows a function unless the call has labels, which no closure takes."""
    assert meanings("let pack = box\npack(Item(name: text))") == ["Item"]
    assert meanings("let pack = box\npack(item: Item(name: text))") == ["pack(item:): Item", "Item"]


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("let text = unknown()\ntext.trimmedToWords()", "M4"),
        ('"a b".trimmedToWords()', "T3"),
        ('"a b".append()', "M5"),
    ],
)
def test_members_added_to_library_types_are_believed_by_how_they_are_found(code: str, rule: str) -> None:
    """On a value of the type a name of its own is as good as certain; on an unknown value, or under a library's name, less so."""
    assert rules(code) == [rule]


def test_deprecated_overload_gives_way() -> None:
    """What is deprecated is meant only where nothing else fits."""
    assert meanings("deliver(item: box.take())")[0] == "deliver(item:twice:): Item, Bool"


def test_raw_value_is_the_librarys_business() -> None:
    """The initialiser that an enum has by its raw type is no code of the project: the enum is mentioned, nothing is called."""
    assert rules('let mode = Mode(rawValue: "a")') == ["S5"]


def test_functions_of_one_name_are_told_apart_wherever_they_stand() -> None:
    """One in the same file is not meant where what is given suits another of the module."""
    told = meanings("func unused() {}\nchoose(box.take())\n}\nfunc choose(_ failure: Failure) {")
    assert told == ["choose(_:): Item", "Box.take()"]


def test_a_head_that_is_neither_imported_nor_declared_is_the_module() -> None:
    """`Shop.Log()` is a `Log` where no manifest says that the module is called `Shop`."""
    assert meanings("let it: Shop.Log = make()\nit.put(kind: .done)") == ["Sink.put(kind:): Kind"]
    assert meanings("let it: Shop.Unknown = make()\nit.put(kind: .done)") == []
