"""What the sample's store says about its calls, definitions and relations, against what one reads in its source."""

from __future__ import annotations

import pytest

from services.indexer.exact.facts import STRUCTURE, Definition, calls, definitions, links
from services.indexer.exact.vocabulary import Kind, Role, Subkind, is_accessor
from tests.unit.services.indexer.exact.sample import CALLS, describe_calls, read_sample, read_source, title

FILES = read_sample().files
DEFINITIONS = definitions(FILES)


def defined(name: str) -> Definition:
    named = [places[0] for usr, places in DEFINITIONS.items() if title(usr, DEFINITIONS) == name]
    (found,) = [place for place in named if place.symbol.kind != Kind.EXTENSION]
    return found


def related(role: Role) -> set[tuple[str, str, int]]:
    return {(title(link.source, DEFINITIONS), title(link.target, DEFINITIONS), link.line) for link in links(FILES, role)}


def test_every_call_between_symbols_of_the_sample_is_there() -> None:
    """The list of explicit calls, checked against the source by hand, is exactly what the store says.

    It holds methods, overloads told apart by label, closures, operators, accessors, observers, supers, actors, enum cases with values, default
    arguments, initial values of properties, C functions, and types of one name in two targets.
    """
    assert describe_calls(FILES) == CALLS.read_text().splitlines()


def test_the_callee_stands_where_the_call_is() -> None:
    """Line and column of every explicit call of a named function point at its name, in bytes."""
    for call in calls(FILES, implicit=False):
        line = read_source(call.path).split(b"\n")[call.line - 1]
        name = call.callee.name.partition("(")[0]
        if call.callee.kind != Kind.CONSTRUCTOR and call.callee.subkind == Subkind.NONE:
            assert line.startswith(name.encode(), call.column - 1), call


def test_implicit_calls_are_marked_and_can_be_left_out() -> None:
    """Reading a property calls its getter implicitly; explicit calls are the rest."""
    explicit = set(calls(FILES, implicit=False))
    implicit = set(calls(FILES)) - explicit
    assert all(call.is_implicit for call in implicit)
    assert not any(call.is_implicit for call in explicit)
    getters = [call for call in implicit if call.callee.subkind == Subkind.GETTER and call.callee.name == "getter:total"]
    assert {call.path for call in getters} == {"Sources/Harvest/main.swift"}


def test_a_dynamic_call_names_the_type_of_its_receiver() -> None:
    """A call of an overridable method says what type it was called on; a call of a free function does not."""
    found = {(call.callee.name, call.line): call for call in calls(FILES, implicit=False) if call.path == "Sources/Harvest/main.swift"}
    grow = found["grow(by:)", 23]
    assert (grow.is_dynamic, title(grow.receiver, DEFINITIONS)) == (True, "Orchard.Tree")
    report = found["report(on:visit:)", 53]
    assert (report.is_dynamic, report.receiver, report.caller) == (False, "", "")


def test_types_of_one_name_in_two_targets_are_two() -> None:
    """The baskets of the orchard and of the market are told apart by their USRs, and each call goes to its own."""
    orchard, market = defined("Orchard.Basket"), defined("Market.Basket")
    assert (orchard.path, orchard.symbol.kind) == ("Sources/Orchard/Basket.swift", Kind.STRUCT)
    assert (market.path, market.symbol.kind) == ("Sources/Market/Basket.swift", Kind.CLASS)
    assert orchard.symbol.usr != market.symbol.usr


