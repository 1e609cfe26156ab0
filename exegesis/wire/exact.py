"""What a compiler recorded about a file, as one message of columns (``proto/exegesis/v1/facts.proto``) and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap

from exegesis.errors import WireError
from exegesis.model import EdgeKind, ExactFacts, ExactRole, ExactSymbol, ExactTie, ExactUse
from exegesis.v1 import facts_pb2, model_pb2
from exegesis.wire.enums import members, numbers

_KINDS = numbers(EdgeKind, model_pb2.EdgeKind.DESCRIPTOR)
_KNOWN_KINDS = members(EdgeKind, model_pb2.EdgeKind.DESCRIPTOR)
_ALL_ROLES = int(~ExactRole.NONE)


def exact_to_message(facts: ExactFacts) -> facts_pb2.ExactFacts:
    """Raises ``WireError`` when a value does not fit: a line below 0, a string that is not text."""
    try:
        return _pack(facts)
    except (TypeError, ValueError, OverflowError) as error:
        raise WireError(f"what a compiler recorded about {facts.path!a} does not fit on the wire: {error}") from None


def exact_from_message(message: facts_pb2.ExactFacts) -> ExactFacts:
    """The facts that ``exact_to_message`` was given. Raises ``WireError`` for a message that contradicts itself or is of a later version."""
    try:
        return _unpack(message)
    except (IndexError, KeyError, ValueError) as error:
        raise WireError(f"what a compiler recorded about {message.path!a} contradicts itself: {error}") from None


def _pack(facts: ExactFacts) -> facts_pb2.ExactFacts:
    strings: dict[str, int] = {}

    def number(texts: Iterable[str]) -> list[int]:
        return [strings.setdefault(text, len(strings)) for text in texts]

    symbols = facts_pb2.ExactSymbolColumns(
        usrs=number(each.usr for each in facts.symbols),
        names=number(each.name for each in facts.symbols),
        lines=[each.line for each in facts.symbols],
        columns=[each.column for each in facts.symbols],
        owners=number(each.owner for each in facts.symbols),
        stands_for_owner=[each.stands_for_owner for each in facts.symbols],
    )
    uses = facts_pb2.ExactUseColumns(
        usrs=number(each.usr for each in facts.uses),
        lines=[each.line for each in facts.uses],
        columns=[each.column for each in facts.uses],
        roles=[int(each.roles) for each in facts.uses],
        users=number(each.user for each in facts.uses),
    )
    ties = facts_pb2.ExactTieColumns(
        kinds=[_KINDS[each.kind] for each in facts.ties],
        sources=number(each.source for each in facts.ties),
        targets=number(each.target for each in facts.ties),
        lines=[each.line for each in facts.ties],
        columns=[each.column for each in facts.ties],
    )
    return facts_pb2.ExactFacts(path=facts.path, is_fresh=facts.is_fresh, strings=list(strings), symbols=symbols, uses=uses, ties=ties)


def _unpack(message: facts_pb2.ExactFacts) -> ExactFacts:
    strings: Sequence[str] = list(message.strings)

    def texts(column: Iterable[int]) -> Iterator[str]:
        return map(strings.__getitem__, column)

    symbols, uses, ties = message.symbols, message.uses, message.ties
    roles = {bits: _roles(bits) for bits in set(uses.roles)}
    return ExactFacts(
        path=message.path,
        is_fresh=message.is_fresh,
        symbols=tuple(
            starmap(
                ExactSymbol,
                zip(
                    texts(symbols.usrs),
                    texts(symbols.names),
                    symbols.lines,
                    symbols.columns,
                    texts(symbols.owners),
                    symbols.stands_for_owner,
                    strict=True,
                ),
            )
        ),
        uses=tuple(
            starmap(ExactUse, zip(texts(uses.usrs), uses.lines, uses.columns, map(roles.__getitem__, uses.roles), texts(uses.users), strict=True))
        ),
        ties=tuple(
            starmap(
                ExactTie,
                zip((_KNOWN_KINDS[kind] for kind in ties.kinds), texts(ties.sources), texts(ties.targets), ties.lines, ties.columns, strict=True),
            )
        ),
    )


def _roles(bits: int) -> ExactRole:
    if bits & ~_ALL_ROLES:
        raise ValueError(f"roles {bits} of a later version")
    return ExactRole(bits)
