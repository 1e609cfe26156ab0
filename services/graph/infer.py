"""What a name means in a scope, and what type a receiver chain has: the part of a compiler that syntax alone can feed.

Everything here is a function of the file's facts and of answers of the table, so it may be cached for the file and never beyond it.
Where the facts do not suffice the value is ``UNKNOWN``, where they lead out of the project it is ``EXTERNAL``: the difference decides whether a
name may be guessed at. Names on external receivers are never matched to the project's, which is what keeps the graph precise.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from exegesis.model import Chain, FileFacts, Step, StepKind, Symbol, SymbolKind
from services.graph.fit import labels_of, spare_parameters
from services.graph.table import PRIVATE, STATIC, Scope, SymbolTable, Type, full_name, has
from services.graph.types import enclosing_names, last_component, split_type

DEEPEST = 12
"""Initialisers of initialisers, and aliases of aliases, are followed this far."""


class Standing(enum.Enum):
    INSTANCE = enum.auto()
    METATYPE = enum.auto()
    SUPER = enum.auto()
    MODULE = enum.auto()
    EXTERNAL = enum.auto()
    """Comes from outside of the project; ``type`` is the external type it came from."""
    UNKNOWN = enum.auto()


@dataclass(frozen=True, slots=True)
class Value:
    standing: Standing
    type: Type | None = None


UNKNOWN = Value(Standing.UNKNOWN)
EXTERNAL = Value(Standing.EXTERNAL)


@dataclass(frozen=True, slots=True)
class Found:
    """What a name turned out to mean. ``symbol`` is None where it means nothing certain."""

    symbol: Symbol | None = None
    rule: str = ""
    owner: Type | None = None
    """The type in whose declaration or extension the member was found."""
    candidates: int = 0
    """Declarations that might be meant."""
    external: bool = False


NOWHERE = Found(external=True)


@dataclass(frozen=True, slots=True)
class Use:
    """A name as it is used: called with labels and trailing closures, or just named (``labels`` is None)."""

    name: str
    labels: tuple[str, ...] | None = None
    trailing: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reference stands."""

    scope: Scope
    self_type: Type | None
    is_static: bool
    around: tuple[int, ...]
    """Those of the symbols around it in the text that declare locals or generic parameters, innermost first."""


