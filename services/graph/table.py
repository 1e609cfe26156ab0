"""All symbols of a repository, indexed for linking. Every look goes through a key, and the keys a file looked at are what its links depend on.

A key names a question ("members called ``resume`` of types called ``Request``"), and the keys of a symbol are the questions it answers. So when
symbols change, exactly the files that asked one of their keys must be linked again; files that got no answer count too, they asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import Binding, Modifier, Symbol, SymbolKind
from services.graph.dialects import PROSE, Dialect, Sight, dialect_of
from services.graph.imports import DEFAULT, Bound, Imports
from services.graph.modules import folder_of
from services.graph.modules.copies import member_of
from services.graph.types import enclosing_names, last_component, split_type
from services.graph.unread import Unread

INITIALIZERS = "<init>"
_INITIALIZER = f".{INITIALIZERS}"
_OF_TYPES = "FC"
"""Questions that only types answer, and not by their names."""
PRIVATE = int(Modifier.PRIVATE)
STATIC = int(Modifier.STATIC)
ENTRY = int(Modifier.ENTRY)
PROGRAM = "*PGM"
"""Label of a CALL step that means a program object, as what a prototype stands for; and what a reference to one expects."""
COMMAND = "*CMD"
"""Label of what a command stands for, and what a reference to one expects."""
_NOTHING: tuple[Symbol, ...] = ()
_PROCEDURES = frozenset({SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE})


@dataclass(frozen=True, slots=True)
class FileContext:
    """What linking must know of a file besides its symbols."""

    module: str = ""
    imports: frozenset[str] = frozenset()
    """First components of the imported names; of headers their paths as they are included, without suffix and dots."""
    language: str = ""
    bindings: tuple[Binding, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a name is read: the types around it, innermost first, and the file."""

    containers: tuple[str, ...]
    path: str
    bindings: Mapping[str, tuple[str, Scope]] = field(default_factory=dict, compare=False)
    """What generic parameters stand for here, each with the scope in which that is read."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type as it is used somewhere. ``declaration`` is None for a type that the project does not declare."""

    name: str
    declaration: Symbol | None
    arguments: tuple[tuple[str, Scope], ...] = ()
    """Canonical arguments, each with the scope in which it was written."""


def has(symbol: Symbol, modifier: int) -> bool:
    """Five times faster than the operator of the flag, which is written in Python and makes an object."""
    return int.__and__(symbol.modifiers, modifier) != 0


def full_name(symbol: Symbol) -> str:
    """Canonical name of a type symbol; of an extension, that of the extended type."""
    name = split_type(symbol.name)[0]
    if symbol.kind is SymbolKind.EXTENSION or not symbol.container:
        return name
    return f"{symbol.container}.{name}"


def keys_of(symbol: Symbol) -> Iterable[str]:
    """The questions that this symbol answers, each a letter and the names asked for."""
    yield f"N:{symbol.name}"
    kind = symbol.kind
    if kind.is_type:
        yield f"F:{full_name(symbol)}"
        if kind is not SymbolKind.EXTENSION:
            yield f"T:{symbol.name}"
        for inherited in symbol.inherits:
            yield f"C:{last_component(split_type(inherited)[0])}"
    if symbol.parent is not None and symbol.kind is SymbolKind.METHOD:
        yield f"W:{symbol.parent}"
    if symbol.container:
        owner = split_type(symbol.container)[0]
        makes = kind is SymbolKind.INITIALIZER or (kind is SymbolKind.PROTOTYPE and symbol.name == last_component(owner))
        yield f"M:{owner}.{INITIALIZERS if makes else symbol.name}"
        if not kind.is_type:
            yield f"D:{symbol.name}"
            if kind is SymbolKind.CASE or has(symbol, STATIC):
                yield f"O:{symbol.name}"
    elif symbol.parent is None:
        yield f"G:{symbol.name}"
    if kind in _PROCEDURES:
        yield from _outside(symbol)


def _outside(symbol: Symbol) -> Iterable[str]:
    """By what name a procedure, a prototype or a program is known outside of its module; commands by their own."""
    for step in symbol.initializer[:1]:
        if COMMAND in step.labels:
            continue
        yield f"{'E' if PROGRAM in step.labels and symbol.kind is SymbolKind.PROCEDURE else 'X'}:{step.name}"
    if symbol.kind is SymbolKind.PROCEDURE and has(symbol, ENTRY):
        yield f"E:{member_of(symbol.path)}"


