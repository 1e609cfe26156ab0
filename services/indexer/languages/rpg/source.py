"""RPG, from RPG III to free ILE RPG, with embedded SQL. There is no grammar of it to be had, so it is read by lines and columns.

lines, statements, entities, symbols: each is made of the one before, and expressions refer to the last. Names are as written; a linker compares them
without letter case. Imports are members named by /COPY and /INCLUDE, in capitals: ``QRPGLESRC/FTPAPI_H``; each binds all names of that member.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exegesis.model import Binding, Symbol, SymbolKind
from services.indexer.language import Source, Syntax
from services.indexer.languages.rpg.comments import Comments
from services.indexer.languages.rpg.dynamic import values_of
from services.indexer.languages.rpg.entities import Entity, Outline
from services.indexer.languages.rpg.expressions import Mentions, Scope
from services.indexer.languages.rpg.keywords import keywords
from services.indexer.languages.rpg.lines import read_lines
from services.indexer.languages.rpg.names import copied, fold, member_of
from services.indexer.languages.rpg.outline import outline
from services.indexer.languages.rpg.statements import ILE, OLD, Layout, read_statements
from services.indexer.languages.rpg.symbols import make_symbols
from services.indexer.languages.rpg.words import OLD_OPERATIONS

MOST_PROBLEMS = 5
_NOTHING: frozenset[str] = frozenset()


def read(source: Source) -> Syntax:
    """What :meth:`Language.parse` promises."""
    raw = source.text.split("\n")
    lines = list(read_lines(raw))
    found = outline(read_statements(lines, layout_of(source.path, raw)), member_of(source.path))
    made = list(make_symbols(source.path, found, Comments(lines)))
    mentions = Mentions(raw)
    scopes = _Scopes(found, made)
    for step in found.steps:
        scope = scopes.of(step.owner)
        if scope is not None:
            mentions.read(step.statement, scope)
    copies = tuple(dict.fromkeys(name for name in map(copied, found.copies) if name))
    return Syntax(
        symbols=tuple(sorted((symbol for _, symbol in made), key=lambda symbol: symbol.span.start)),
        references=tuple(sorted(mentions.found, key=lambda reference: (reference.line, reference.column))),
        imports=copies,
        bindings=tuple(Binding("*", member, "*") for member in copies),
        breaks=tuple(sorted(set(found.breaks))),
        problems=tuple(found.problems[:MOST_PROBLEMS]),
    )


class _Scopes:
    """What each entity sees, made once for each."""

    def __init__(self, found: Outline, made: Sequence[tuple[Entity, Symbol]]) -> None:
        self._found = found
        self._symbols: dict[int, Symbol] = {}
        for entity, symbol in made:
            self._symbols.setdefault(id(entity), symbol)
        top = [symbol for entity, symbol in made if entity.parent is None and not (symbol.container and "QUALIFIED" in entity.keywords)]
        self._code = frozenset(fold(symbol.name) for symbol in top if symbol.kind in {SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE})
        self._data = frozenset(fold(symbol.name) for symbol in top if not symbol.kind.is_callable)
        self._values = values_of(found)
        self._like = _like(found)
        self._scopes: dict[int, Scope | None] = {}

    def of(self, entity: Entity) -> Scope | None:
        known = self._scopes.get(id(entity))
        if known is None and id(entity) not in self._scopes:
            symbol = self._symbols.get(id(entity))
            procedure: Entity | None = entity
            while procedure is not None and procedure.parent is not None:
                procedure = procedure.parent
            names = self._found.locals.get(id(procedure), _NOTHING)
            like = self._like.get(id(procedure), {})
            known = Scope(symbol.id, names, self._data, self._code, self._found.constants, like, self._values) if symbol is not None else None
            self._scopes[id(entity)] = known
        return known


def _like(found: Outline) -> Mapping[int, Mapping[str, str]]:
    """For each procedure, by the identity of its entity, its own data structures and parameters that are like another data structure."""
    told: dict[int, dict[str, str]] = {}
    for entity in found.entities:
        if entity.parent is not None and entity.kind is SymbolKind.STRUCT:
            like = entity.keywords.get("LIKEDS", "") or _likeds(entity.type)
            if like:
                told.setdefault(id(entity.parent), {})[fold(entity.name.text)] = fold(like)
        elif entity.kind is SymbolKind.PROCEDURE:
            for part in entity.parts:
                like = _likeds(f"{part.type} {part.options}")
                if like:
                    told.setdefault(id(entity), {})[fold(part.name.text)] = fold(like)
    return told


def _likeds(said: str) -> str:
    return keywords(said).get("LIKEDS", "") if "LIKEDS" in said.upper() else ""


def layout_of(path: str, raw: Sequence[str]) -> Layout:
    """Where calculations keep their fields: by what stands there, and by the name of the file where that does not tell."""
    old = new = 0
    for line in raw:
        if line[5:6] in {"C", "c"} and line[6:7] not in {"*", "/", "+"}:
            old += line[27:32].strip().upper() in OLD_OPERATIONS
            new += line[25:35].strip().upper().partition("(")[0] in OLD_OPERATIONS or not line[6:35].strip()
        elif line[5:6] in {"D", "d", "P", "p"}:
            new += 1
    if old != new:
        return OLD if old > new else ILE
    return OLD if path.lower().endswith((".rpg", ".rpg38", ".rpg36")) else ILE
