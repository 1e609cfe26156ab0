"""Round trips of every value that crosses a process border, and what becomes of bytes that are not ours."""

from __future__ import annotations

import dataclasses
import types
from enum import IntFlag, StrEnum
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exegesis import model, ports
from exegesis.errors import WireError
from exegesis.model import ExactFacts, FileFacts, Options, OutlineNode, Question, Reference, ReferenceKind, Span, Symbol, SymbolKind
from exegesis.v1 import facts_pb2, gateway_pb2, graph_pb2, indexer_pb2, model_pb2, query_pb2
from exegesis.wire import (
    decode,
    decode_facts,
    encode,
    encode_facts,
    event_from_message,
    event_to_message,
    exact_from_message,
    exact_to_message,
    facts_to_message,
    from_message,
    to_message,
)
from services.gateway import api as gateway_api
from services.graph import api as graph_api
from services.indexer import api as indexer_api
from services.query import api as query_api

if TYPE_CHECKING:
    from google.protobuf.message import Message

STAYS = {
    "FileFacts": "travels as columns",
    "ExactFacts": "travels as columns",
    "ExactSymbol": "travels as a row of such columns",
    "ExactUse": "likewise",
    "ExactTie": "likewise",
    "Binding": "travels as columns of its file",
    "Errand": "is read from the ledger by those who perform it",
    "Standing": "is read from the ledger by the gateway, for its metrics",
    "Hit": "is the answer of an engine, which has its own protocol",
}
"""Values of the vocabulary that have no message of their own, and why."""


def dataclasses_of(module: Any) -> list[type[Any]]:
    return [
        kind for kind in vars(module).values() if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__
    ]


VOCABULARY = [kind for kind in dataclasses_of(model) if kind.__name__ not in STAYS]

MESSAGES: list[tuple[type[Any], type[Message]]] = [
    *((kind, getattr(model_pb2, kind.__name__)) for kind in VOCABULARY),
    *((kind, getattr(graph_pb2, kind.__name__)) for kind in (ports.FileRow, ports.Degrees, ports.LexicalStatistics)),
    *((kind, getattr(graph_pb2, kind.__name__)) for kind in dataclasses_of(graph_api)),
    *((kind, getattr(query_pb2, kind.__name__)) for kind in dataclasses_of(query_api)),
    *((kind, getattr(indexer_pb2, kind.__name__)) for kind in dataclasses_of(indexer_api)),
    *((kind, getattr(gateway_pb2, kind.__name__)) for kind in dataclasses_of(gateway_api)),
]

_NAMES = [kind.__name__ for kind, _ in MESSAGES]