def module_key(name: str) -> str:
    """The question whether a module of this name exists."""
    return f"P:{name}"


_SWIFT = dialect_of("swift")


class SymbolTable:
    """The symbols of one family of languages. Lookups record their keys in ``consulted``, which :meth:`start` empties.

    Answers come in the order of identifiers.
    """

    def __init__(
        self, symbols: Iterable[Symbol], contexts: Mapping[str, FileContext], dialect: Dialect = _SWIFT, unread: Unread | None = None
    ) -> None:
        """``contexts`` are those of the files of the family. With ``unread``, ``symbols`` are its types, and the others are read when they are
        asked for.
        """
        self.dialect = dialect
        self._contexts = contexts
        self._modules = frozenset(context.module for context in contexts.values()) - {""}
        self._answers: dict[str, list[Symbol]] = {}
        self._kinds: dict[int, SymbolKind] = {}
        self._ancestors: dict[tuple[str, int], tuple[tuple[tuple[Type, ...], ...], frozenset[str]]] = {}
        self.consulted: set[str] = set()
        self._unread = unread
        for symbol in sorted(symbols, key=lambda symbol: symbol.id):
            self._kinds[symbol.id] = symbol.kind
            for key in self._keys_of(symbol):
                if unread is None or key[0] in _OF_TYPES:
                    self._answers.setdefault(key, []).append(symbol)
        self._imports = self._read_imports()

    def _keys_of(self, symbol: Symbol) -> Iterable[str]:
        if self.dialect.family == PROSE:
            return (f"N:{symbol.name}",)
        return map(str.lower, keys_of(symbol)) if self.dialect.ignores_case else keys_of(symbol)

    def _read_imports(self) -> Imports | None:
        if self.dialect.modules is None:
            return None
        bindings = {path: context.bindings for path, context in self._contexts.items() if context.bindings}
        modules = {path: context.module for path, context in self._contexts.items()}
        return Imports(bindings, modules, self.dialect.modules, self._consult, lambda name: self._ask(f"G:{name}"))

    def start(self) -> None:
        """Begin to record for another file."""
        self.consulted = set()

    def _consult(self, key: str) -> None:
        self.consulted.add(key)

    def _ask(self, key: str) -> Sequence[Symbol]:
        if self.dialect.ignores_case:
            key = key.lower()
        self.consulted.add(key)
        found = self._answers.get(key)
        if found is None:
            return _NOTHING if self._unread is None else self._read(key, self._unread)
        return found

    def _read(self, key: str, unread: Unread) -> Sequence[Symbol]:
        """The answer to a question that was not asked before. Each look reads whole names, so no answer is ever in part."""
        is_initializer = key.endswith(_INITIALIZER)
        fresh: dict[str, list[Symbol]] = {}
        if key[0] not in _OF_TYPES:
            for symbol in unread.initializers() if is_initializer else unread.named(key):
                self._kinds[symbol.id] = symbol.kind
                for each in self._keys_of(symbol):
                    if each[0] not in _OF_TYPES and each.endswith(_INITIALIZER) == is_initializer:
                        fresh.setdefault(each, []).append(symbol)
        self._answers.update(fresh)
        return self._answers.setdefault(key, [])

    # ---- questions

    def named(self, name: str) -> Sequence[Symbol]:
        return self._ask(f"N:{name}")

    def top_level(self, name: str, path: str) -> Sequence[Symbol]:
        """Declarations outside of any other, of this name, as far as they can be seen from a file."""
        return self._with_code([symbol for symbol in self._ask(f"G:{name}") if self.visible(symbol, path)])

    def _with_code(self, found: Sequence[Symbol]) -> Sequence[Symbol]:
        """Where prototypes stand for what implements them: without those that something implements."""
        if not self.dialect.prototypes or len(found) < 2:
            return found
        return [each for each in found if each.kind is not SymbolKind.PROTOTYPE] or found[:1]

    def members(self, owner: Type, name: str) -> Sequence[Symbol]:
        """Members that a type's declaration and its extensions declare; not inherited ones."""
        found = self._with_code(self._of_type("M", owner, f".{name}"))
        if self.dialect.sight is not Sight.MODULE:
            return self._beside(owner, found)
        return self._belonging(owner, found) if len(found) > 1 else found

    def initializers(self, owner: Type) -> Sequence[Symbol]:
        return self.members(owner, INITIALIZERS)

    def extensions(self, owner: Type) -> Sequence[Symbol]:
        return [symbol for symbol in self._of_type("F", owner, "") if symbol.kind is SymbolKind.EXTENSION]

    def _of_type(self, question: str, owner: Type, rest: str) -> Sequence[Symbol]:
        """Answers for a type under the name it has here and under the one that says its module."""
        found = self._ask(f"{question}:{owner.name}{rest}")
        if owner.declaration is None:
            plain = last_component(owner.name)
            return found if plain == owner.name else [*found, *self._ask(f"{question}:{plain}{rest}")]
        module = self.module_of(owner.declaration.path)
        qualified = self._ask(f"{question}:{module}.{owner.name}{rest}") if module else ()
        return [*found, *qualified] if qualified else found

    def types_called(self, name: str) -> Sequence[Symbol]:
        """Declarations, not extensions, of types whose own name this is, wherever they stand."""
        return self._ask(f"T:{name}")

    def members_anywhere(self, name: str) -> Sequence[Symbol]:
        """Members of this name of whatever type, without types."""
        return self._ask(f"D:{name}")

    def offers(self, name: str) -> Sequence[Symbol]:
        """Static members and cases of this name of whatever type: what an implicit member may mean."""
        return self._ask(f"O:{name}")

    def members_of(self, declaration: Symbol) -> Sequence[Symbol]:
        """Methods that stand in the declaration of a type, by its text."""
        key = f"W:{declaration.id}"
        if self._unread is None or key in self._answers:
            return self._ask(key)
        self.consulted.add(key)
        found = [each for each in self._unread.within(declaration.path) if each.parent == declaration.id and each.kind is SymbolKind.METHOD]
        return self._answers.setdefault(key, found)

    def inheritors(self, name: str) -> Sequence[Symbol]:
        """Types and extensions that name a type of this name in their inheritance clause."""
        return self._ask(f"C:{name}")

    def external(self, name: str) -> Sequence[Symbol]:
        """Prototypes and procedures that are known outside of their modules by this name, which is not their own."""
        return self._ask(f"X:{name}")

    def programs(self, name: str) -> Sequence[Symbol]:
        """Where programs of this name begin."""
        return self._ask(f"E:{name}")

    def is_module(self, name: str) -> bool:
        self.consulted.add(module_key(name))
        if self.dialect.prototypes and any(each.kind is SymbolKind.MODULE for each in self._ask(f"G:{name}")):
            return True  # a namespace
        return name in self._modules

    def kind_of(self, symbol_id: int | None) -> SymbolKind | None:
        """Kind of the symbol that encloses another; no question of its own, for it is part of what the other one is."""
        if symbol_id is None:
            return None
        kind = self._kinds.get(symbol_id)
        if kind is None and self._unread is not None:
            kind = self._unread.kind_of(symbol_id)
        return kind

    # ---- visibility

    def module_of(self, path: str) -> str:
        context = self._contexts.get(path)
        return context.module if context else ""

    def visible(self, symbol: Symbol, path: str) -> bool:
        """May a file name this declaration? Unknown modules hide nothing."""
        if symbol.path == path:
            return True
        if has(symbol, PRIVATE):
            return False
        sight = self.dialect.sight
        if sight is Sight.PROGRAM:
            return symbol.name not in self.dialect.library or self._is_included(symbol.path, path)
        if sight is not Sight.MODULE:
            return sight is Sight.PACKAGE and self._are_one_package(symbol.path, path)
        own, here = self._contexts.get(symbol.path), self._contexts.get(path)
        return not (own and here and own.module and here.module) or own.module == here.module or own.module in here.imports

    def _is_included(self, header: str, path: str) -> bool:
        """Whether a file names a header among those it includes, or stands in one folder with it and so may include it by way of others."""
        folder, _, name = header.rpartition("/")
        if folder == path.rpartition("/")[0]:
            return True
        here, stem = self._contexts.get(path), f"/{header[: len(header) - len(name)]}{name.partition('.')[0]}"
        return here is not None and any(stem.endswith(f"/{included}") for included in here.imports)

    def nearest(self, symbols: Sequence[Symbol], path: str, *, alike: bool = False) -> Sequence[Symbol]:
        """Those in the same file if there are any, else those in the same module, else all.

        ``alike``: functions of one name are told apart by what is given to them, wherever in a module they stand.
        """
        if len(symbols) < 2:
            return symbols
        here = [symbol for symbol in symbols if symbol.path == path]
        if here and not (alike and self.dialect.sight is Sight.MODULE and all(symbol.kind.is_callable for symbol in symbols)):
            return here
        module = self.module_of(path)
        return [symbol for symbol in symbols if self.module_of(symbol.path) == module] or symbols

    def _belonging(self, owner: Type, found: Sequence[Symbol]) -> Sequence[Symbol]:
        declared = owner.declaration
        if declared is None or all(symbol.path == declared.path for symbol in found):
            return found
        if all(each.path == declared.path for each in self._declarations(owner.name)):
            return found
        # Two targets declare a type of this name: members belong to the one in their own module.
        module = self.module_of(declared.path)
        return [symbol for symbol in found if self.module_of(symbol.path) == module]

    def _beside(self, owner: Type, found: Sequence[Symbol]) -> Sequence[Symbol]:
        """The members of a type where they stand in the same file or package, or may stand anywhere."""
        if self.dialect.sight is Sight.PROGRAM or not found:
            return found
        declared = owner.declaration
        if declared is None:
            return _NOTHING
        if self.dialect.sight is Sight.FILE:
            return [symbol for symbol in found if symbol.path == declared.path]
        return [symbol for symbol in found if self._are_one_package(symbol.path, declared.path)]

    def _are_one_package(self, left: str, right: str) -> bool:
        one, other = self.module_of(left), self.module_of(right)
        return one == other if one and other else folder_of(left) == folder_of(right)

    # ---- imports

    def bound(self, name: str, path: str) -> Bound | None:
        """What an import of a file binds a name to; None if none does."""
        return self._imports.bound(name, path) if self._imports else None

    def inside(self, module: Sequence[str], name: str) -> Bound | None:
        """What a name means as a member of a module of the project, which is given by its files."""
        return self._imports.inside(module, name) if self._imports else None

    def _imported_type(self, first: str, rest: Sequence[str], path: str) -> tuple[Symbol | None, Sequence[str]]:
        """The type that a dotted name begins with where an import binds its first part, and what is left of the name."""
        found = self.bound(first, path)
        while found is not None and found.module and rest:
            found, rest = self.inside(found.module, rest[0]), rest[1:]
        if found is not None and found.module and not rest:
            found = self.inside(found.module, DEFAULT)
        types = [each for each in found.symbols if each.kind.is_type and each.kind is not SymbolKind.EXTENSION] if found else []
        return (types[-1] if types else None), rest

    # ---- types

    def lookup_type(self, name: str, scope: Scope, *, inherited: bool = True) -> Type | None:
        """The project's type that a name without arguments means in a scope; None if it means none, or if it is ambiguous.

        ``inherited`` also looks among the nested types of supertypes, and through aliases. What inheritance clauses and aliases say is itself
        read without, which keeps this from going round in circles.
        """
        first, *rest = name.split(".")
        found = self._first_component(first, scope, inherited=inherited)
        if found is None and self._imports is not None:
            found, left = self._imported_type(first, rest, scope.path)
            rest = list(left)
        if found is None and rest and (self.is_module(first) or self._is_own_module(first, scope.path)):
            first, *rest = rest
            found = self._choose(self._top_level_types(first), scope.path)
        for component in rest:
            if found is None:
                return None
            owner = self.dealias(found) if inherited else Type(full_name(found), found)
            found = self._nested(owner, component, scope.path, inherited=inherited)
        return None if found is None else Type(full_name(found), found)

    def _is_own_module(self, name: str, path: str) -> bool:
        """Where no manifest tells what a file's module is called: the head of a qualified name that is neither declared nor imported."""
        context = self._contexts.get(path)
        if self.dialect.sight is not Sight.MODULE or context is None or context.module:
            return False
        return name not in context.imports and name != "Swift" and not self.types_called(name)

    def _first_component(self, name: str, scope: Scope, *, inherited: bool) -> Symbol | None:
        known = self.types_called(name)
        if not known:
            return None
        if any(each.container for each in known):
            for container in scope.containers:
                nested = self._nested(Type(container, self._declaration(container, scope.path)), name, scope.path, inherited=inherited)
                if nested is not None:
                    return nested
        top = [each for each in self._top_level_types(name) if self.visible(each, scope.path)]
        return self._choose(top or [each for each in known if not each.container and each.path == scope.path], scope.path)

    def _top_level_types(self, name: str) -> Sequence[Symbol]:
        return [each for each in self._ask(f"G:{name}") if each.kind.is_type and each.kind is not SymbolKind.EXTENSION]

    def _declarations(self, name: str) -> Sequence[Symbol]:
        return [each for each in self._ask(f"F:{name}") if each.kind is not SymbolKind.EXTENSION]

    def _declaration(self, name: str, path: str) -> Symbol | None:
        """The declaration of a type by its full name."""
        return self._choose(self._declarations(name), path)

    def _nested(self, owner: Type, name: str, path: str, *, inherited: bool) -> Symbol | None:
        for level in self.levels(owner) if inherited else ((owner,),):
            found = [each for holder in level for each in self.members(holder, name) if each.kind.is_type and self.visible(each, path)]
            if found:
                return self._choose(found, path)
        return None

    def _choose(self, found: Sequence[Symbol], path: str) -> Symbol | None:
        """The one that is meant. Several in one file are branches of conditional compilation: any will do, so the first."""
        near = self.nearest(found, path)
        return near[0] if near and all(each.path == near[0].path for each in near) else None

    def declared(self, name: str, path: str) -> Type:
        """The type of this full name, as a file means it; where functions may have members, perhaps a function."""
        found = self._declaration(name, path)
        if found is None and self.dialect.objects:
            found = next((each for each in self._ask(f"G:{name}") if each.path == path and each.kind.is_callable), None)
        return Type(name, found)

    def dealias(self, symbol: Symbol) -> Type:
        """The type that a type symbol finally stands for."""
        current = symbol
        for _ in range(8):  # longer rows of aliases are circles
            if current.kind is not SymbolKind.TYPEALIAS or not current.type:
                break
            name, arguments = split_type(current.type)
            where = Scope(enclosing_names(current.container), current.path)
            target = self.lookup_type(name, where, inherited=False)
            if target is None or target.declaration is None:
                return Type(name, None, tuple((each, where) for each in arguments))
            if target.declaration.kind is not SymbolKind.TYPEALIAS:
                return Type(target.name, target.declaration, tuple((each, where) for each in arguments))
            current = target.declaration
        return Type(full_name(current), current)

    def levels(self, owner: Type) -> tuple[tuple[Type, ...], ...]:
        """A type, then its direct supertypes, then theirs, ...: each type once, at its smallest distance."""
        key = (owner.name, owner.declaration.id if owner.declaration else 0)
        known = self._ancestors.get(key)
        if known is None:
            outer, self.consulted = self.consulted, set()
            known = (self._climb(owner), frozenset(self.consulted))
            self.consulted = outer
            self._ancestors[key] = known
        self.consulted |= known[1]
        return ((owner,), *known[0])

    def _climb(self, owner: Type) -> tuple[tuple[Type, ...], ...]:
        found: list[tuple[Type, ...]] = []
        seen = {self._identity(owner)}
        level: Sequence[Type] = (owner,)
        while level:
            following = [supertype for each in level for supertype in self._supertypes(each)]
            level = [each for each in following if self._identity(each) not in seen and not seen.add(self._identity(each))]  # type: ignore[func-returns-value]
            if level:
                found.append(tuple(level))
        return tuple(found)

    def _identity(self, type_: Type) -> tuple[str, int]:
        """Where files hide what they declare, a class is often called like the one that it refines."""
        return type_.name, type_.declaration.id if type_.declaration and self.dialect.sight is not Sight.MODULE else 0

    def _supertypes(self, owner: Type) -> Iterable[Type]:
        if owner.declaration is None:
            for name in self.dialect.supertypes.get(owner.name, ()):
                yield Type(name, None, owner.arguments[-1:])
        declarations = [] if owner.declaration is None else [owner.declaration]
        for symbol in (*declarations, *self.extensions(owner)):
            where = Scope(enclosing_names(symbol.container if symbol.kind is not SymbolKind.EXTENSION else full_name(symbol)), symbol.path)
            for inherited in symbol.inherits:
                name, arguments = split_type(inherited)
                target = self.lookup_type(name, where, inherited=False)
                written = tuple((each, where) for each in arguments)
                if target is None or target.declaration is None:
                    yield Type(name, None, written)
                elif target.declaration.kind is SymbolKind.TYPEALIAS:
                    yield self.dealias(target.declaration)
                else:
                    yield Type(target.name, target.declaration, written)
