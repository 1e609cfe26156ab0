"""What parsing yields, in bulk: one message of columns for a file (``proto/exegesis/v1/facts.proto`` says why).

Both directions are a handful of list comprehensions over whole columns, so that the cost of a row is that of its Python object. Equal facts
have equal bytes: tables are numbered in order of first use and protocol buffers without maps serialise in field order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, starmap
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.message import DecodeError

from exegesis.errors import WireError
from exegesis.model import (
    Argument,
    Binding,
    Chain,
    Chunk,
    ChunkKind,
    FileFacts,
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
from exegesis.v1 import facts_pb2, model_pb2
from exegesis.wire.enums import E, members, numbers

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

T = TypeVar("T")

_HAS_DEFAULT = 1
_VARIADIC = 2

_STEP_KINDS = numbers(StepKind, model_pb2.StepKind.DESCRIPTOR)
_SYMBOL_KINDS = numbers(SymbolKind, model_pb2.SymbolKind.DESCRIPTOR)
_SYMBOL_KINDS_OR_NONE: Mapping[SymbolKind | None, Any] = {None: 0, **_SYMBOL_KINDS}
_REFERENCE_KINDS = numbers(ReferenceKind, model_pb2.ReferenceKind.DESCRIPTOR)
_CHUNK_KINDS = numbers(ChunkKind, model_pb2.ChunkKind.DESCRIPTOR)


class _Table(dict[T, int], Generic[T]):
    """Numbers values in order of first use: ``table[value]`` is its index, given on first sight."""

    def __missing__(self, value: T) -> int:
        index = self[value] = len(self)
        return index


def encode_facts(facts: FileFacts) -> bytes:
    """Bytes for one file. Raises ``WireError`` when a value does not fit: a line below 0, a string that is not text."""
    return facts_to_message(facts).SerializeToString()


def decode_facts(data: bytes) -> FileFacts:
    """The facts that ``encode_facts`` was given. Raises ``WireError`` for any other bytes."""
    message = facts_pb2.FileFacts()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise WireError(f"these bytes are no facts of a file: {error}") from None
    return facts_from_message(message)


def facts_to_message(facts: FileFacts) -> facts_pb2.FileFacts:
    try:
        return _pack(facts)
    except (TypeError, ValueError, OverflowError) as error:  # what protocol buffers raise for a value out of range or not UTF-8
        raise WireError(f"the facts of {facts.path!a} do not fit on the wire: {error}") from None


def facts_from_message(message: facts_pb2.FileFacts) -> FileFacts:
    try:
        return _unpack(message)
    except (IndexError, KeyError, ValueError) as error:  # an index outside its table, an unknown enum value, columns of unequal lengths
        raise WireError(f"the facts of {message.path!a} contradict themselves: {error}") from None


# ------------------------------------------------------------------------------------------------------------- packing


def _pack(facts: FileFacts) -> facts_pb2.FileFacts:
    strings: _Table[str] = _Table()
    ids: _Table[int] = _Table()
    lists: _Table[tuple[str, ...]] = _Table()
    chains: _Table[Chain] = _Table()
    symbols = _pack_symbols(facts.symbols, strings, ids, lists, chains)
    arguments: _Table[tuple[Argument, ...]] = _Table()
    references = _pack_references(facts.references, strings, ids, lists, chains, arguments=arguments)
    chunks = _pack_chunks(facts.chunks, strings, ids)
    steps: _Table[Step] = _Table()
    argument_lists = _pack_lists([tuple(argument.value for argument in given) for given in arguments], chains)
    chain_lists = _pack_lists(chains, steps)
    step_columns = facts_pb2.StepColumns(
        kinds=[_STEP_KINDS[step.kind] for step in steps],
        names=[strings[step.name] for step in steps],
        labels=[lists[step.labels] for step in steps],
    )
    string_lists = _pack_lists(lists, strings)
    _check_whole(ids, facts.chunks, facts.terms)
    return facts_pb2.FileFacts(
        path=facts.path,
        digest=facts.digest,
        language=facts.language,
        imports=facts.imports,
        problems=facts.problems,
        fault=facts.fault,
        ids=list(ids),
        string_lists=string_lists,
        steps=step_columns,
        chains=chain_lists,
        chain_lists=argument_lists,
        symbols=symbols,
        references=references,
        chunks=chunks,
        terms=facts.terms,
        bindings=facts_pb2.BindingColumns(
            names=[strings[each.name] for each in facts.bindings],
            modules=[strings[each.module] for each in facts.bindings],
            members=[strings[each.member] for each in facts.bindings],
        )
        if facts.bindings
        else None,
        strings=list(strings),
    )


def _pack_symbols(
    symbols: Sequence[Symbol], strings: _Table[str], ids: _Table[int], lists: _Table[tuple[str, ...]], chains: _Table[Chain]
) -> facts_pb2.SymbolColumns:
    parameters = [parameter for symbol in symbols for parameter in symbol.parameters]
    return facts_pb2.SymbolColumns(
        ids=[ids[symbol.id] for symbol in symbols],
        names=[strings[symbol.name] for symbol in symbols],
        qualified=[strings[symbol.qualified] for symbol in symbols],
        kinds=[_SYMBOL_KINDS[symbol.kind] for symbol in symbols],
        paths=[strings[symbol.path] for symbol in symbols],
        starts=[symbol.span.start for symbol in symbols],
        ends=[symbol.span.end for symbol in symbols],
        lines=[symbol.line for symbol in symbols],
        columns=[symbol.column for symbol in symbols],
        parents=[0 if symbol.parent is None else ids[symbol.parent] + 1 for symbol in symbols],
        containers=[strings[symbol.container] for symbol in symbols],
        signatures=[strings[symbol.signature] for symbol in symbols],
        docs=[strings[symbol.doc] for symbol in symbols],
        modifiers=[symbol.modifiers for symbol in symbols],
        types=[strings[symbol.type] for symbol in symbols],
        inherits=[lists[symbol.inherits] for symbol in symbols],
        generics=[lists[tuple(chain.from_iterable(symbol.generics))] for symbol in symbols],
        initializers=[chains[symbol.initializer] for symbol in symbols],
        parameter_counts=[len(symbol.parameters) for symbol in symbols],
        parameters=facts_pb2.ParameterColumns(
            labels=[strings[parameter.label] for parameter in parameters],
            names=[strings[parameter.name] for parameter in parameters],
            types=[strings[parameter.type] for parameter in parameters],
            flags=[_HAS_DEFAULT * parameter.has_default + _VARIADIC * parameter.variadic for parameter in parameters],
        ),
    )


def _pack_references(
    references: Sequence[Reference],
    strings: _Table[str],
    ids: _Table[int],
    lists: _Table[tuple[str, ...]],
    chains: _Table[Chain],
    *,
    arguments: _Table[tuple[Argument, ...]],
) -> facts_pb2.ReferenceColumns:
    return facts_pb2.ReferenceColumns(
        kinds=[_REFERENCE_KINDS[reference.kind] for reference in references],
        names=[strings[reference.name] for reference in references],
        lines=[reference.line for reference in references],
        columns=[reference.column for reference in references],
        sources=[ids[reference.source] for reference in references],
        receivers=[chains[reference.receiver] for reference in references],
        labels=[lists[reference.labels] for reference in references],
        trailing=[reference.trailing for reference in references],
        expected=[strings[reference.expected] for reference in references],
        arguments=[arguments[reference.arguments] for reference in references],
    )


def _pack_chunks(chunks: Sequence[Chunk], strings: _Table[str], ids: _Table[int]) -> facts_pb2.ChunkColumns:
    return facts_pb2.ChunkColumns(
        ids=[ids[chunk.id] for chunk in chunks],
        paths=[strings[chunk.path] for chunk in chunks],
        kinds=[_CHUNK_KINDS[chunk.kind] for chunk in chunks],
        run_counts=[len(chunk.runs) for chunk in chunks],
        run_starts=[run.start for chunk in chunks for run in chunk.runs],
        run_ends=[run.end for chunk in chunks for run in chunk.runs],
        texts=[strings[chunk.text] for chunk in chunks],
        symbols=[0 if chunk.symbol is None else ids[chunk.symbol] + 1 for chunk in chunks],
        symbol_kinds=[_SYMBOL_KINDS_OR_NONE[chunk.symbol_kind] for chunk in chunks],
        names=[strings[chunk.name] for chunk in chunks],
        qualified=[strings[chunk.qualified] for chunk in chunks],
        enclosing=[strings[chunk.enclosing] for chunk in chunks],
        signatures=[strings[chunk.signature] for chunk in chunks],
        docs=[strings[chunk.doc] for chunk in chunks],
        part=[chunk.part for chunk in chunks],
        parts=[chunk.parts for chunk in chunks],
    )


def _pack_lists(table: Iterable[tuple[T, ...]], items: _Table[T]) -> facts_pb2.Lists:
    entries = list(table)
    return facts_pb2.Lists(lengths=[len(entry) for entry in entries], items=[items[item] for entry in entries for item in entry])


# ----------------------------------------------------------------------------------------------------------- unpacking


def _unpack(message: facts_pb2.FileFacts) -> FileFacts:
    strings = list(message.strings)
    ids = list(message.ids)
    _check_whole(ids, message.chunks.ids, message.terms)
    lists = list(_unpack_lists(message.string_lists, strings))
    steps = list(
        starmap(
            Step,
            zip(
                _members(StepKind, model_pb2.StepKind.DESCRIPTOR, message.steps.kinds),
                _at(strings, message.steps.names),
                _at(lists, message.steps.labels),
                strict=True,
            ),
        )
    )
    chains = list(_unpack_lists(message.chains, steps))
    arguments = list(_unpack_lists(message.chain_lists, list(map(Argument, chains))))
    return FileFacts(
        path=message.path,
        digest=message.digest,
        language=message.language,
        symbols=tuple(_unpack_symbols(message.symbols, strings, ids, lists, chains)),
        references=tuple(_unpack_references(message.references, strings, ids, lists, chains, arguments=arguments)),
        chunks=tuple(_unpack_chunks(message.chunks, strings, ids)),
        terms=tuple(message.terms),
        imports=tuple(message.imports),
        problems=tuple(message.problems),
        fault=message.fault,
        bindings=tuple(_unpack_bindings(message.bindings, strings)),
    )


def _unpack_bindings(columns: facts_pb2.BindingColumns, strings: list[str]) -> Iterator[Binding]:
    return starmap(Binding, zip(_at(strings, columns.names), _at(strings, columns.modules), _at(strings, columns.members), strict=True))


def _unpack_symbols(
    columns: facts_pb2.SymbolColumns, strings: list[str], ids: list[int], lists: list[tuple[str, ...]], chains: list[Chain]
) -> Iterator[Symbol]:
    parameters = starmap(
        Parameter,
        zip(
            _at(strings, columns.parameters.labels),
            _at(strings, columns.parameters.names),
            _at(strings, columns.parameters.types),
            (bool(flags & _HAS_DEFAULT) for flags in columns.parameters.flags),
            (bool(flags & _VARIADIC) for flags in columns.parameters.flags),
            strict=True,
        ),
    )
    modifiers = {bits: Modifier(bits) for bits in set(columns.modifiers)}
    return starmap(
        Symbol,
        zip(
            _at(ids, columns.ids),
            _at(strings, columns.names),
            _at(strings, columns.qualified),
            _members(SymbolKind, model_pb2.SymbolKind.DESCRIPTOR, columns.kinds),
            _at(strings, columns.paths),
            starmap(Span, zip(columns.starts, columns.ends, strict=True)),
            columns.lines,
            columns.columns,
            _at([None, *ids], columns.parents),
            _at(strings, columns.containers),
            _at(strings, columns.signatures),
            _at(strings, columns.docs),
            map(modifiers.__getitem__, columns.modifiers),
            _cut(parameters, columns.parameter_counts, len(columns.parameters.labels)),
            _at(strings, columns.types),
            _at(lists, columns.inherits),
            (tuple(zip(names[::2], names[1::2], strict=True)) for names in _at(lists, columns.generics)),
            _at(chains, columns.initializers),
            strict=True,
        ),
    )


def _unpack_references(
    columns: facts_pb2.ReferenceColumns,
    strings: list[str],
    ids: list[int],
    lists: list[tuple[str, ...]],
    chains: list[Chain],
    *,
    arguments: list[tuple[Argument, ...]],
) -> Iterator[Reference]:
    return starmap(
        Reference,
        zip(
            _members(ReferenceKind, model_pb2.ReferenceKind.DESCRIPTOR, columns.kinds),
            _at(strings, columns.names),
            columns.lines,
            columns.columns,
            _at(ids, columns.sources),
            _at(chains, columns.receivers),
            _at(lists, columns.labels),
            columns.trailing,
            _at(strings, columns.expected),
            _at(arguments, columns.arguments),
            strict=True,
        ),
    )


def _unpack_chunks(columns: facts_pb2.ChunkColumns, strings: list[str], ids: list[int]) -> Iterator[Chunk]:
    symbol_kinds = {0: None, **members(SymbolKind, model_pb2.SymbolKind.DESCRIPTOR)}
    runs = starmap(Span, zip(columns.run_starts, columns.run_ends, strict=True))
    return starmap(
        Chunk,
        zip(
            _at(ids, columns.ids),
            _at(strings, columns.paths),
            _members(ChunkKind, model_pb2.ChunkKind.DESCRIPTOR, columns.kinds),
            _cut(runs, columns.run_counts, len(columns.run_starts)),
            _at(strings, columns.texts),
            _at([None, *ids], columns.symbols),
            map(symbol_kinds.__getitem__, columns.symbol_kinds),
            _at(strings, columns.names),
            _at(strings, columns.qualified),
            _at(strings, columns.enclosing),
            _at(strings, columns.signatures),
            _at(strings, columns.docs),
            columns.part,
            columns.parts,
            strict=True,
        ),
    )


def _at(table: list[T], column: Iterable[int]) -> Iterator[T]:
    """The entries that a column names; wire indices are unsigned, so none counts from the end."""
    return map(table.__getitem__, column)


def _members(kind: type[E], descriptor: EnumDescriptor, column: Iterable[int]) -> Iterator[E]:
    return map(members(kind, descriptor).__getitem__, column)


def _cut(items: Iterable[T], lengths: Iterable[int], total: int) -> Iterator[tuple[T, ...]]:
    """Consecutive pieces of the given lengths."""
    if sum(lengths) != total:
        raise ValueError("the lengths of lists do not add up to the number of their items")
    remaining = iter(items)
    return (tuple(islice(remaining, length)) if length else () for length in lengths)


def _unpack_lists(lists: facts_pb2.Lists, table: list[T]) -> Iterator[tuple[T, ...]]:
    return _cut(_at(table, lists.items), lists.lengths, len(lists.items))


def _check_whole(ids: Iterable[int], chunks: Sequence[Any], terms: Sequence[bytes]) -> None:
    if max(ids, default=0) >> 63:
        raise ValueError("an identifier has more than 63 bits")
    if terms and len(terms) != len(chunks):
        raise ValueError("there are not as many term counts as chunks")
