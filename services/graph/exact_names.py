"""Declarations by what a compiler calls them: by their key, as crash logs and other tools write it, and by names that nobody wrote.

A USR (``s:4Shop4CartC5totalyyF``) is also how Swift names a function in a binary, but for its first letters (``$s4Shop4CartC5totalyyF``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from exegesis.model import ExactFacts, ExactSymbol, Symbol
from exegesis.ports import GraphReader
from services.graph.exact import ExactTable

_KEY = re.compile(r"_?\$[sS](?P<mangled>[\w$]+)|(?P<usr>[sc]:\S+)")


def is_key(text: str) -> bool:
    return _KEY.fullmatch(text.strip().strip("`")) is not None


def find_by_key(reader: GraphReader, text: str) -> Sequence[Symbol]:
    """The declaration of a USR or of a mangled name; empty for any other text, and for keys that no compiler recorded here."""
    key = _KEY.fullmatch(text.strip().strip("`"))
    if key is None:
        return ()
    wanted = key["usr"] or f"s:{key['mangled']}"
    return _meant(reader, lambda symbol, _: symbol.usr == wanted)


def find_unwritten(reader: GraphReader, name: str, labels: Sequence[str] | None, around: Sequence[str]) -> Sequence[Symbol]:
    """What has a member of this name that nobody wrote, such as the memberwise initialiser of a struct; ``around`` are the names of types."""

    def fits(symbol: ExactSymbol, owner: str) -> bool:
        base, _, written = symbol.name.partition("(")
        return (
            symbol.stands_for_owner
            and base == name
            and (labels is None or written == "".join(f"{label}:" for label in labels) + ")")
            and (not around or owner == around[-1])
        )

    return _meant(reader, fits)


def _meant(reader: GraphReader, fits: Callable[[ExactSymbol, str], bool]) -> Sequence[Symbol]:
    """The declarations that stand for the definitions that fit, given with the name of their owner."""
    outlines = list(reader.exact(uses=False))
    names = {symbol.usr: symbol.name for facts in outlines for symbol in facts.symbols}
    found = [symbol for facts in outlines for symbol in facts.symbols if fits(symbol, names.get(symbol.owner, ""))]
    if not found:
        return ()
    wanted = {each.usr for each in found} | {each.owner for each in found}
    holding = [facts.path for facts in outlines if _defines(facts, wanted)]
    table = ExactTable(outlines, reader.symbols_in(holding))
    meant = [table.meaning(each.usr) for each in found]
    return list({each.symbol.id: each.symbol for each in meant if each is not None}.values())


def _defines(facts: ExactFacts, usrs: set[str]) -> bool:
    return any(symbol.usr in usrs for symbol in facts.symbols)
