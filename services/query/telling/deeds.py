"""What a body does, in its own words: the first statements that set, fetch, call or return something. For code without a doc comment. Pure.

Deliberately shallow, like the reading of branches: it quotes names from the lines and claims nothing about what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.model import ContextItem
from services.query.telling.columns import stands_in_columns
from services.query.telling.names import with_article
from services.query.telling.trivial import body_of
from services.query.telling.wording import code, join_words

MOST_DEEDS: Final = 3
LONGEST_CODE: Final = 60
"""Characters of code that are quoted; a longer expression is named by what it calls."""


class Act(StrEnum):
    MAKES = "makes"
    FETCHES = "gets"
    SETS = "sets"
    CALLS = "calls"
    RETURNS = "returns"


@dataclass(frozen=True, slots=True)
class Deed:
    act: Act
    what: str
    """Code, as written."""
    source: str = ""
    """Where what is fetched comes from."""


_CALL: Final = re.compile(r"^(?:try[?!]?\s+)?(?:await\s+)?(?P<callee>(?:[A-Za-z_]\w*[?!]?\.)*[A-Za-z_]\w*)(?:\(|\s*\{)")
_BIND: Final = re.compile(r"^(?:let|var|val|const|auto)\s+(?P<name>\w+)(?:\s*:[^=]+)?\s*=\s*(?P<value>.+)$")
_LOCAL: Final = re.compile(r"^(?:let|var|val|const|auto)\s+(?P<name>\w+)")
_SET: Final = re.compile(r"^(?P<name>(?:self\.|this\.)?[A-Za-z_][\w.?]*(?:\[[^\]]*\])?)\s*(?:=|\+=|\?\?=)\s+(?P<value>[^=].*)$")
_RETURN: Final = re.compile(r"^return\b\s*(?P<value>.+)$")
_KEYWORDS: Final = frozenset(
    {
        "return",
        "if",
        "guard",
        "for",
        "while",
        "switch",
        "case",
        "do",
        "catch",
        "defer",
        "repeat",
        "else",
        "func",
        "throw",
        "super.init",
        "fatalError",
        "assert",
    }
    | {"precondition", "print", "debugPrint", "assertionFailure", "preconditionFailure", "NSLog"}
)
_CHEAP: Final = frozenset({"nil", "true", "false", "self", "0", "1", '""', "[]", "[:]", "null", "None"})


def tell_deeds(item: ContextItem, told: Collection[str] = ()) -> str:
    """A clause that follows the name: ``gets `credential` from `gate.usableCredential` and returns `sign(request)` ``; empty for nothing.

    Calls of the names in ``told`` are left out, because somebody else tells them.
    """
    deeds = [deed for deed in dict.fromkeys(read_deeds(item)) if deed.act is not Act.CALLS or deed.what.rpartition(".")[2] not in told]
    if any(deed.act is Act.RETURNS for deed in deeds[:-1]):  # ways out of branches, which say little without their conditions
        deeds = [deed for deed in deeds[:-1] if deed.act is not Act.RETURNS] + deeds[-1:]
    if len(deeds) > MOST_DEEDS:
        last = deeds[-1]
        deeds = [*deeds[: MOST_DEEDS - 1], last] if last.act is Act.RETURNS else deeds[:MOST_DEEDS]
    parts: list[str] = []
    for act, group in _grouped(deeds):
        named = [_named(deed) for deed in group]
        parts.append(f"{act.value} {join_words(named)}")
    return join_words(parts)


def tell_settings(item: ContextItem) -> str:
    """What it leaves behind, where its language keeps state in names of the whole program; empty for nothing, and for other languages."""
    if not stands_in_columns(item.path):
        return ""
    names = dict.fromkeys(deed.what for deed in read_deeds(item) if deed.act is Act.SETS)
    return join_words([code(name) for name in names][:MOST_DEEDS]) if names else ""


def _named(deed: Deed) -> str:
    if deed.act is Act.MAKES:
        return " ".join(with_article(deed.what, quoted=True))
    return code(deed.what) + (f" from {code(deed.source)}" if deed.source else "")


def read_deeds(item: ContextItem) -> Iterator[Deed]:
    """The statements that say something, in order; none that only passes on what was bound before."""
    body = body_of(item)
    bound: set[str] = set()
    for number, statement in enumerate(body):
        if match := _LOCAL.match(statement):
            bound.add(match["name"])
        deed = _deed(statement.rstrip(";"))
        if deed is not None:
            if not (deed.act is Act.SETS and deed.what in bound) and not (deed.act is Act.RETURNS and _passes_on(deed.what, bound)):
                yield deed
        elif len(body) == 1 and number == 0 and (value := _quoted(statement)) and _closed(value) and not _first_word(statement) & _KEYWORDS:
            yield Deed(Act.RETURNS, value)


def _passes_on(value: str, bound: Collection[str]) -> bool:
    """Whether a value is made of nothing but names bound before: ``(sink: sink, subscription: subscription)``."""
    return set(re.findall(r"\w+", re.sub(r"\w+:", "", value))) <= set(bound) and not re.search(r"\w\(", value)


def _deed(statement: str) -> Deed | None:
    if match := _RETURN.match(statement):
        value = _quoted(match["value"])
        return Deed(Act.RETURNS, value) if value and value not in _CHEAP else None
    if _first_word(statement) & _KEYWORDS:
        return None
    if match := _BIND.match(statement):
        called = _CALL.match(match["value"])
        if called is None:
            return None
        last = called["callee"].removesuffix(".init").rpartition(".")[2]
        return Deed(Act.MAKES, last) if last[:1].isupper() else Deed(Act.FETCHES, match["name"], _callee(called))
    if match := _SET.match(statement):
        if match["name"] == "_":
            return None
        return Deed(Act.SETS, match["name"].removeprefix("self."))
    if (match := _CALL.match(statement)) and match["callee"] not in _KEYWORDS and not match["callee"].startswith("super."):
        return Deed(Act.CALLS, _callee(match))
    return None


def _callee(called: re.Match[str]) -> str:
    """What is called, without the marks of optional chains and of the own object."""
    return re.sub(r"[?!]", "", called["callee"]).removeprefix("self.")


def _first_word(statement: str) -> set[str]:
    return set(re.findall(r"^[\w.]+", statement.lstrip("} ")))


def _quoted(value: str) -> str:
    """An expression as it may be quoted: whole where it is short and closed, else the name of what it calls."""
    bare = re.sub(r"^(?:try[?!]?\s+)?(?:await\s+)?", "", value.strip())
    if len(bare) <= LONGEST_CODE and _closed(bare):
        return bare
    called = _CALL.match(bare)
    return _callee(called) if called else ""


def _closed(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]", "{}")) and "`" not in text and text.count('"') % 2 == 0


def _grouped(deeds: list[Deed]) -> Iterator[tuple[Act, list[Deed]]]:
    """Neighbours of one kind together: a list of calls has one verb."""
    group: list[Deed] = []
    for deed in deeds:
        if group and group[0].act is not deed.act:
            yield group[0].act, group
            group = []
        group.append(deed)
    if group:
        yield group[0].act, group
