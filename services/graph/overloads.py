"""Do the arguments of a call suit a declaration that their labels fit? Types decide, as far as the syntax tells them.

Only asked where several declarations could be meant: a type that was misread must not cost an edge that nothing else competes with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from exegesis.model import Argument, Parameter, Step, StepKind, Symbol, SymbolKind
from services.graph.fit import parameter_of
from services.graph.table import SymbolTable, Type
from services.graph.types import split_type
from services.graph.values import Place, Standing, Use, Value

EXACT, SUITED, UNTOLD = 30, 20, 10
"""How well an argument suits a parameter: of that very type; of one that may stand for it, less by one for each step of inheritance; nothing is
known.
"""

_FARTHEST = 9

FUNCTION = "Function"
_CLOSURE = Argument((Step(StepKind.TYPE, FUNCTION),))
"""One that nothing is known of."""

BUILT_IN = frozenset(
    {
        *("Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "CGFloat", "Bool", "String"),
        *("Character", "Substring", "Array", "Dictionary", "Set", "Range", "ClosedRange", "Tuple", "Void", "Function", "KeyPath", "Data", "URL"),
    }
)
"""Types of libraries that are no classes, no protocols and no aliases of one another: a value of one of them is of no other."""

_NUMBERS = frozenset({"Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float", "CGFloat"})

WRITTEN_AS = {
    "Int": _NUMBERS,
    "Double": frozenset({"Double", "Float", "CGFloat"}),
    "String": frozenset({"String", "Character", "Substring"}),
    "Bool": frozenset({"Bool"}),
    "Array": frozenset({"Array", "Set"}),
    "Dictionary": frozenset({"Dictionary"}),
    "KeyPath": frozenset({"KeyPath", "Function"}),
}
"""What a literal may be, of the built-in types."""

ANYTHING = frozenset({"Any", "AnyObject", "Sendable", "AnyHashable"})


class Reading(Protocol):
    """What must be known of the values and types around a call."""

    def argument_value(self, given: Argument, place: Place) -> Value: ...

    def parameter_type(self, parameter: Parameter, symbol: Symbol, owner: Type | None, receiver: Type | None) -> Value: ...

    def offers(self, owner: Type, name: str, *, called: bool) -> bool:
        """Does a type have a static member or case of this name that is called, or is a value without that?"""


def suitability(symbol: Symbol, use: Use, receiver: Type | None, table: SymbolTable, reading: Reading) -> int | None:
    """How well the arguments of a use suit a declaration: the sum over them, higher is better; None if one of them does not."""
    total = 0
    labels = use.labels or ()
    for number in range(len(labels) + use.trailing):
        given = use.given[number] if use.place is not None and number < len(use.given) else None
        if number >= len(labels):
            given = given or _CLOSURE
        parameter = parameter_of(symbol, labels, str(number) if number < len(labels) else f"+{number - len(labels)}")
        if parameter is None or given is None or given.value[0].kind is StepKind.UNKNOWN:
            total += UNTOLD
            continue
        suits = _suits(given, use.place, parameter, symbol, receiver, table, reading)
        if suits is None:
            return None
        total += suits
    return total


def _bound(parameter: Parameter, symbol: Symbol) -> str | None:
    """What a parameter of the declaration's own generic type must conform to (empty for nothing), None for one of another type."""
    return next((bound for name, bound in symbol.generics if name == parameter.type), None)


def _suits_closure(arity: int | None, parameter: Parameter, symbol: Symbol, receiver: Type | None, reading: Reading) -> int | None:
    """``arity`` is how many parameters the closure has, None where that is not known."""
    if parameter.type.startswith("Function<"):
        return _compare_arity(arity, split_type(parameter.type)[1][1:])
    bound = _bound(parameter, symbol)
    if bound is not None:
        return None if bound and bound not in ANYTHING else UNTOLD
    wanted = reading.parameter_type(parameter, symbol, None, receiver).type
    if wanted is None or wanted.name in ANYTHING:
        return UNTOLD
    if wanted.name == FUNCTION:
        return _compare_arity(arity, [text for text, _ in wanted.arguments[1:]])
    return None if wanted.declaration is not None or wanted.name in BUILT_IN else UNTOLD