@pytest.mark.parametrize(
    ("name", "line", "kind"),
    [
        ("Orchard.Fruit", 2, Kind.PROTOCOL),
        ("Orchard.Ledger", 2, Kind.CLASS),
        ("Orchard.Tree.Branch.Side.left", 4, Kind.ENUM_CONSTANT),
        ("Orchard.Tree.log(_:)", 49, Kind.INSTANCE_METHOD),
        ("Orchard.Basket.makeLabel()", 25, Kind.INSTANCE_METHOD),
        ("Orchard.defaultAge()", 54, Kind.FUNCTION),
        ("Orchard.Basket.Element", 3, Kind.TYPEALIAS),
        ("Orchard.Tree.deinit", 28, Kind.DESTRUCTOR),
        ("CScale.scale_reading", 8, Kind.TYPEALIAS),
    ],
)
def test_definitions_have_a_place_and_a_kind(name: str, line: int, kind: Kind) -> None:
    """Types, members, cases, actors and C types are defined at the line of their name."""
    found = defined(name)
    assert (found.line, found.symbol.kind) == (line, kind)


def test_an_initialiser_that_nobody_wrote_is_defined_at_its_type() -> None:
    """The memberwise initialiser of a struct is implicit, at the struct's name."""
    made, owner = defined("Harvest.Apple.init(grams:)"), defined("Harvest.Apple")
    assert made.is_implicit
    assert (made.path, made.line, made.column) == (owner.path, owner.line, owner.column)


def test_accessors_belong_to_their_property_and_members_to_their_type() -> None:
    """The parent of a getter is the property, the parent of a property the type or the extension."""
    getter = next(places[0] for places in DEFINITIONS.values() if places[0].symbol.name == "getter:total")
    assert is_accessor(getter.symbol.subkind)
    assert title(getter.parent, DEFINITIONS) == "Orchard.Basket.total"
    contains = next(places[0] for places in DEFINITIONS.values() if places[0].symbol.name == "contains(_:)")
    assert DEFINITIONS[contains.parent][0].symbol.kind == Kind.EXTENSION


def test_overrides_and_witnesses_point_at_what_they_stand_for() -> None:
    """An override of a class, a witness of a requirement and a default implementation are all overrides of it."""
    assert {
        ("Orchard.AppleTree.grow()", "Orchard.Tree.grow()", 57),
        ("Market.Customer.pay(for:)", "Market.Paying.pay(for:)", 28),
        ("Harvest.Apple.ripeness(after:)", "Orchard.Fruit.ripeness(after:)", 10),
        ("Orchard.Fruit.describe()", "Orchard.Fruit.describe()", 13),
    } <= related(Role.OVERRIDE_OF)


def test_a_default_implementation_is_a_witness_where_the_conformance_is_declared() -> None:
    """A type that leaves a requirement to its default says so, implicitly, at its own declaration."""
    at_conformance = [
        link for link in links(FILES, Role.OVERRIDE_OF) if link.is_implicit and link.path == "Sources/Harvest/main.swift" and link.line == 15
    ]
    assert {title(link.target, DEFINITIONS) for link in at_conformance} == {"Orchard.Fruit.describe()", "Orchard.Fruit.ripeness(after:)"}
    assert all(link.source.startswith("s:7Orchard5FruitPAAE") for link in at_conformance)


def test_bases_and_extensions_are_tied_to_their_type() -> None:
    """A superclass, a refined protocol and a conformance are bases; an extension belongs to the type that it extends."""
    assert {("Orchard.Tree", "Orchard.AppleTree", 56), ("Market.Paying", "Market.Haggling", 19), ("Orchard.Fruit", "Harvest.Pear", 15)} <= related(
        Role.BASE_OF
    )
    extended = {(link.path, link.line): title(link.source, DEFINITIONS) for link in links(FILES, Role.EXTENDED_BY)}
    assert extended["Sources/Orchard/Trees+Harvest.swift", 3] == "Orchard.Tree"
    assert extended["Sources/Orchard/Trees+Harvest.swift", 19] == "Orchard.Tree.Branch"


def test_links_without_a_choice_are_all_that_hold_between_symbols() -> None:
    """The default roles are those of structure, and each link has exactly one of them."""
    roles = {link.role for link in links(FILES)}
    assert roles == {Role.OVERRIDE_OF, Role.BASE_OF, Role.EXTENDED_BY, Role.ACCESSOR_OF, Role.CHILD_OF}
    assert all(role & STRUCTURE for role in roles)