_TEXT = st.one_of(
    st.sampled_from(["", "\n", "\r\n", "a\u2028b", "\x00", "x" * 500, "[E1]", "café", "\U0001f469\u200d\U0001f4bb", "\ufeff"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXT,
    int: st.integers(0, 2**31),
    float: st.floats(allow_nan=False),
    bool: st.booleans(),
    bytes: st.binary(max_size=8),
}


def values(hint: Any, *, depth: int = 3) -> st.SearchStrategy[Any]:
    """Any value of a type, as deep as the depth allows."""
    arguments = get_args(hint)
    if get_origin(hint) is types.UnionType:
        return st.one_of(*(st.none() if part is types.NoneType else values(part, depth=depth) for part in arguments))
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis:
        if depth <= 0:
            return st.just(())
        return st.lists(values(arguments[0], depth=depth - 1), max_size=2).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*(values(part, depth=depth) for part in arguments))
    if hint in _SCALARS:
        return _SCALARS[hint]
    if issubclass(hint, StrEnum):
        return st.sampled_from(list(hint))
    if issubclass(hint, IntFlag):
        return st.integers(0, sum(hint)).map(hint)
    hints = get_type_hints(hint)
    return st.builds(hint, **{field.name: values(hints[field.name], depth=depth) for field in dataclasses.fields(hint)})


_OTHER_FORMS = {"ExplainInPages"}
"""Of what is promised under another name, for the way between two processes."""


def _promised(promise: type) -> set[str]:
    """Its methods, with those of the promises that it is made of."""
    made_of = [part for part in promise.__mro__ if part.__module__.startswith("services.")]
    return {name for part in made_of for name in vars(part) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("promise", "contract"),
    [
        (graph_api.GraphService, graph_pb2.DESCRIPTOR.services_by_name["GraphService"]),
        (query_api.QueryService, query_pb2.DESCRIPTOR.services_by_name["QueryService"]),
        (indexer_api.IndexerService, indexer_pb2.DESCRIPTOR.services_by_name["IndexerService"]),
    ],
    ids=["graph", "query", "indexer"],
)
def test_a_promise_and_its_contract_have_the_same_methods(promise: type, contract: Any) -> None:
    """Whatever a service promises can be asked of it from elsewhere."""
    methods = {"".join(word.capitalize() for word in name.split("_")) for name in _promised(promise)}
    assert methods == {method.name for method in contract.methods} - _OTHER_FORMS


@pytest.mark.parametrize(("kind", "message"), MESSAGES, ids=_NAMES)
def test_a_value_and_its_message_have_the_same_fields(kind: Any, message: type[Message]) -> None:
    """Nothing of a value is left behind, and a message promises nothing that the value does not hold."""
    assert {field.name for field in dataclasses.fields(kind)} == set(message.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize(("kind", "message"), MESSAGES, ids=_NAMES)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_a_value_survives_the_wire(kind: Any, message: type[Message], data: st.DataObject) -> None:
    """Decoding what was encoded gives an equal value, whatever strings and numbers are in it."""
    value = data.draw(values(kind))
    assert decode(encode(value, message), message, kind) == value


@given(values(model.Event, depth=2))
@settings(max_examples=60, deadline=None)
def test_an_event_survives_the_wire(event: model.Event) -> None:
    """Every kind of event comes back as itself."""
    message = model_pb2.Event.FromString(event_to_message(event).SerializeToString())
    assert event_from_message(message) == event


def test_every_value_of_the_vocabulary_crosses_or_says_why_not() -> None:
    """A new dataclass has a message of its name, or a reason to have none."""
    assert set(STAYS) <= set(vars(model))
    assert {kind.__name__ for kind in VOCABULARY} <= set(vars(model_pb2))


def test_every_kind_of_event_has_its_place() -> None:
    """The oneof and the union list the same events."""
    carried = {field.message_type.name for field in model_pb2.Event.DESCRIPTOR.fields if field.message_type}
    assert carried == {kind.__name__ for kind in get_args(model.Event)}


def test_an_unknown_event_is_refused() -> None:
    """An event of a later version is a wire error, never a wrong event."""
    with pytest.raises(WireError):
        event_from_message(model_pb2.Event())


def test_options_that_are_left_out_take_the_defaults_of_the_product() -> None:
    """A client that sets nothing gets what the command line gives."""
    assert from_message(model_pb2.Question(text="why", repositories=["r"]), Question) == Question("why", ("r",), Options())
    assert from_message(model_pb2.Options(limit=3), Options) == Options(limit=3)
    assert from_message(model_pb2.Options(dense=False), Options) == Options(dense=False)


def test_a_missing_part_is_refused() -> None:
    """A symbol without its lines is no symbol."""
    message = model_pb2.Symbol(id=1, name="f", kind=model_pb2.SYMBOL_KIND_FUNCTION)
    with pytest.raises(WireError, match="Symbol without its span"):
        from_message(message, Symbol)


@pytest.mark.parametrize("number", [0, 999])
def test_an_enum_value_of_a_later_version_is_refused(number: int) -> None:
    """A kind that this version does not know is never taken for another."""
    message = model_pb2.Symbol(id=1, name="f", span=model_pb2.Span(start=1, end=1))
    message.MergeFromString(bytes([4 << 3]) + _varint(number))
    with pytest.raises(WireError, match=f"SymbolKind {number}"):
        from_message(message, Symbol)


@pytest.mark.parametrize("span", [Span(-1, 2), Span(1, 2**40)])
def test_a_number_that_does_not_fit_is_refused(span: Span) -> None:
    """Nothing is wrapped around or cut off silently."""
    with pytest.raises(WireError, match="Span does not fit"):
        to_message(span, model_pb2.Span)


def test_text_that_is_not_text_is_refused() -> None:
    """Lone surrogates are kept out where files are read; if one comes this far, it is an error and not a crash."""
    with pytest.raises(WireError):
        encode(model.TextDelta("\ud800"), model_pb2.TextDelta)
    with pytest.raises(WireError):
        encode_facts(FileFacts("a", "", "swift", (), (), (), (), imports=("\ud800",)))


@given(st.binary(max_size=64))
@settings(max_examples=200, deadline=None)
def test_bytes_that_are_no_message_are_a_wire_error(data: bytes) -> None:
    """Whatever arrives, decoding either works or raises the one error that callers expect."""
    for kind, message in [(Symbol, model_pb2.Symbol), (model.Answer, model_pb2.Answer)]:
        try:
            decode(data, message, kind)
        except WireError:
            continue


def test_a_text_may_be_huge() -> None:
    """Ten megabytes pass whole."""
    delta = model.TextDelta("é" * 5_000_000)
    assert decode(encode(delta, model_pb2.TextDelta), model_pb2.TextDelta, model.TextDelta) == delta


def test_an_outline_may_be_deep() -> None:
    """Forty levels are more than any outline has, and still pass."""
    node = OutlineNode("S", "t", "p", 1, 1, "s")
    for _ in range(40):
        node = OutlineNode("S", "t", "p", 1, 1, "s", children=(node,))
    assert decode(encode(node, model_pb2.OutlineNode), model_pb2.OutlineNode, OutlineNode) == node


# ---------------------------------------------------------------------------------------------------------------- facts


_IDS = st.sampled_from([0, 1, 2**63 - 1, 42])
_SYMBOLS = st.lists(values(Symbol, depth=2), max_size=3)
_REFERENCES = st.lists(values(Reference, depth=2), max_size=3)
_CHUNKS = st.lists(values(model.Chunk, depth=2), max_size=2)


@st.composite
def facts(draw: st.DrawFn) -> FileFacts:
    """Facts of a file as rows, with as many term counts as chunks and identifiers up to the last bit."""
    symbols = [dataclasses.replace(symbol, id=draw(_IDS), parent=draw(st.none() | _IDS)) for symbol in draw(_SYMBOLS)]
    references = [dataclasses.replace(reference, source=draw(_IDS)) for reference in draw(_REFERENCES)]
    chunks = [dataclasses.replace(chunk, id=draw(_IDS), symbol=draw(st.none() | _IDS)) for chunk in draw(_CHUNKS)]
    return FileFacts(
        path=draw(_TEXT),
        digest=draw(_TEXT),
        language=draw(_TEXT),
        symbols=tuple(symbols),
        references=tuple(references),
        chunks=tuple(chunks),
        terms=tuple(draw(st.binary(max_size=4)) for _ in chunks),
        imports=tuple(draw(st.lists(_TEXT, max_size=2))),
        bindings=tuple(draw(st.lists(values(model.Binding), max_size=2))),
        problems=tuple(draw(st.lists(_TEXT, max_size=2))),
    )


@given(facts())
@settings(max_examples=100, deadline=None)
def test_facts_survive_the_wire(value: FileFacts) -> None:
    """Columns and tables give back the rows that were put in."""
    assert decode_facts(encode_facts(value)) == value


@given(facts())
@settings(max_examples=40, deadline=None)
def test_equal_facts_have_equal_bytes(value: FileFacts) -> None:
    """The bytes depend on the content alone, so they can be compared and cached."""
    assert encode_facts(decode_facts(encode_facts(value))) == encode_facts(value)


@given(facts(), st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_facts_are_a_wire_error(value: FileFacts, data: st.DataObject) -> None:
    """A flipped byte or a lost tail yields other facts or the one error, never a crash."""
    whole = encode_facts(value)
    damaged = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    if damaged:
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = decode_facts(bytes(damaged))
    except WireError:
        return
    assert isinstance(found, FileFacts)


def test_what_is_said_often_is_stored_once() -> None:
    """A thousand references to one name by one symbol cost a few bytes each."""
    row = Reference(ReferenceKind.CALL, "aNameOfSomeLength", 7, 9, 2**62, (model.Step(model.StepKind.SELF),), ("with", "_"), expected="Array<Foo>")
    value = FileFacts("p", "", "swift", (), (row,) * 1000, (), ())
    assert len(encode_facts(value)) < 11_000


def _valid() -> facts_pb2.FileFacts:
    symbol = Symbol(1, "f", "f()", SymbolKind.FUNCTION, "p", Span(1, 2), 1, 6, generics=(("T", "P"),))
    return facts_to_message(FileFacts("p", "", "swift", (symbol,), (Reference(ReferenceKind.CALL, "g", 1, 1, 1),), (), ()))


@pytest.mark.parametrize(
    "damage",
    [
        lambda message: message.references.lines.append(3),
        lambda message: message.references.names.__setitem__(0, 99),
        lambda message: message.references.sources.__setitem__(0, 99),
        lambda message: message.symbols.parents.__setitem__(0, 99),
        lambda message: message.symbols.kinds.__setitem__(0, 99),
        lambda message: message.symbols.starts.append(1),
        lambda message: message.symbols.parameter_counts.__setitem__(0, 4_000_000_000),
        lambda message: message.string_lists.lengths.__setitem__(0, 5),
        lambda message: message.string_lists.items.append(0),
        lambda message: message.ids.__setitem__(0, 2**63),
        lambda message: message.terms.append(b""),
        lambda message: message.steps.kinds.append(1),
    ],
)
def test_facts_that_contradict_themselves_are_refused(damage: Any) -> None:
    """Columns of unequal lengths, indices outside their table, sums that do not add up: each is found."""
    message = _valid()
    damage(message)
    with pytest.raises(WireError):
        decode_facts(message.SerializeToString())


@given(values(ExactFacts, depth=2))
@settings(max_examples=100, deadline=None)
def test_what_a_compiler_recorded_survives_the_wire(value: ExactFacts) -> None:
    """Columns give back the rows that were put in."""
    message = facts_pb2.ExactFacts.FromString(exact_to_message(value).SerializeToString())
    assert exact_from_message(message) == value


@pytest.mark.parametrize(
    "damage",
    [
        lambda message: message.uses.lines.append(3),
        lambda message: message.uses.usrs.__setitem__(0, 99),
        lambda message: message.uses.roles.__setitem__(0, 64),
        lambda message: message.symbols.owners.append(0),
        lambda message: message.ties.kinds.__setitem__(0, 99),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(damage: Any) -> None:
    """Columns of unequal lengths, indices outside of the table, roles and kinds of a later version."""
    symbol = model.ExactSymbol("s:1f", "f()", 1, 6)
    use = model.ExactUse("s:1g", 2, 3, model.ExactRole.CALL, "s:1f")
    tie = model.ExactTie(model.EdgeKind.OVERRIDE, "s:1f", "s:1g", 1, 6)
    message = exact_to_message(ExactFacts("p", is_fresh=True, symbols=(symbol,), uses=(use,), ties=(tie,)))
    damage(message)
    with pytest.raises(WireError):
        exact_from_message(message)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