def _compare_arity(arity: int | None, taken: Sequence[str]) -> int | None:
    if arity is None or arity == len(taken):
        return EXACT
    return UNTOLD if len(taken) == 1 and taken[0] not in BUILT_IN else None  # a tuple may be taken apart


def _suits(  # noqa: PLR0917 - what is compared and all that it is compared by
    given: Argument, place: Place | None, parameter: Parameter, symbol: Symbol, receiver: Type | None, table: SymbolTable, reading: Reading
) -> int | None:
    first = given.value[0]
    if len(given.value) == 1 and first.kind is StepKind.TYPE and split_type(first.name)[0] == FUNCTION:
        arity = None if given is _CLOSURE else len(split_type(first.name)[1]) - 1
        return _suits_closure(arity, parameter, symbol, receiver, reading)
    bound = _bound(parameter, symbol)
    if bound == "" or parameter.type in ANYTHING:
        return UNTOLD
    wanted = reading.parameter_type(parameter, symbol, None, receiver).type
    if wanted is None:
        return UNTOLD
    if first.kind is StepKind.LITERAL:
        return _suits_literal(first.name, wanted, table)
    if first.kind is StepKind.IMPLICIT:
        name = given.value[1].name if len(given.value) > 1 else ""
        offered = reading.offers(wanted, name, called=len(given.value) > 1 and given.value[1].kind is StepKind.CALL)
        if offered or wanted.declaration is None:
            return EXACT if offered else None if wanted.name == FUNCTION else UNTOLD
        return SUITED if name == "init" else None
    if place is None:
        return UNTOLD
    value = reading.argument_value(given, place)
    if value.standing is Standing.METATYPE:
        return EXACT if parameter.type.endswith(".Type") else None
    if parameter.type.endswith(".Type"):
        return None if value.type is not None else UNTOLD
    if value.type is None or value.standing is not Standing.INSTANCE:
        return UNTOLD
    suits = compare(value.type, wanted, table)
    return SUITED if suits == EXACT and bound else suits


def _suits_literal(literal: str, wanted: Type, table: SymbolTable) -> int | None:
    if wanted.declaration is None:
        if wanted.name == literal:
            return EXACT
        return None if wanted.name in BUILT_IN and wanted.name not in WRITTEN_AS[literal] else UNTOLD
    if wanted.declaration.kind is SymbolKind.PROTOCOL:
        return SUITED if _distance(Type(literal, None), wanted, table) else None
    return SUITED if any(each.name.startswith("ExpressibleBy") for level in table.levels(wanted) for each in level) else None


def compare(value: Type, wanted: Type, table: SymbolTable) -> int | None:
    """How well a value of one type suits another."""
    if wanted.name in ANYTHING:
        return UNTOLD
    if value.name == wanted.name and (value.declaration is None) == (wanted.declaration is None):
        return _compare_elements(value, wanted)
    distance = _distance(value, wanted, table)
    if distance:
        return SUITED - min(distance, _FARTHEST)
    if wanted.declaration is not None:
        return None if value.declaration is not None or value.name in BUILT_IN or wanted.declaration.kind is not SymbolKind.CLASS else UNTOLD
    if value.declaration is not None:
        # Of what a library's supertypes are nothing is known.
        known = all(each.declaration is not None for level in table.levels(value) for each in level)
        return None if known or wanted.name in BUILT_IN else UNTOLD
    return None if value.name in BUILT_IN and wanted.name in BUILT_IN else UNTOLD


def _compare_elements(value: Type, wanted: Type) -> int | None:
    """Lists of different things are different things, where both say of what."""
    for (mine, _), (theirs, _) in zip(value.arguments, wanted.arguments, strict=False):
        if mine != theirs and mine in BUILT_IN and theirs in BUILT_IN:
            return None
    return EXACT


def _distance(value: Type, wanted: Type, table: SymbolTable) -> int:
    """Steps of inheritance from one type up to another, 0 where there are none."""
    return next((distance for distance, level in enumerate(table.levels(value)) if any(each.name == wanted.name for each in level)), 0)
