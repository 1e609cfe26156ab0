"""Declarations as symbols of the vocabulary.

A prototype's ``initializer`` says what it stands for: one step, a CALL of the external procedure, or of a program where the step's label is
:data:`PROGRAM`; with the further label :data:`VARIABLE` one step for each program that it may be. That of a file or a data structure names the file
that describes it. Data structures are structs, their subfields properties; a program is a procedure that is an entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from exegesis.model import Chain, Modifier, Parameter, Span, Step, StepKind, Symbol, SymbolKind, stable_id
from services.indexer.languages.rpg.comments import Comments, says_deprecated
from services.indexer.languages.rpg.dynamic import values_of
from services.indexer.languages.rpg.entities import Entity, Outline, Part
from services.indexer.languages.rpg.keywords import external
from services.indexer.languages.rpg.names import fold
from services.indexer.languages.rpg.words import RUNTIME_SUBROUTINES

PROGRAM = "*PGM"
PROCEDURE = "*PROC"
SUBROUTINE = "*SUBR"
FILE = "*FILE"
VARIABLE = "*VARIABLE"
"""What a reference expects, where the operation tells: a program object, an external procedure, a subroutine, a file or table, or a program whose
name a variable holds."""

UNNAMED = "unnamed"

LONGEST_SIGNATURE = 600
LONGEST_PART = 120
MOST_DESCRIBED = 40
"""Parameters that a signature shows, and what it shows of them: prototypes of system interfaces would drown what they are called."""

MOST_PARTS = 2_000
"""Subfields of one data structure that become symbols."""

MOST_PARAMETERS = 399
"""What RPG allows."""

MOST_OVERLOADS = 64

_LEADS = {
    SymbolKind.PROTOTYPE: "prototype ",
    SymbolKind.STRUCT: "data structure ",
    SymbolKind.TABLE: "file ",
    SymbolKind.ENUM: "enum ",
    SymbolKind.SUBROUTINE: "begsr ",
}

_LOCAL = frozenset({SymbolKind.VARIABLE, SymbolKind.STRUCT, SymbolKind.ENUM})
"""What is shown with the procedure it is declared in, as nobody else can name it."""

_TELLING = frozenset(
    {
        *("EXPORT", "IMPORT", "EXTPROC", "EXTPGM", "DIM", "CONST", "BASED", "QUALIFIED", "TEMPLATE", "LIKE", "LIKEDS", "LIKEREC", "EXTNAME"),
        "OVERLOAD",
    }
)
"""Keywords that a signature repeats."""


def make_symbols(path: str, found: Outline, comments: Comments) -> Iterator[tuple[Entity, Symbol]]:
    """Every entity with its symbol, and after that of a data structure those of its subfields, with the same entity."""
    seen: Counter[str] = Counter()
    made: dict[int, Symbol] = {}
    values = values_of(found)
    entry = fold(found.control.get("MAIN", ""))
    for entity in found.entities:
        if not entity.name.text and entity.kind not in {SymbolKind.STRUCT, SymbolKind.PROCEDURE}:
            continue
        if entity.parent is not None and entity.kind in _LOCAL:
            continue
        parent = made.get(id(entity.parent)) if entity.parent is not None else None
        symbol = replace(_symbol(path, entity, parent, comments, seen), initializer=_stands_for(entity, found.constants, values))
        if entity is found.main or (entity.kind is SymbolKind.PROCEDURE and fold(symbol.name) == entry):
            modifiers = (symbol.modifiers & ~Modifier.PRIVATE) | Modifier.ENTRY | Modifier.PUBLIC
            symbol = replace(symbol, modifiers=modifiers, doc=comments.heading() or symbol.doc)
        made[id(entity)] = symbol
        yield entity, symbol
        if entity.kind in {SymbolKind.STRUCT, SymbolKind.ENUM}:
            for part in entity.parts[:MOST_PARTS]:
                if part.name.text:
                    yield entity, _part(path, part, symbol, seen)


def _symbol(path: str, entity: Entity, parent: Symbol | None, comments: Comments, seen: Counter[str]) -> Symbol:
    name = entity.name.text or UNNAMED
    qualified = f"{parent.qualified}.{name}" if parent is not None else name
    line = entity.name.line or entity.start
    start = comments.above(entity.start, entity.floor)
    doc = _without_name(comments.text(start, entity.start), entity.name.text)
    return Symbol(
        id=_identify(path, entity.kind, qualified, seen),
        name=name,
        qualified=qualified,
        kind=entity.kind,
        path=path,
        span=Span(start, max(entity.end, line)),
        line=line,
        column=entity.name.column + 1,
        parent=parent.id if parent is not None else None,
        signature=signature(entity),
        doc=doc,
        modifiers=_modifiers(entity, doc),
        parameters=_parameters(entity) if entity.kind.is_callable else (),
        type=entity.type,
        inherits=tuple(each.strip() for each in entity.keywords.get("OVERLOAD", "").split(":") if each.strip())[:MOST_OVERLOADS],
    )


def _without_name(doc: str, name: str) -> str:
    """``FTP_quit: Log off`` says ``Log off`` of FTP_quit, and a line that only repeats the name says nothing."""
    if not name or name.upper() not in doc.upper():
        return doc
    alone = _NAME_ALONE.match(doc)
    if alone and fold(alone["name"]) == fold(name):
        doc = doc[alone.end() :]
    titled = next((match for match in _NAME_BEFORE.finditer(doc) if fold(match["name"]) == fold(name)), None)
    return doc[: titled.start("named")] + doc[titled.end() :] if titled else doc


_NAMED = r"(?:(?:procedure|function|subroutine|program)[ \t]+)?(?P<name>[^\s:=().-]+)(?:\(\))?"
_NAME_ALONE = re.compile(rf"[ \t]*{_NAMED}[ \t]*(?:procedure|subroutine)?[.:]?[ \t]*\n\s*", re.IGNORECASE)
_NAME_BEFORE = re.compile(rf"^[ \t]*(?P<named>{_NAMED}[ \t]*(?::|--?|=)[ \t]*)(?=\S)", re.IGNORECASE | re.MULTILINE)
"""Compared with a name afterwards: a pattern for each name took a third of the time of reading RPG."""


def _part(path: str, part: Part, owner: Symbol, seen: Counter[str]) -> Symbol:
    kind = SymbolKind.CASE if owner.kind is SymbolKind.ENUM else SymbolKind.PROPERTY
    qualified = f"{owner.qualified}.{part.name.text}"
    return Symbol(
        id=_identify(path, kind, qualified, seen),
        name=part.name.text,
        qualified=qualified,
        kind=kind,
        path=path,
        span=Span(part.start, part.end),
        line=part.name.line,
        column=part.name.column + 1,
        parent=owner.id,
        container=owner.name,
        signature=" ".join(f"{part.name.text} {part.type}".split()),
        type=part.type,
    )


def _identify(path: str, kind: SymbolKind, qualified: str, seen: Counter[str]) -> int:
    """Equal ones are numbered, and letter case does not count: neither moving nor recasing makes it another symbol."""
    key = f"{kind}:{fold(qualified)}"
    seen[key] += 1
    return stable_id(path, key, seen[key])


def signature(entity: Entity) -> str:
    """A declaration on one line, in words that hold in either form: ``FTP_binaryMode(peSession 10I 0 value: peSetting 1A const) 10I 0 export``."""
    kind = entity.kind
    text = _LEADS.get(kind, "") + (entity.name.text or UNNAMED)
    if kind.is_callable and kind is not SymbolKind.SUBROUTINE:
        text += "(" + ": ".join(map(_described, entity.parts[:MOST_DESCRIBED])) + ")"
    said = (f"{word.lower()}({inside})" if inside else word.lower() for word, inside in entity.keywords.items() if word in _TELLING)
    return " ".join(f"{text} {entity.type} {' '.join(said)}".split())[:LONGEST_SIGNATURE]


def _described(part: Part) -> str:
    return " ".join(f"{part.name.text} {part.type} {part.options}".split())[:LONGEST_PART]


def _parameters(entity: Entity) -> tuple[Parameter, ...]:
    return tuple(Parameter("_", part.name.text, part.type, has_default="*NOPASS" in part.options.upper()) for part in entity.parts[:MOST_PARAMETERS])


def _modifiers(entity: Entity, doc: str) -> Modifier:
    found = Modifier.DEPRECATED if says_deprecated(doc) else Modifier.NONE
    if entity.kind is SymbolKind.PROCEDURE:
        return found | (Modifier.PUBLIC if "EXPORT" in entity.keywords else Modifier.PRIVATE)
    if entity.kind is SymbolKind.SUBROUTINE:
        return found | Modifier.PRIVATE | (Modifier.ENTRY if fold(entity.name.text) in RUNTIME_SUBROUTINES else Modifier.NONE)
    return found


def _stands_for(entity: Entity, constants: Mapping[str, str], values: Mapping[str, tuple[str, ...]]) -> Chain:
    words = entity.keywords
    if entity.kind in {SymbolKind.TABLE, SymbolKind.STRUCT}:
        described = external(words.get("EXTDESC" if entity.kind is SymbolKind.TABLE else "EXTNAME", "").partition(":")[0])
        return (Step(StepKind.NAME, described),) if described else ()
    if entity.kind not in {SymbolKind.PROTOTYPE, SymbolKind.PROCEDURE}:
        return ()
    if "EXTPGM" in words:
        written = words["EXTPGM"]
        name = external(written) or entity.name.text
        if "'" in written or not written:
            return (Step(StepKind.CALL, name, (PROGRAM,)),)
        if fold(name) in constants:
            return (Step(StepKind.CALL, constants[fold(name)].rpartition("/")[2].strip(), (PROGRAM,)),)
        return tuple(Step(StepKind.CALL, each, (PROGRAM, VARIABLE)) for each in values.get(fold(name)) or (name,))
    name = external(words.get("EXTPROC", ""))
    return (Step(StepKind.CALL, name),) if name else ()