class Inference:
    """Names and chains of one file."""

    def __init__(self, facts: FileFacts, table: SymbolTable) -> None:
        self._table = table
        self._path = facts.path
        self._symbols = {symbol.id: symbol for symbol in facts.symbols}
        self._local: dict[tuple[int, str], list[Symbol]] = {}
        for symbol in facts.symbols:
            enclosing = self._symbols.get(symbol.parent) if symbol.parent is not None else None
            if enclosing is not None and not enclosing.kind.is_type:
                self._local.setdefault((enclosing.id, symbol.name), []).append(symbol)
        self._telling = {enclosing for enclosing, _ in self._local} | {symbol.id for symbol in facts.symbols if symbol.generics}
        self._places: dict[int, Place] = {}
        self._distinct: dict[tuple[str, bool, tuple[int, ...]], Place] = {}
        self._declared: dict[int, Place] = {}
        self._values: dict[tuple[int, int], tuple[Chain, Value]] = {}
        self._members: dict[tuple[str, int, str, bool], Sequence[tuple[Type, Sequence[Symbol]]]] = {}
        self._depth = 0

    # ---- places

    def place_of(self, symbol_id: int) -> Place:
        """Equal places are one object, so that what was found out at one holds at all."""
        found = self._places.get(symbol_id)
        if found is None:
            found = self._places[symbol_id] = self._locate(symbol_id)
        return found

    def _locate(self, symbol_id: int) -> Place:
        seen: list[int] = []
        container, is_static = "", False
        current = self._symbols.get(symbol_id)
        while current is not None and current.id not in seen:
            seen.append(current.id)
            if not container:
                if current.kind.is_type and current.kind is not SymbolKind.TYPEALIAS:
                    container = full_name(current)
                else:
                    container = split_type(current.container)[0]
                    is_static = has(current, STATIC) if container else is_static or has(current, STATIC)
            current = self._symbols.get(current.parent) if current.parent is not None else None
        key = (container, is_static, tuple(each for each in seen if each in self._telling))
        found = self._distinct.get(key)
        if found is None:
            own = self._table.declared(container, self._path) if container else None
            found = self._distinct[key] = Place(Scope(enclosing_names(container), self._path), own, is_static, key[2])
        return found

    def _place_of_declaration(self, symbol: Symbol) -> Place:
        """The place where a declaration, perhaps of another file, is read: its locals cannot be seen from here, and are not needed."""
        found = self._declared.get(symbol.id)
        if found is None:
            container = split_type(symbol.container)[0]
            own = self._table.declared(container, symbol.path) if container else None
            found = Place(Scope(enclosing_names(container), symbol.path), own, has(symbol, STATIC), ())
            self._declared[symbol.id] = found
        return found

    # ---- types

    def type_value(self, text: str, scope: Scope, *, generics: Mapping[str, tuple[str, Scope]] | None = None, own: Type | None = None) -> Value:
        """The instance of a canonical type that is written in a scope."""
        name, arguments = split_type(text)
        if not name or self._depth > DEEPEST:
            return UNKNOWN
        if name == "Self":
            return Value(Standing.INSTANCE, own) if own else UNKNOWN
        first, _, rest = name.partition(".")
        if generics and first in generics:
            bound, where = generics[first]
            if rest or not bound or bound == first:
                return UNKNOWN
            self._depth += 1
            try:
                return self.type_value(bound, where, own=own)
            finally:
                self._depth -= 1
        found = self._table.lookup_type(name, scope)
        written = tuple((argument, scope) if not generics or argument not in generics else generics[argument] for argument in arguments)
        if found is None or found.declaration is None:
            return self._undeclared(Type(name, None, written))
        declaration = found.declaration
        if declaration.kind is not SymbolKind.TYPEALIAS:
            return Value(Standing.INSTANCE, Type(found.name, declaration, written))
        if not declaration.type:
            self._depth += 1
            try:
                return self._associated(declaration, own)
            finally:
                self._depth -= 1
        target = self._table.dealias(declaration)
        if target.declaration is None and target.name in _names_of(declaration.generics):
            return UNKNOWN
        return Value(Standing.INSTANCE, target)

    def _associated(self, requirement: Symbol, own: Type | None) -> Value:
        """An associated type: what the type at hand says it is, else its bound."""
        if own is not None and own.name != requirement.container:
            for _, members in self._levels_with(own, requirement.name, above=False):
                given = next((each for each in members if each.kind.is_type and (each.type or each.kind is not SymbolKind.TYPEALIAS)), None)
                if given is not None:
                    target = self._table.dealias(given)
                    return Value(Standing.INSTANCE, target)
        for bound in requirement.inherits:
            return self.type_value(bound, Scope(enclosing_names(requirement.container), requirement.path), own=own)
        return UNKNOWN

    def _undeclared(self, type_: Type) -> Value:
        """A name that means no type of the project here: a library's type, unless the project declares the name as well."""
        rivals = self.declarations_of(type_.name)
        if any(self._table.visible(each, self._path) for each in rivals):
            return UNKNOWN  # several could be meant
        return EXTERNAL if rivals else Value(Standing.INSTANCE, type_)

    def declarations_of(self, name: str) -> list[Symbol]:
        """Top-level types of the project that bear this name, visible or not."""
        return [each for each in self._table.types_called(last_component(name)) if not each.container]

    # ---- the members of a value

    def member(self, value: Value, use: Use) -> Found:
        """The member that a use on a value of a known type means."""
        owner = value.type
        if value.standing is Standing.MODULE:
            return self._top_level(use, "S4")
        if owner is None:
            return Found(candidates=self._rivals(use), external=value.standing is Standing.EXTERNAL)
        static = value.standing is Standing.METATYPE
        refused = 0
        for distance, (level, members) in enumerate(self._levels_with(owner, use.name, above=value.standing is Standing.SUPER)):
            chosen, candidates = self._choose(members, use, static=static)
            if chosen is not None and owner.declaration is None and self._is_the_librarys_own(chosen):
                return NOWHERE
            if chosen is not None:
                rule = "T3" if owner.declaration is None else "T2" if distance or level.name != owner.name else "T1"
                return Found(chosen, rule, level, 1)
            if candidates > 1:
                return Found(candidates=candidates)
            refused += candidates
        if owner.declaration is None:
            return NOWHERE
        return Found(candidates=refused, external=not refused)

    def _is_the_librarys_own(self, member: Symbol) -> bool:
        """On an external type: what a requirement asks for it has itself, and its plain subscripts are called like any the project adds."""
        if self._table.kind_of(member.parent) is SymbolKind.PROTOCOL:
            return True
        return member.kind is SymbolKind.SUBSCRIPT and all(label == "_" for label in labels_of(member))

    def _levels_with(self, owner: Type, name: str, *, above: bool) -> Sequence[tuple[Type, Sequence[Symbol]]]:
        """Members of this name, level by level; members of one level stand together. ``above`` leaves the type itself out."""
        key = (owner.name, owner.declaration.id if owner.declaration else 0, name, above)
        known = self._members.get(key)
        if known is None:
            found: list[tuple[Type, Sequence[Symbol]]] = []
            for level in self._table.levels(owner)[int(above) :]:
                here = [(holder, member) for holder in level for member in self._table.members(holder, name)]
                if here:
                    found.append((here[0][0], [member for _, member in here]))
            known = self._members[key] = found
        return known

    def _choose(self, members: Sequence[Symbol], use: Use, *, static: bool) -> tuple[Symbol | None, int]:
        """The one of some equally near declarations that a use means, and how many it might be."""
        if not members:
            return None, 0
        seen = [each for each in members if each.path == self._path or not has(each, PRIVATE)]
        standing = [each for each in seen if _is_static(each) == static] or seen
        if use.labels is None:
            plain = [each for each in standing if not each.kind.is_callable]
            fitting = plain or standing
        else:
            fitting = best_fits(standing, use.labels, use.trailing) or [
                each for each in standing if not each.kind.is_callable and not each.kind.is_type
            ]
        if len(fitting) > 1:
            fitting = [each for each in fitting if self._table.kind_of(each.parent) is SymbolKind.PROTOCOL] or fitting
        if len(fitting) > 1 and _are_branches(fitting):
            fitting = fitting[:1]
        if len(fitting) == 1:
            return fitting[0], 1
        # Nothing fits: one candidate of another shape is not ambiguous, and the search goes on above it.
        return None, len(fitting) or min(len(standing), 1)

    # ---- names in scope

    def bare(self, use: Use, place: Place) -> Found:
        """What a name means without a receiver: local functions, members of the types around, then top-level declarations."""
        for enclosing in place.around:
            chosen, _ = self._choose(self._local.get((enclosing, use.name), ()), use, static=False)
            if chosen is not None:
                return Found(chosen, "S3", None, 1)
        refused = 0
        for container in place.scope.containers:
            own = place.self_type if place.self_type and container == place.self_type.name else self._table.declared(container, place.scope.path)
            found = self.member(Value(Standing.METATYPE if place.is_static else Standing.INSTANCE, own), use)
            if found.symbol is not None:
                return Found(found.symbol, "S1" if found.owner and found.owner.name == container else "S2", found.owner, 1)
            if found.candidates > 1:
                return found
            refused += found.candidates
        found = self._top_level(use, "")
        if found.symbol is None and not found.candidates and refused:
            return Found(candidates=refused)
        return found

    def _top_level(self, use: Use, imported: str) -> Found:
        declared = [each for each in self._table.top_level(use.name, self._path) if each.kind is not SymbolKind.EXTENSION]
        if not declared:
            return NOWHERE
        chosen, candidates = self._choose(self._table.nearest(declared, self._path), use, static=False)
        if chosen is None:
            return Found(candidates=candidates)
        return Found(chosen, "S5" if chosen.kind.is_type else imported or self._distance(chosen), None, 1)

    def _distance(self, symbol: Symbol) -> str:
        if symbol.path == self._path:
            return "S3"
        own, here = self._table.module_of(symbol.path), self._table.module_of(self._path)
        return "S4" if own and here and own != here else "L1"

    def _rivals(self, use: Use) -> int:
        return len(self._table.members_anywhere(use.name))

    # ---- calls of types

    def construct(self, owner: Type, use: Use) -> Found:
        """The initialiser that a call of a type means, or the type itself in its place."""
        found = self._construct(owner, use)
        if found.rule != "C4" or use.trailing:
            return found
        closed = self._construct(owner, replace(use, trailing=1))
        return closed if closed.rule == "C1" else found

    def _construct(self, owner: Type, use: Use) -> Found:
        declaration = owner.declaration
        labels = use.labels or ()
        if declaration is None:
            fitting = best_fits(self._visible(self._table.initializers(owner)), labels, use.trailing)
            if len(fitting) == 1 and any(label != "_" for label in labels):
                return Found(fitting[0], "C5", owner, 1)
            return Found(candidates=len(fitting), external=not fitting)
        declared = 0
        for level in self._table.levels(owner):
            initializers = self._visible([each for holder in level for each in self._table.initializers(holder)])
            declared += len(initializers)
            fitting = best_fits(initializers, labels, use.trailing)
            if len(fitting) > 1 and _are_branches(fitting):
                fitting = fitting[:1]
            if len(fitting) == 1:
                return Found(fitting[0], "C1", owner, 1)
            if fitting:
                return Found(declaration, "C3", owner, len(fitting))
        return Found(declaration, "C4" if declared else "C2", owner, 1)

    def _visible(self, symbols: Iterable[Symbol]) -> list[Symbol]:
        return [each for each in symbols if each.path == self._path or not has(each, PRIVATE)]

    # ---- chains

    def value_of(self, chain: Chain, place: Place, expected: str = "") -> Value:
        """What stands at the end of a chain. Raises nothing: what cannot be told is ``UNKNOWN``."""
        if chain and chain[0].kind is StepKind.IMPLICIT:
            return self._walk(chain, place, expected)
        key = (id(place), id(chain))  # places are kept, and so are the chains, beside their values: hashing them would take longer than walking
        known = self._values.get(key)
        if known is None:
            self._values[key] = chain, UNKNOWN  # what is defined by itself is unknown
            known = self._values[key] = chain, self._walk(chain, place, "")
        return known[1]

    def _walk(self, chain: Chain, place: Place, expected: str) -> Value:
        if self._depth > DEEPEST:
            return UNKNOWN
        self._depth += 1
        try:
            value = self._root(chain[0], place, expected)
            for step in chain[1:]:
                if value.standing is Standing.UNKNOWN:
                    break
                value = self._step(value, step)
            return value
        finally:
            self._depth -= 1

    def _root(self, step: Step, place: Place, expected: str) -> Value:
        match step.kind:
            case StepKind.SELF:
                return self._self(place)
            case StepKind.SUPER:
                return Value(Standing.SUPER, place.self_type) if place.self_type else UNKNOWN
            case StepKind.TYPE:
                return self._written(step.name, place)
            case StepKind.METATYPE:
                return self._metatype(step.name, place)
            case StepKind.NAME:
                return self._named(step.name, place)
            case StepKind.CALL:
                return self._called(step, place)
            case StepKind.IMPLICIT:
                return _as_metatype(self._written(expected, place))
            case _:
                return UNKNOWN

    def _self(self, place: Place) -> Value:
        if place.self_type is None:
            return UNKNOWN
        return Value(Standing.METATYPE if place.is_static else Standing.INSTANCE, place.self_type)

    def _written(self, text: str, place: Place) -> Value:
        return self.type_value(text, place.scope, generics=self._generics(place), own=place.self_type)

    def _metatype(self, name: str, place: Place) -> Value:
        return Value(Standing.MODULE) if self._table.is_module(name) else _as_metatype(self._written(name, place))

    def _named(self, name: str, place: Place) -> Value:
        found = self.bare(Use(name), place)
        if found.symbol is not None:
            return self._result(found, place.self_type)
        return Value(Standing.MODULE) if self._table.is_module(name) else UNKNOWN

    def _called(self, step: Step, place: Place) -> Value:
        use = Use(step.name, step.labels)
        found = with_trailing(lambda each: self.bare(each, place), use)
        if found.symbol is None:
            # A type of elsewhere, or a function of elsewhere: external either way.
            return UNKNOWN if found.candidates else self._written(step.name, place)
        if found.symbol.kind.is_type:
            return Value(Standing.INSTANCE, self._table.dealias(found.symbol))
        return self._outcome(found, place.self_type)

    def _step(self, value: Value, step: Step) -> Value:
        if step.kind is StepKind.INDEX:
            return self._element(value)
        if step.kind is StepKind.NAME:
            found = self.member(value, Use(step.name))
        elif step.kind is StepKind.CALL:
            found = with_trailing(lambda each: self.member(value, each), Use(step.name, step.labels))
        else:
            return UNKNOWN
        if found.symbol is None:
            if step.kind is StepKind.CALL and value.standing is Standing.METATYPE and step.name == "init" and value.type:
                return Value(Standing.INSTANCE, value.type)
            return UNKNOWN if not found.external else Value(Standing.EXTERNAL, self._foreign(value))
        if step.kind is StepKind.NAME:
            return self._result(found, value.type)
        if found.symbol.kind.is_type:
            return Value(Standing.INSTANCE, self._table.dealias(found.symbol))
        return self._outcome(found, value.type)

    def _foreign(self, value: Value) -> Type | None:
        """The external type that a value comes from, kept while its arguments may tell what it holds."""
        return value.type if value.type and value.type.declaration is None else None

    def _element(self, value: Value) -> Value:
        if value.type is None or value.standing is not Standing.INSTANCE:
            return UNKNOWN
        for _, members in self._levels_with(value.type, "subscript", above=False) if value.type.declaration else ():
            types = {each.type for each in members}
            if len(types) == 1:
                return self._result(Found(members[0], owner=value.type), value.type)
        if value.type.declaration is None and value.type.arguments:
            text, scope = value.type.arguments[-1]  # the element of a list, the value of a dictionary
            return self.type_value(text, scope)
        return EXTERNAL

    # ---- what a declaration evaluates to

    def _result(self, found: Found, receiver: Type | None) -> Value:
        """The value of a declaration that is named."""
        symbol = found.symbol
        if symbol is None:
            return UNKNOWN
        if symbol.kind.is_type:
            return Value(Standing.METATYPE, self._table.dealias(symbol))
        if symbol.kind is SymbolKind.CASE:
            return Value(Standing.INSTANCE, found.owner or self._table.declared(symbol.container, symbol.path))
        if symbol.kind.is_callable and symbol.kind is not SymbolKind.SUBSCRIPT:
            return EXTERNAL  # a function as a value
        return self._typed(symbol, found.owner, receiver)

    def _outcome(self, found: Found, receiver: Type | None) -> Value:
        """The value of a declaration that is called."""
        symbol = found.symbol
        if symbol is None:
            return UNKNOWN
        if symbol.kind is SymbolKind.INITIALIZER:
            return Value(Standing.INSTANCE, receiver) if receiver else UNKNOWN
        if symbol.kind is SymbolKind.CASE:
            return self._result(found, receiver)
        value = self._typed(symbol, found.owner, receiver)
        if symbol.kind.is_callable or value.type is None:
            return value
        if value.type.declaration is None and value.type.name == "Function" and value.type.arguments:
            text, scope = value.type.arguments[0]
            return self.type_value(text, scope, own=receiver)
        return UNKNOWN

    def _typed(self, symbol: Symbol, owner: Type | None, receiver: Type | None) -> Value:
        place = self._place_of_declaration(symbol)
        own = receiver or place.self_type
        if symbol.type:
            return self.type_value(symbol.type, place.scope, generics=self._generics(place, symbol, owner, receiver), own=own)
        if symbol.initializer:
            return self.value_of(symbol.initializer, place)
        return EXTERNAL if symbol.kind.is_callable else UNKNOWN  # a callable without a result leads nowhere

    def _generics(
        self, place: Place, symbol: Symbol | None = None, owner: Type | None = None, receiver: Type | None = None
    ) -> dict[str, tuple[str, Scope]]:
        """Generic parameters that can be seen, each with the argument given for it, else its bound."""
        found: dict[str, tuple[str, Scope]] = {}
        holder = owner or place.self_type
        if holder is not None and holder.declaration is not None and holder.declaration.generics:
            given = holder.arguments if len(holder.arguments) == len(holder.declaration.generics) else ()
            inner = receiver if receiver is not None and receiver.declaration is not None else None
            passed = dict(zip(_names_of(inner.declaration.generics), inner.arguments, strict=False)) if inner and inner.declaration else {}
            for index, (name, bound) in enumerate(holder.declaration.generics):
                argument = given[index] if given else passed.get(name)
                if argument is not None and argument[0] in passed:
                    argument = passed[argument[0]]
                found[name] = argument or (bound, place.scope)
        for enclosing in place.around:
            known = self._symbols.get(enclosing)
            for name, bound in known.generics if known else ():
                found.setdefault(name, (bound, place.scope))
        for name, bound in symbol.generics if symbol else ():
            found[name] = (bound, place.scope)
        return found


