"""A description in words, made of what is known about its subject. Pure; the same material gives the same text.

What a comment says is quoted, names are code, and nothing is concluded: a description states what stands in declarations and edges.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.descriptions import FORMAT
from exegesis.heads import is_licence
from exegesis.model import Description, Spot, Subject, SymbolKind, stable_id
from services.graph.descriptions.material import Material, Member

MOST_NAMED: Final = 8
"""Of each role, and of those that use or are used; the number of the others is told."""
LONGEST_SAID: Final = 320
"""Characters of a quotation: two sentences."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")


@dataclass(frozen=True, slots=True)
class Role:
    name: str
    kinds: frozenset[SymbolKind]
    lead: str
    one: str
    many: str


ROLES: Final[tuple[Role, ...]] = (
    Role("cases", frozenset({SymbolKind.CASE}), "Its cases are", "case", "cases"),
    Role("types", frozenset({SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.ACTOR, SymbolKind.PROTOCOL, SymbolKind.TYPEALIAS}),
         "It declares", "type", "types"),
    Role("makers", frozenset({SymbolKind.INITIALIZER}), "It is made by", "initializer", "initializers"),
    Role("doing", frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION, SymbolKind.OPERATOR, SymbolKind.SUBSCRIPT, SymbolKind.PROCEDURE,
                             SymbolKind.SUBROUTINE, SymbolKind.MACRO}), "It does", "function", "functions"),
    Role("values", frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE}), "It keeps", "value", "values"),
    Role("tables", frozenset({SymbolKind.TABLE}), "It has the tables", "table", "tables"),
)  # fmt: skip
"""Members by what they are for, in the order in which they are told."""


def describe(material: Material) -> Description:
    """The description of a subject."""
    sentences = tuple(filter(None, _SENTENCES[material.subject](material)))
    text = " ".join(sentences)
    key = material.name if material.symbol is None else material.symbol
    return Description(
        id=stable_id("description", material.subject.value, key),
        subject=material.subject,
        name=material.name,
        path=material.path,
        digest=_digest(material, text),
        text=text,
        spots=_spots(material),
        symbol=material.symbol,
        weight=material.weight,
    )


def _digest(material: Material, text: str) -> str:
    """Of the text, and of all that a language model would be told beside it."""
    members = sorted(f"{member.kind.value} {member.signature or member.spot.name}\x1e{member.doc}" for member in material.members)
    parts = "\x1f".join((str(FORMAT), text, material.said, *members))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


# ------------------------------------------------------------------------------------------------------- by what it is


def _of_type(material: Material) -> Iterator[str]:
    where = f" of the module **{plain(material.module)}**" if material.module else ""
    yield f"{code(material.name)} is {_KINDS.get(material.kind, f'a {material.kind}')}{where}, declared in {code(material.path)}."
    yield _quoted("Its comment says", material.said)
    if material.inherits:
        yield f"It inherits from or conforms to {_join(map(code, material.inherits[:MOST_NAMED]))}."
    yield from _members(material.members)
    yield _named("Kinds of it are", material.subtypes)
    yield from _ties(material)


def _of_file(material: Material) -> Iterator[str]:
    where = f" of the module **{plain(material.module)}**" if material.module else ""
    yield f"{code(material.path)} is a file{where}."
    yield _quoted("It says of itself", material.said)
    yield from _members(material.members)
    yield from _ties(material)


def _of_module(material: Material) -> Iterator[str]:
    yield f"**{plain(material.name)}** is a module of {_count(material.files, 'file', 'files')}."
    yield _quoted("It says of itself", material.said)
    yield _named("It starts at", material.entries)
    yield _named("Most of it turns around", tuple(member.spot for member in material.members))
    yield _listed("It depends on", [f"**{plain(name)}**" for name in material.modules], "module", "modules")
    yield _listed("It is needed by", [f"**{plain(name)}**" for name in material.users], "module", "modules")


def _of_repository(material: Material) -> Iterator[str]:
    yield _quoted("It says of itself", material.said)
    yield _listed("Its code is", [f"**{plain(name)}**" for name in material.modules], "module", "modules")
    yield _named("It starts at", material.entries)
    yield _named("Most of it turns around", tuple(member.spot for member in material.members))


