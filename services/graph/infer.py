"""What type a receiver chain has, and what a bare name means: the part of a compiler that syntax alone can feed.

Everything here is a function of the file's facts and of answers of the table, so it may be cached for the file and never beyond it.
Where the facts do not suffice the value is ``UNKNOWN``, where they lead out of the project it is ``EXTERNAL``: the difference decides whether a
name may be guessed at. Names on external receivers are never matched to the project's, which is what keeps the graph precise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exegesis.model import Argument, Chain, FileFacts, Parameter, Step, StepKind, Symbol, SymbolKind
from services.graph.fit import parameter_of
from services.graph.imports import DEFAULT, Bound
from services.graph.members import Members, with_trailing
from services.graph.places import Places
from services.graph.table import STATIC, Scope, SymbolTable, Type, has
from services.graph.types import enclosing_names, last_component, split_type
from services.graph.values import EXTERNAL, NOWHERE, UNKNOWN, Found, Place, Standing, Use, Value, as_metatype

_OF_DECLARATION = frozenset({StepKind.ARGUMENT, StepKind.PARAMETER})
"""Steps that ask for the declaration of what stands before them."""

_NO_NAMES = frozenset({SymbolKind.EXTENSION, SymbolKind.HEADING, SymbolKind.MODULE})
"""What bears a name at the top level that code does not mean by it."""

_NAMING = frozenset({StepKind.CALL, StepKind.NAME})

_GIVEN = 4
"""Names that are followed from one to the next to see what a called variable stands for."""

DEEPEST = 12
"""Initialisers of initialisers, and aliases of aliases, are followed this far."""


class Inference:
    """Names and chains of one file."""

    def __init__(self, facts: FileFacts, table: SymbolTable) -> None:
        self._table = table
        self._path = facts.path
        self._places = Places(facts, table)
        self._members = Members(facts.path, table, self)
        self._values: dict[tuple[int, int], tuple[Chain, Value]] = {}
        self._types: dict[tuple[str, tuple[str, ...], str], Type | None] = {}
        self._depth = 0

    def place_of(self, symbol_id: int) -> Place:
        return self._places.place_of(symbol_id)

    def construct(self, owner: Type, use: Use) -> Found:
        return self._members.construct(owner, use)

    @property
    def compared(self) -> int:
        return self._members.compared

    def rivals(self, use: Use) -> int:
        return self._members.rivals(use)

    def member(self, value: Value, use: Use) -> Found:
        """The member, or top-level declaration of a module, that a use on a value means."""
        if value.standing is not Standing.MODULE:
            return self._members.member(value, use)
        if value.module:
            return self._declared(self._table.inside(value.module, use.name), use, "S4")
        return self._top_level(use, "S4", self._path)

    # ---- types

    def type_value(self, text: str, scope: Scope, *, generics: Mapping[str, tuple[str, Scope]] | None = None, own: Type | None = None) -> Value:
        """The instance of a canonical type that is written in a scope."""
        name, arguments = split_type(text)
        if not name or self._depth > DEEPEST:
            return UNKNOWN
        if scope.bindings:
            generics = {**scope.bindings, **generics} if generics else scope.bindings
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
        found = self.lookup(name, scope)
        if generics and arguments:
            inner = Scope(scope.containers, scope.path, generics)
            written = tuple(generics.get(argument) or (argument, inner) for argument in arguments)
        else:
            written = tuple((argument, scope) for argument in arguments)
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

    def lookup(self, name: str, scope: Scope) -> Type | None:
        """What the table says of a name in a scope, asked once."""
        key = (name, scope.containers, scope.path)
        if key not in self._types:
            self._types[key] = self._table.lookup_type(name, scope)
        return self._types[key]

    def _associated(self, requirement: Symbol, own: Type | None) -> Value:
        """An associated type: what the type at hand says it is, else its bound."""
        if own is not None and own.name != requirement.container:
            for _, members in self._members.levels_with(own, requirement.name, above=False):
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

    # ---- names in scope

    def bare(self, use: Use, place: Place) -> Found:
        """What a name means without a receiver: local functions, members of the types around, then top-level declarations."""
        for enclosing in place.around:
            local = self._members.choose(self._places.locals_called(enclosing, use.name), use, static=False).chosen
            if local is not None:
                return Found(local, "S3", None, 1)
        refused = 0
        for container in place.scope.containers if self._table.dialect.implicit_self else ():
            own = place.self_type if place.self_type and container == place.self_type.name else self._table.declared(container, place.scope.path)
            found = self.member(Value(Standing.METATYPE if place.is_static else Standing.INSTANCE, own), use)
            if found.symbol is not None:
                return Found(found.symbol, "S1" if found.owner and found.owner.name == container else "S2", found.owner, 1)
            if found.candidates > 1:
                return found
            refused += found.candidates
        found = self._top_level(use, "", place.scope.path)
        if found.symbol is None and not found.candidates and refused:
            return Found(candidates=refused)
        return found

    def _top_level(self, use: Use, imported: str, path: str) -> Found:
        declared = [each for each in self._table.top_level(use.name, path) if each.kind not in _NO_NAMES]
        if not declared:
            bound = self._table.bound(use.name, path)
            return self._declared(bound, use, "S9") if bound is not None else NOWHERE
        choice = self._members.choose(self._table.nearest(declared, path, alike=use.labels is not None), use, static=False)
        chosen = choice.chosen
        if chosen is None:
            return Found(candidates=choice.candidates, among=choice.among)
        return Found(chosen, "S5" if chosen.kind.is_type else imported or self._distance(chosen), None, 1)

    def _declared(self, bound: Bound | None, use: Use, rule: str) -> Found:
        """What an import binds a name to, as a declaration; a module that is called stands for what it exports without a name."""
        if bound is not None and bound.module and use.labels is not None:
            bound = self._table.inside(bound.module, DEFAULT)
        if bound is None or not bound.symbols:
            return NOWHERE
        choice = self._members.choose(bound.symbols, use, static=False)
        if choice.chosen is None:
            return Found(candidates=choice.candidates, among=choice.among)
        return Found(choice.chosen, rule, None, 1)

    def _module(self, bound: Bound | None) -> Value | None:
        """A module of the project as a value, or what lies outside of it; None where a name is bound to neither."""
        if bound is None or bound.symbols:
            return None
        return Value(Standing.MODULE, None, bound.module) if bound.module else EXTERNAL

    def given(self, found: Found, use: Use) -> Found:
        """What a variable or property that is called stands for: the function or class that it was given, else what was found."""
        known = found
        for _ in range(_GIVEN):
            symbol = known.symbol
            if symbol is None or symbol.kind.is_callable or symbol.kind.is_type or not symbol.initializer:
                break
            *before, last = symbol.initializer
            if last.kind is not StepKind.NAME:
                break
            place = self._places.of_declaration(symbol)
            named = Use(last.name, use.labels, use.trailing)
            known = self.member(self.value_of(tuple(before), place), named) if before else self.bare(named, place)
        meant = known.symbol
        if meant is None or known is found or not (meant.kind.is_callable or meant.kind.is_type):
            return found
        return Found(meant, "T5", known.owner, 1)

    def _distance(self, symbol: Symbol) -> str:
        if symbol.path == self._path:
            return "S3"
        own, here = self._table.module_of(symbol.path), self._table.module_of(self._path)
        return "S4" if own and here and own != here else "L1"

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
            value = self._root(chain[0], place, expected) if len(chain) == 1 or chain[1].kind not in _OF_DECLARATION else UNKNOWN
            before = UNKNOWN
            for index in range(1, len(chain)):
                step = chain[index]
                if step.kind is StepKind.ARGUMENT and index + 1 < len(chain) and chain[index + 1].kind is StepKind.PARAMETER:
                    continue
                if step.kind is StepKind.PARAMETER and chain[index - 1].kind is StepKind.ARGUMENT:
                    value = self._passed(self._all_taken(chain[: index - 1], before, chain[index - 1], place), step, before)
                elif step.kind in _OF_DECLARATION:
                    value = self._taken(chain[:index], before, step, place)
                elif index + 1 < len(chain) and chain[index + 1].kind in _OF_DECLARATION and step.kind in _NAMING:
                    before = value  # the declaration is asked for, not what it evaluates to
                elif value.standing is Standing.UNKNOWN:
                    continue
                else:
                    value = self._step(value, step)
            return value
        finally:
            self._depth -= 1

    # ---- what calls take

    def alternatives(self, chain: Chain, place: Place) -> Sequence[Value]:
        """What may stand at the end of a chain that leads through a parameter, where the arguments decide whose."""
        last = max((index for index, step in enumerate(chain) if step.kind is StepKind.ARGUMENT), default=0)
        if not last or chain[last - 1].kind not in _NAMING:
            return ()
        before = self.value_of(chain[: last - 1], place) if last > 1 else UNKNOWN
        values = self._all_taken(chain[:last], before, chain[last], place)
        for step in chain[last + 1 :]:
            values = [self._step(value, step) for value in values if value.standing is not Standing.UNKNOWN]
        return values

    def _taken(self, chain: Chain, before: Value, step: Step, place: Place) -> Value:
        """The value that the last link of a chain, a call or a case, takes at a place."""
        if chain[-1].kind not in _NAMING:
            return self._handed(self._walk(chain, place, ""), step) if step.kind is StepKind.PARAMETER else UNKNOWN
        values = self._all_taken(chain, before, step, place)
        return values[0] if values and all(each == values[0] for each in values) else UNKNOWN

    def _all_taken(self, chain: Chain, before: Value, step: Step, place: Place) -> Sequence[Value]:
        last = chain[-1]
        labels = last.labels if last.kind is StepKind.CALL else None
        use = Use(last.name, labels, len(step.labels) if step.kind is StepKind.ARGUMENT else 0)
        if len(chain) == 1:
            found, receiver = self._declaration(use, place), place.self_type
        elif before.standing is Standing.UNKNOWN:
            return ()
        else:
            found, receiver = self._declaration_on(before, use), before.type
        if found.owner is not None and found.symbol is not None and found.symbol.kind is SymbolKind.INITIALIZER:
            receiver = found.owner if receiver is None or len(chain) == 1 else receiver
        if found.external:
            return (Value(Standing.EXTERNAL, self._foreign(before)),)
        return [self._taken_by(each, found, receiver, labels or (), step) for each in ((found.symbol,) if found.symbol else found.among)]

    def _declaration(self, use: Use, place: Place) -> Found:
        found = with_trailing(lambda each: self.bare(each, place), use)
        if found.symbol is None and not found.candidates:
            value = self._written(use.name, place)
            return self.construct(value.type, use) if value.type is not None else found
        return self._constructed(found, use)

    def _declaration_on(self, value: Value, use: Use) -> Found:
        if use.name == "init" and value.type is not None and use.labels is not None:
            return self._constructed_of(value.type, use)
        return self._constructed(with_trailing(lambda each: self.member(value, each), use), use)

    def _constructed(self, found: Found, use: Use) -> Found:
        if found.symbol is None or not found.symbol.kind.is_type or use.labels is None:
            return found
        return self._constructed_of(self._table.dealias(found.symbol), use)

    def _constructed_of(self, owner: Type, use: Use) -> Found:
        found = self.construct(owner, use)
        return Found(candidates=found.candidates, among=found.among, owner=owner) if found.among else found

    def _taken_by(self, symbol: Symbol, found: Found, receiver: Type | None, labels: Sequence[str], step: Step) -> Value:
        """The type of the parameter that takes an argument, or of a value that a case carries."""
        if symbol.kind.is_type:
            return self._stored(found.owner, labels, step)
        if step.kind is StepKind.PARAMETER:
            number = int(step.name)
            parameter = symbol.parameters[number] if number < len(symbol.parameters) else None
        else:
            parameter = parameter_of(symbol, labels, step.name, step.labels)
        return UNKNOWN if parameter is None else self.parameter_type(parameter, symbol, found.owner, receiver)

    def _stored(self, owner: Type | None, labels: Sequence[str], step: Step) -> Value:
        """Initialisers that nobody wrote take what is stored under the label."""
        number = -1 if step.name.startswith("+") else int(step.name)
        if owner is None or not 0 <= number < len(labels) or labels[number] == "_":
            return UNKNOWN
        found = self._members.member(Value(Standing.INSTANCE, owner), Use(labels[number]))
        return self._typed(found.symbol, found.owner, owner) if found.symbol is not None else UNKNOWN

    def _passed(self, taken: Sequence[Value], step: Step, receiver: Value) -> Value:
        """What a closure is given that is passed as one of several things, if all of them agree."""
        if step.labels and any(value.standing is Standing.EXTERNAL for value in taken):
            return self._element(receiver)
        handed = [value for value in (self._handed(each, step) for each in taken) if value.standing is not Standing.UNKNOWN]
        return handed[0] if handed and all(each == handed[0] for each in handed) else UNKNOWN

    def _handed(self, value: Value, step: Step) -> Value:
        """What a function takes at a place."""
        number = int(step.name) + 1
        if value.type is None or value.type.name != "Function" or number >= len(value.type.arguments):
            return UNKNOWN
        text, scope = value.type.arguments[number]
        return self.type_value(text, scope)

    def parameter_type(self, parameter: Parameter, symbol: Symbol, owner: Type | None, receiver: Type | None) -> Value:
        """The type of a parameter, seen from a call on a receiver."""
        place = self._places.of_declaration(symbol)
        generics = self._generics(place, symbol, owner, receiver)
        return self.type_value(parameter.type, place.scope, generics=generics, own=receiver or place.self_type)

    def argument_value(self, given: Argument, place: Place) -> Value:
        """What an argument stands for."""
        return self.value_of(given.value, place)

    def offers(self, owner: Type, name: str, *, called: bool) -> bool:
        """Does a type have a static member or case of this name that is called, or is a value without that?"""
        levels = self._members.levels_with(owner, name, above=False)
        return any(
            (each.kind is SymbolKind.CASE or has(each, STATIC))
            and (each.kind.is_callable or bool(each.parameters and each.kind is SymbolKind.CASE)) is called
            for _, members in levels
            for each in members
        )

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
                return as_metatype(self._written(expected, place))
            case _:
                return UNKNOWN

    def _self(self, place: Place) -> Value:
        if place.self_type is None:
            return UNKNOWN
        return Value(Standing.METATYPE if place.is_static else Standing.INSTANCE, place.self_type)

    def _written(self, text: str, place: Place) -> Value:
        return self.type_value(text, place.scope, generics=self._generics(place), own=place.self_type)

    def _metatype(self, name: str, place: Place) -> Value:
        return Value(Standing.MODULE) if self._table.is_module(name) else as_metatype(self._written(name, place))

    def _named(self, name: str, place: Place) -> Value:
        found = self.bare(Use(name), place)
        if found.symbol is not None:
            return self._result(found, place.self_type)
        module = self._module(self._table.bound(name, place.scope.path))
        if module is not None:
            return module
        return Value(Standing.MODULE) if self._table.is_module(name) else UNKNOWN

    def _called(self, step: Step, place: Place) -> Value:
        use = Use(step.name, step.labels)
        found = with_trailing(lambda each: self.bare(each, place), use)
        if self._table.dialect.holds_functions:
            found = self.given(found, use)
        if found.symbol is None:
            # A type of elsewhere, or a function of elsewhere: external either way.
            if found.candidates:
                return UNKNOWN
            return self._written(step.name, place) if step.name[:1].isupper() else EXTERNAL
        if found.symbol.kind.is_type:
            return Value(Standing.INSTANCE, self._table.dealias(found.symbol))
        return self._outcome(found, place.self_type)

    def _step(self, value: Value, step: Step) -> Value:
        if step.kind is StepKind.INDEX:
            return self._element(value)
        if step.kind is StepKind.IMPLICIT:
            return as_metatype(value)
        if step.kind is StepKind.NAME:
            module = self._module(self._table.inside(value.module, step.name)) if value.module else None
            if module is not None:
                return module
            found = self.member(value, Use(step.name))
        elif step.kind is StepKind.CALL:
            found = with_trailing(lambda each: self.member(value, each), Use(step.name, step.labels))
        else:
            return UNKNOWN
        if found.symbol is None:
            if step.kind is StepKind.CALL and value.standing is Standing.METATYPE and step.name == "init" and value.type:
                return Value(Standing.INSTANCE, value.type)
            if not found.external:
                return UNKNOWN
            if value.standing is Standing.METATYPE and step.kind is StepKind.NAME and step.name in self._table.dialect.singletons and value.type:
                return Value(Standing.INSTANCE, value.type)
            return Value(Standing.EXTERNAL, self._foreign(value))
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
        declared = value.type.declaration
        if declared is not None and declared.type and declared.kind is not SymbolKind.TYPEALIAS and declared.kind.is_type:
            self._depth += 1
            try:  # a type that is defined as another has the elements of that
                return self._element(self.type_value(declared.type, Scope(enclosing_names(declared.container), declared.path)))
            finally:
                self._depth -= 1
        if declared is not None and self._table.dialect.pointers:
            return value
        for _, members in self._members.levels_with(value.type, "subscript", above=False) if value.type.declaration else ():
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
        if symbol.kind.is_callable and self._table.dialect.objects and not symbol.container:
            return Value(Standing.METATYPE, Type(symbol.name, symbol))  # members may have been given to it
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
        place = self._places.of_declaration(symbol)
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
            for name, bound in self._places.generics_of(enclosing):
                found.setdefault(name, (bound, place.scope))
        for name, bound in symbol.generics if symbol else ():
            found[name] = (bound, place.scope)
        return found


def _names_of(generics: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(name for name, _ in generics)