_SURE_OF_OWNER = frozenset({"S1", "S2", "T1", "T2"})
"""Rules that know whose member is called. Elsewhere a call that does not fit is one of a library's function of the same name."""


def with_trailing(look: Callable[[Use], Found], use: Use) -> Found:
    """Look as written, and if nothing fits as if one trailing closure were there.

    Steps of a chain do not say how many their calls have, and some parsers read the closure after a declared value's call as the value's own body.
    """
    found = look(use)
    if found.symbol is not None or not found.candidates or use.labels is None or use.trailing:
        return found
    closed = look(replace(use, trailing=1))
    return closed if closed.rule in _SURE_OF_OWNER else found


def best_fits(symbols: Iterable[Symbol], labels: Sequence[str], trailing: int) -> list[Symbol]:
    """Those callables and cases that the arguments fit while leaving the fewest parameters to their defaults; and all types: they are constructed."""
    fitting: list[Symbol] = []
    least: int | None = None
    for symbol in symbols:
        if symbol.kind.is_type:
            fitting.append(symbol)
            continue
        if not symbol.kind.is_callable and not (symbol.kind is SymbolKind.CASE and symbol.parameters):
            continue
        spare = spare_parameters(symbol, labels, trailing)
        if spare is None or (least is not None and spare > least):
            continue
        if least is None or spare < least:
            fitting = [each for each in fitting if each.kind.is_type]
            least = spare
        fitting.append(symbol)
    return fitting


def _as_metatype(value: Value) -> Value:
    return Value(Standing.METATYPE, value.type) if value.standing is Standing.INSTANCE else value


def _is_static(symbol: Symbol) -> bool:
    return has(symbol, STATIC) or symbol.kind in {SymbolKind.CASE, SymbolKind.INITIALIZER} or symbol.kind.is_type


def _are_branches(symbols: Sequence[Symbol]) -> bool:
    """Equal declarations side by side in one file can only be branches of conditional compilation: one of them is compiled."""
    if any(each.parent != symbols[0].parent for each in symbols):
        return False
    shapes = {(each.path, each.parent, each.kind, labels_of(each), tuple(p.type for p in each.parameters), each.type) for each in symbols}
    return len(shapes) == 1


def _names_of(generics: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(name for name, _ in generics)