_SENTENCES: Final = {Subject.TYPE: _of_type, Subject.FILE: _of_file, Subject.MODULE: _of_module, Subject.REPOSITORY: _of_repository}
_KINDS: Final = {"struct": "a structure", "enum": "an enumeration", "actor": "an actor"}


def _members(members: Sequence[Member]) -> Iterator[str]:
    for role in ROLES:
        own = [member for member in members if member.kind in role.kinds]
        chosen = _told(own)
        if not chosen:
            continue
        rest = len({member.spot.name for member in own}) - len(chosen)
        more = f" and {_count(rest, f'more {role.one}', f'more {role.many}')}" if rest else ""
        names = [code(_shown(member)) for member in chosen]
        yield f"{role.lead} {', '.join(names) + more if rest else _join(names)}."


def _told(members: Sequence[Member]) -> list[Member]:
    """One of each name: what others may use first, then what they do use most, then by place."""
    ordered = sorted(members, key=lambda member: (not member.is_public, -member.uses, member.spot.path, member.spot.line))
    first: dict[str, Member] = {}
    for member in ordered:
        first.setdefault(member.spot.name, member)
    return list(first.values())[:MOST_NAMED]


def _shown(member: Member) -> str:
    """Of an initialiser its labels, which tell what is needed; of all else the name."""
    if member.kind is not SymbolKind.INITIALIZER:
        return member.spot.name
    labels = re.findall(r"[(,]\s*+(\w++)(?=[\s\w]*+:)", member.signature)
    return f"{member.spot.name}({''.join(f'{label}:' for label in labels[:6])})" if labels else member.spot.name


def _ties(material: Material) -> Iterator[str]:
    yield _named("It uses", material.uses)
    if material.used_by:
        tests = ", and tested" if material.is_tested else ""
        yield f"It is used by {_some(material.used_by)}{tests}."
    elif material.is_tested:
        yield "Only tests use it by name."


# ------------------------------------------------------------------------------------------------------------- wording


def code(name: str) -> str:
    """A name as code: it comes from a repository, and may hold anything."""
    return f"`{' '.join(name.replace('`', '').split())[:120]}`"


def plain(text: str) -> str:
    """What a repository says as one line of prose without marks of its own."""
    return " ".join(re.sub(r"[`*\[\]<>|]", "", text).split())


def said_shortly(text: str) -> str:
    """The first sentences of a comment, as many as fit; empty for a licence."""
    paragraph = plain(re.split(r"\n\s*\n", text.strip(), maxsplit=1)[0])
    if not paragraph or is_licence(paragraph):
        return ""
    told = ""
    for sentence in _SENTENCE_END.split(paragraph):
        if told and len(told) + len(sentence) > LONGEST_SAID:
            break
        told = f"{told} {sentence}".strip()
    return told if len(told) <= LONGEST_SAID else f"{told[:LONGEST_SAID].rpartition(' ')[0]} …"


def _quoted(lead: str, said: str) -> str:
    told = said_shortly(said)
    return f"{lead}: “{told.rstrip('.')}”." if told else ""


def _named(lead: str, spots: Sequence[Spot]) -> str:
    return f"{lead} {_some(spots)}." if spots else ""


def _some(spots: Sequence[Spot]) -> str:
    names = [code(spot.name) for spot in spots[:MOST_NAMED]]
    return f"{', '.join(names)} and others" if len(spots) > MOST_NAMED else _join(names)


def _listed(lead: str, names: Sequence[str], one: str, many: str) -> str:
    if not names:
        return ""
    rest = len(names) - MOST_NAMED
    told = f"{', '.join(names[:MOST_NAMED])} and {_count(rest, f'more {one}', f'more {many}')}" if rest > 0 else _join(names)
    return f"{lead} {told}."


def _join(names: Iterable[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _spots(material: Material) -> tuple[Spot, ...]:
    own = (material.spot,) if material.spot else ()
    told = [member.spot for role in ROLES for member in _told([each for each in material.members if each.kind in role.kinds])]
    others = (*material.entries[:MOST_NAMED], *material.subtypes[:MOST_NAMED], *material.uses[:MOST_NAMED], *material.used_by[:MOST_NAMED])
    return tuple(dict.fromkeys((*own, *told, *others)))
