"""Symbols, chunks and references as rows of a graph generation, and back.

Every row is a pure function of the facts it holds: no counters, no dates, no hash order, so that an incremental generation can equal a clean one
row by row. References are only ever read a file at a time; they are kept as one compressed blob per file, in which each distinct chain and
string stands once. That is ten times smaller than rows, and restores equal chains as one object, which a linker's caches profit from.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from exegesis.model import (
    Argument,
    Binding,
    Chain,
    Chunk,
    ChunkKind,
    EdgeKind,
    ExactFacts,
    ExactRole,
    ExactSymbol,
    ExactTie,
    ExactUse,
    Modifier,
    Parameter,
    Reference,
    ReferenceKind,
    Span,
    Step,
    StepKind,
    Symbol,
    SymbolKind,
)

COMPRESSION = 1
"""zlib level: 40,000 chunks pack in 0.8 s at 1 and in 2.5 s at 6, for 12 % less."""

Row = tuple[Any, ...]

# Enums by value through a dictionary: five times faster than calling the enum, and there are a hundred thousand of them.
_SYMBOL_KINDS = {kind.value: kind for kind in SymbolKind}
_CHUNK_KINDS = {kind.value: kind for kind in ChunkKind}
_STEP_KINDS = {kind.value: kind for kind in StepKind}

_modifiers = lru_cache(maxsize=None)(Modifier)

# Stored format: append only.
_REFERENCE_KINDS = (ReferenceKind.CALL, ReferenceKind.ACCESS, ReferenceKind.TYPE, ReferenceKind.INHERIT, ReferenceKind.MENTION)
_REFERENCE_CODES = {kind: code for code, kind in enumerate(_REFERENCE_KINDS)}
_REFERENCE = struct.Struct("<qIIIIIIIBB")
"""source, name, line, column, receiver, labels, expected, arguments, kind, trailing closures."""
_HEADER = struct.Struct("<I")


@lru_cache(maxsize=1 << 18)
def name_hash(name: str) -> int:
    """32 bits of a name, for sets of names that are compared and never printed. A collision costs a needless look, never an answer."""
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "little")


def pack_names(names: Iterable[str]) -> bytes:
    """Hashes of distinct names, ascending, four bytes each, little endian."""
    hashes = sorted({name_hash(name) for name in names})
    return struct.pack(f"<{len(hashes)}I", *hashes)


def written_bindings(bindings: Iterable[Binding]) -> str:
    """Bindings in one column; empty where there are none, which most languages do not have."""
    rows = [(each.name, each.module, each.member) for each in bindings]
    return json.dumps(rows, separators=(",", ":")) if rows else ""


def bindings_of(written: str) -> tuple[Binding, ...]:
    return tuple(Binding(*row) for row in json.loads(written)) if written else ()


# -------------------------------------------------------------------------------------------------------------- symbols

SYMBOL_COLUMNS = "id, file, name, folded, qualified, kind, start, end, line, column, parent, container, signature, doc, modifiers, type, details"


def symbol_row(symbol: Symbol, file: int) -> Row:
    return (
        symbol.id,
        file,
        symbol.name,
        symbol.name.lower(),
        symbol.qualified,
        symbol.kind.value,
        symbol.span.start,
        symbol.span.end,
        symbol.line,
        symbol.column,
        symbol.parent,
        symbol.container,
        symbol.signature,
        symbol.doc,
        int(symbol.modifiers),
        symbol.type,
        _details(symbol),
    )


def symbol_of(row: Row, path: str) -> Symbol:
    (id_, _, name, _, qualified, kind, start, end, line, column, parent, container, signature, doc, modifiers, type_, details) = row
    if details:
        parameters, inherits, generics, initializer = json.loads(details)
        return Symbol(
            id_,
            name,
            qualified,
            _SYMBOL_KINDS[kind],
            path,
            Span(start, end),
            line,
            column,
            parent,
            container,
            signature,
            doc,
            _modifiers(modifiers),
            tuple(Parameter(label, own, written, bool(flags & 1), bool(flags & 2)) for label, own, written, flags in parameters),
            type_,
            tuple(inherits),
            tuple((own, bound) for own, bound in generics),
            _chain_of(initializer),
        )
    return Symbol(
        id_,
        name,
        qualified,
        _SYMBOL_KINDS[kind],
        path,
        Span(start, end),
        line,
        column,
        parent,
        container,
        signature,
        doc,
        _modifiers(modifiers),
        (),
        type_,
    )


def _details(symbol: Symbol) -> str:
    """The nested parts as JSON, empty when there are none (most properties and cases)."""
    if not (symbol.parameters or symbol.inherits or symbol.generics or symbol.initializer):
        return ""
    parameters = [(each.label, each.name, each.type, each.has_default + 2 * each.variadic) for each in symbol.parameters]
    return _json((parameters, symbol.inherits, symbol.generics, _chain_json(symbol.initializer)))


def _chain_json(chain: Chain) -> list[list[Any]]:
    return [[step.kind.value, step.name, *step.labels] for step in chain]


def _chain_of(stored: list[list[Any]]) -> Chain:
    return tuple(Step(_STEP_KINDS[kind], name, tuple(labels)) for kind, name, *labels in stored)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


# --------------------------------------------------------------------------------------------------------------- chunks

CHUNK_COLUMNS = "id, file, kind, start, end, runs, symbol, symbol_kind, name, qualified, enclosing, signature, doc, part, parts"


def chunk_row(chunk: Chunk, file: int) -> Row:
    runs = "" if len(chunk.runs) == 1 else _json([(run.start, run.end) for run in chunk.runs])
    return (
        chunk.id,
        file,
        chunk.kind.value,
        chunk.start,
        chunk.end,
        runs,
        chunk.symbol,
        chunk.symbol_kind.value if chunk.symbol_kind else None,
        chunk.name,
        chunk.qualified,
        chunk.enclosing,
        chunk.signature,
        chunk.doc,
        chunk.part,
        chunk.parts,
    )


def chunk_of(row: Row, path: str, text: bytes | None) -> Chunk:
    """``text`` as stored by :func:`pack_text`, or None for a chunk without its text."""
    (id_, _, kind, start, end, runs, symbol, symbol_kind, name, qualified, enclosing, signature, doc, part, parts) = row
    return Chunk(
        id_,
        path,
        _CHUNK_KINDS[kind],
        tuple(Span(first, last) for first, last in json.loads(runs)) if runs else (Span(start, end),),
        "" if text is None else unpack_text(text),
        symbol,
        _SYMBOL_KINDS[symbol_kind] if symbol_kind else None,
        name,
        qualified,
        enclosing,
        signature,
        doc,
        part,
        parts,
    )


def pack_text(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), COMPRESSION)


def unpack_text(stored: bytes) -> str:
    return zlib.decompress(stored).decode("utf-8", "surrogatepass")


# ----------------------------------------------------------------------------------------------------------- references


def pack_references(references: Sequence[Reference]) -> bytes:
    """All references of a file: JSON of the distinct names, chains, label lists and argument lists, then one fixed record for each reference."""
    names: dict[str, int] = {}
    chains: dict[Chain, int] = {}
    labels: dict[tuple[str, ...], int] = {}
    arguments: dict[tuple[int, ...], int] = {}
    records = bytearray()
    for each in references:
        records += _REFERENCE.pack(
            each.source,
            names.setdefault(each.name, len(names)),
            each.line,
            each.column,
            chains.setdefault(each.receiver, len(chains)),
            labels.setdefault(each.labels, len(labels)),
            names.setdefault(each.expected, len(names)),
            arguments.setdefault(tuple(chains.setdefault(given.value, len(chains)) for given in each.arguments), len(arguments)),
            _REFERENCE_CODES[each.kind],
            min(each.trailing, 255),
        )
    head = _json((list(names), [_chain_json(chain) for chain in chains], list(labels), list(arguments))).encode("ascii")
    return zlib.compress(_HEADER.pack(len(head)) + head + records, COMPRESSION)


def unpack_references(stored: bytes) -> tuple[Reference, ...]:
    content = zlib.decompress(stored)
    (size,) = _HEADER.unpack_from(content)
    start = _HEADER.size + size
    names, stored_chains, stored_labels, stored_arguments = json.loads(content[_HEADER.size : start])
    chains = [_chain_of(chain) for chain in stored_chains]
    labels = [tuple(each) for each in stored_labels]
    values = [Argument(chain) for chain in chains]
    arguments = [tuple(values[index] for index in each) for each in stored_arguments]
    return tuple(
        Reference(
            _REFERENCE_KINDS[kind], names[name], line, column, source, chains[receiver], labels[label], trailing, names[expected], arguments[given]
        )
        for source, name, line, column, receiver, label, expected, given, kind, trailing in _REFERENCE.iter_unpack(content[start:])
    )


def mentioned_names(references: Sequence[Reference], bindings: Sequence[Binding]) -> set[str]:
    """Every name that the code of a file says, whatever it turns out to mean; what it imports or passes on is said, used here or not."""
    found = {each.name for each in references}
    for binding in bindings:
        found.update((binding.name, binding.member))
    for receiver in {each.receiver for each in references}:
        found.update(step.name for step in receiver)
    found.discard("")
    return found


# ---------------------------------------------------------------------------------------------- what a compiler recorded

_EDGE_KINDS = {kind.value: kind for kind in EdgeKind}
_ROLES = {bits: ExactRole(bits) for bits in range(int(~ExactRole.NONE) + 1)}


def exact_row(facts: ExactFacts, file: int) -> Row:
    """File, freshness, symbols with ties, and uses: the latter apart, for they are many and read only where a file is linked."""
    symbols = [(each.usr, each.name, each.line, each.column, each.owner, int(each.stands_for_owner)) for each in facts.symbols]
    ties = [(each.kind.value, each.source, each.target, each.line, each.column) for each in facts.ties]
    names: dict[str, int] = {}
    uses = [
        (names.setdefault(each.usr, len(names)), each.line, each.column, int(each.roles), names.setdefault(each.user, len(names)))
        for each in facts.uses
    ]
    return (file, int(facts.is_fresh), _pack_json((symbols, ties)), _pack_json((list(names), uses)))


def exact_of(row: Row, path: str, uses: bytes | None) -> ExactFacts:
    """The facts of a row, which is freshness and packed symbols; ``uses`` None leaves those out."""
    fresh, outline = row
    symbols, ties = json.loads(zlib.decompress(outline))
    names, used = json.loads(zlib.decompress(uses)) if uses is not None else ((), ())
    return ExactFacts(
        path,
        bool(fresh),
        tuple(ExactSymbol(usr, name, line, column, owner, bool(folds)) for usr, name, line, column, owner, folds in symbols),
        tuple(ExactUse(names[usr], line, column, _ROLES[roles], names[user]) for usr, line, column, roles, user in used),
        tuple(ExactTie(_EDGE_KINDS[kind], source, target, line, column) for kind, source, target, line, column in ties),
    )


def _pack_json(value: object) -> bytes:
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"), COMPRESSION)
