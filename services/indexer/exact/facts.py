"""What an index store says, as a linker wants it: calls, definitions, relations. Pure functions over the files of a store.

A symbol is named by its USR, which is the same in every file, target and repository that names it; a USR without a definition among the files
belongs to a library. What is particular to Swift (each seen in real stores):

* A call written in the source is an occurrence with REFERENCE and CALL. Its caller is the symbol that it is CALLED_BY; in the initial value of a
  property or the default value of an argument there is none, and it is the symbol that it is CONTAINED_BY; at the top level of a file there is
  neither.
* Half of all calls are implicit: the getter and setter of each property that is read or written, what literals and operators stand for.
* ``Foo(a: 1)`` is two occurrences at one place: the type is referred to, its initialiser called. An initialiser that nobody wrote has its
  definition, implicit, at the name of the type.
* Closures and local functions are no symbols: what is called inside belongs to the declaration around them, and calls of a local function do not
  occur.
* A function that is passed on and not called is a REFERENCE without CALL.
* A call through a protocol or of an overridable member is DYNAMIC and names what is declared; what may run besides are the symbols that are
  OVERRIDE_OF it, which is also how a witness relates to its requirement. A witness that was not written for its protocol has its relation at the
  conformance.
* Members of an extension are CHILD_OF the extension, a symbol of its own that is named after a member or conformance; the type that it extends is
  EXTENDED_BY it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.indexer.exact.records import Record, RecordSymbol
from services.indexer.exact.vocabulary import Role

_CALL, _DYNAMIC, _IMPLICIT, _DEFINITION = int(Role.CALL), int(Role.DYNAMIC), int(Role.IMPLICIT), int(Role.DEFINITION)
_CALLED_BY, _CONTAINED_BY, _RECEIVED_BY = int(Role.CALLED_BY), int(Role.CONTAINED_BY), int(Role.RECEIVED_BY)
_CHILD_OF, _ACCESSOR_OF = int(Role.CHILD_OF), int(Role.ACCESSOR_OF)

STRUCTURE = Role.OVERRIDE_OF | Role.BASE_OF | Role.EXTENDED_BY | Role.ACCESSOR_OF | Role.CHILD_OF
"""The relations that hold between symbols, wherever they occur."""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file of the repository and what a compiler knew of it."""

    path: str
    """Relative to the root of the repository."""
    module: str
    """Empty for C and its kin."""
    record: Record


@dataclass(frozen=True, slots=True)
class Call:
    path: str
    line: int
    column: int
    callee: RecordSymbol
    caller: str
    """USR; empty at the top level of a file."""
    receiver: str
    """USR of the static type of what the member is called on; empty unless the call is dynamic."""
    is_implicit: bool
    is_dynamic: bool


@dataclass(frozen=True, slots=True)
class Definition:
    path: str
    line: int
    column: int
    module: str
    symbol: RecordSymbol
    parent: str
    """USR of the type or extension that it is a member of, of the property for an accessor; empty when there is none."""
    is_implicit: bool


@dataclass(frozen=True, slots=True)
class Link:
    """``source`` stands in relation ``role`` to ``target``: it is its override, its base, extended by it, its accessor, its child."""

    path: str
    line: int
    column: int
    role: Role
    source: str
    target: str
    is_implicit: bool


def calls(files: Iterable[IndexedFile], *, implicit: bool = True) -> Iterator[Call]:
    """Every call, in the order of the files and of the places in them."""
    for file in files:
        symbols, columns = file.record.symbols, file.record.columns
        for index, roles in enumerate(columns.roles):
            if not roles & _CALL or (roles & _IMPLICIT and not implicit):
                continue
            caller = container = receiver = ""
            for related_roles, related in columns.relations(index):
                usr = symbols[related].usr
                if related_roles & _CALLED_BY:
                    caller = caller or usr
                if related_roles & _CONTAINED_BY:
                    container = container or usr
                if related_roles & _RECEIVED_BY:
                    receiver = receiver or usr
            yield Call(
                file.path,
                columns.line[index],
                columns.column[index],
                symbols[columns.symbol[index]],
                caller or container,
                receiver,
                bool(roles & _IMPLICIT),
                bool(roles & _DYNAMIC),
            )


def definitions(files: Iterable[IndexedFile]) -> dict[str, tuple[Definition, ...]]:
    """Every definition by USR. Most have one; those under several conditions of compilation, and of C, may have more."""
    found: dict[str, list[Definition]] = {}
    for file in files:
        symbols, columns = file.record.symbols, file.record.columns
        for index, roles in enumerate(columns.roles):
            if not roles & _DEFINITION:
                continue
            parent = owner = ""
            for related_roles, related in columns.relations(index):
                if related_roles & _ACCESSOR_OF:
                    owner = owner or symbols[related].usr
                if related_roles & _CHILD_OF:
                    parent = parent or symbols[related].usr
            symbol = symbols[columns.symbol[index]]
            definition = Definition(
                file.path, columns.line[index], columns.column[index], file.module, symbol, owner or parent, bool(roles & _IMPLICIT)
            )
            found.setdefault(symbol.usr, []).append(definition)
    return {usr: tuple(dict.fromkeys(places)) for usr, places in found.items()}


def links(files: Iterable[IndexedFile], roles: Role = STRUCTURE) -> Iterator[Link]:
    """Every relation that has one of the roles, once for each role and place."""
    wanted = int(roles)
    singles = [role for role in Role if role & roles]
    for file in files:
        symbols, columns = file.record.symbols, file.record.columns
        for index, symbol in enumerate(columns.symbol):
            for related_roles, related in columns.relations(index):
                if not related_roles & wanted:
                    continue
                for role in singles:
                    if related_roles & role.value:
                        yield Link(
                            file.path,
                            columns.line[index],
                            columns.column[index],
                            role,
                            symbols[symbol].usr,
                            symbols[related].usr,
                            bool(columns.roles[index] & _IMPLICIT),
                        )
