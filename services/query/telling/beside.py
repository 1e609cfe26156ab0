"""Things beside each other: what each is and does, what they have in common, what only one of them does, and who uses which. Pure.

What only one of them calls is said only where the other is shown whole and its text does not have the name: an edge that was not found is no
difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.model import ContextItem, EdgeKind, Place, SymbolKind
from services.query.compared import compared_names
from services.query.flow import POSSIBLE, Flow, Step, Verb, standing
from services.query.programs import is_export_list
from services.query.telling.branches import numbered_lines
from services.query.telling.names import base_name, owner_of
from services.query.telling.prose import best_documents, is_prose
from services.query.telling.sentences import callee_of, cite, members_of, tell_document, tell_steps
from services.query.telling.things import FUNCTIONS, TYPES
from services.query.telling.usage import site_text
from services.query.telling.used_from import named_alike
from services.query.telling.wording import code, join_words, shorten

MOST_NAMES: Final = 6
"""Calls, members or users that are named in one sentence."""

MOST_USERS: Final = 4
MOST_ALIKE: Final = 2
"""Overloads that are named."""

LONGEST_SIGNATURE: Final = 160


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, in the order of the question; at least two."""

    things: tuple[ContextItem, ...]


def read_comparison(question: str, items: Sequence[ContextItem]) -> Comparison | None:
    """The things that a question compares by name, as far as the evidence defines them; None for fewer than two."""
    left = [item for item in items if item.place is Place.ANCHOR and not is_prose(item)]
    found: dict[str, ContextItem] = {}
    for name in compared_names(question):
        thing = next((item for item in left if _bears(item, name) and item.id not in found), None)
        if thing is not None:
            found[thing.id] = thing
    return Comparison(tuple(found.values())) if len(found) > 1 else None


def _bears(item: ContextItem, name: str) -> bool:
    symbol = item.symbol.partition("(")[0].lower()
    return symbol == name.lower() or symbol.endswith(f".{name.lower()}") or ("." not in name and base_name(item.symbol).lower() == name.lower())


def set_beside(comparison: Comparison, flow: Flow, items: Sequence[ContextItem]) -> str:
    """The explanation as Markdown."""
    things = comparison.things
    sections = (
        tell_steps([Step(thing, None, 0) for thing in things], flow),
        _section("Between them", [*_between(things, flow), *_declared(things, items)]),
        _section("In common", list(_common(things, flow))),
        _section("What sets them apart", list(_apart(things, flow))),
        _section("Used from", list(_users(things, flow))),
        _section("See also", [tell_document(item) for item in best_documents(items)]),
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def _section(title: str, lines: Sequence[str]) -> str:
    return f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


_HOW: Final[Mapping[EdgeKind, str]] = {
    EdgeKind.CALL: "calls",
    EdgeKind.CONSTRUCT: "makes",
    EdgeKind.INHERIT: "builds on",
    EdgeKind.EXTEND: "extends",
    EdgeKind.TYPE: "names",
    EdgeKind.ACCESS: "uses",
}


def _between(things: Sequence[ContextItem], flow: Flow) -> Iterator[str]:
    """What one of them does with another, each pair once by the first line on which it does; or that nothing leads from one to the other."""
    joined = False
    for source in things:
        for target in things:
            uses = [call for call in flow.uses if call.source.id == source.id and call.target.id == target.id and call.edge.kind in _HOW]
            if source.id == target.id or not uses:
                continue
            joined = True
            first = min(uses, key=lambda call: (list(_HOW).index(call.edge.kind), call.line))
            shown = site_text(dict(numbered_lines(source)), first.line, [base_name(target.symbol)])
            how = _HOW[first.edge.kind] if first.certain else "may use"
            if first.edge.kind is EdgeKind.ACCESS and target.kind in FUNCTIONS:
                how = Verb.REFERS.said(certain=first.certain)
            yield f"{_named(source)} {how} {_named(target)} at line {first.line}{f': {code(shown)}' if shown else ''} {cite(source)}."
    if not joined:
        yield f"No edge of the call graph leads from one to another {_cited(things)}."


def _declared(things: Sequence[ContextItem], items: Sequence[ContextItem]) -> Iterator[str]:
    """Signatures, what else bears the names, and where all of them belong."""
    for thing in things:
        signature = shorten(" ".join(thing.signature.split()), LONGEST_SIGNATURE)
        if signature and thing.kind not in TYPES:
            yield f"{_named(thing)} is declared as {code(signature)} {cite(thing)}."
        overloads = [item for item in items if _is_overload(item, thing)]
        if overloads:
            yield from named_alike(thing, overloads, f"{code(_without_labels(thing))} stands for", MOST_ALIKE)
    owners = {owner_of(thing.symbol) for thing in things}
    if len(owners) == 1 and (owner := owners.pop()):
        yield f"Both belong to {code(owner)} {_cited(things)}." if len(things) == 2 else f"All belong to {code(owner)} {_cited(things)}."


def _is_overload(item: ContextItem, thing: ContextItem) -> bool:
    """Of the same owner, and no part of the same declaration; further declarations of a type are extensions of it."""
    alike = item.symbol_id != thing.symbol_id and _without_labels(item) == _without_labels(thing)
    return alike and thing.kind not in TYPES and item.kind not in TYPES | {SymbolKind.PROTOTYPE.value}


def _without_labels(item: ContextItem) -> str:
    return item.symbol.partition("(")[0]


def _common(things: Sequence[ContextItem], flow: Flow) -> Iterator[str]:
    who = "Both" if len(things) == 2 else "All"
    for verb, names_of in _sides(flow):
        shared = [name for name in names_of(things[0]) if all(name in names_of(thing) for thing in things[1:])]
        if shared:
            yield f"{who} {verb} {_listed(shared)} {_cited(things)}."
    if users := _users_of_all(things, flow):
        named = [f"{code(user.symbol or user.path)} {cite(user)}" for user in users[:MOST_NAMES]]
        yield f"{who} are used by {join_words(named)}."


def _users_of_all(things: Sequence[ContextItem], flow: Flow) -> list[ContextItem]:
    """Each name once: several pieces of a large type are one user."""
    others = [{user.symbol for user in _callers(thing, flow)} for thing in things[1:]]
    users = {user.symbol: user for user in reversed(_callers(things[0], flow)) if all(user.symbol in users for users in others)}
    return list(users.values())[::-1]


def _apart(things: Sequence[ContextItem], flow: Flow) -> Iterator[str]:
    for verb, names_of in _sides(flow, one=True):
        for thing in things:
            others = [other for other in things if other.id != thing.id]
            only = [name for name in names_of(thing) if all(_lacks(other, name) for other in others)]
            if only:
                yield f"Only {_named(thing)} {verb} {_listed(only)} {_cited(things)}."


def _sides(flow: Flow, *, one: bool = False) -> tuple[tuple[str, Callable[[ContextItem], Sequence[str]]], ...]:
    """What can be had in common, with the verb for several, or for ``one``."""
    return (
        ("builds on" if one else "build on", lambda item: _targets(item, flow, EdgeKind.INHERIT)),
        ("holds" if one else "hold", lambda item: members_of(item) if item.kind in TYPES else []),
        ("calls" if one else "call", lambda item: _callees(item, flow)),
    )


def _targets(item: ContextItem, flow: Flow, kind: EdgeKind) -> list[str]:
    return list(dict.fromkeys(base_name(call.name) for call in flow.uses if call.source.id == item.id and call.edge.kind is kind))


def _callees(item: ContextItem, flow: Flow) -> list[str]:
    calls = [call for call in flow.calls_from(item) if call.edge.kind not in POSSIBLE and call.certain and call.runs]
    return list(dict.fromkeys(callee_of(call) for call in calls))


def _lacks(item: ContextItem, name: str) -> bool:
    """Whether an item is shown whole, and nowhere has the name."""
    whole = len(item.runs) == 1 and item.text.count("\n") + 1 >= item.end - item.start + 1
    return whole and not re.search(rf"(?<![\w$@#]){re.escape(base_name(name))}(?![\w$@#])", item.text, re.IGNORECASE)


def _callers(item: ContextItem, flow: Flow) -> list[ContextItem]:
    """Who uses it, the subject before examples and tests, in the order of the evidence."""
    sources = {call.source.id: call.source for call in flow.uses if call.target.id == item.id and call.source.id != item.id}
    return sorted((user for user in sources.values() if user.symbol and not _belongs(user, item)), key=standing)


def _belongs(user: ContextItem, item: ContextItem) -> bool:
    """Prototypes, headers and binders say that there is such a thing, and a type's own members belong to it: neither is a use of it."""
    if item.kind in TYPES and user.symbol.startswith(f"{item.symbol}."):
        return True  # a type speaks of itself all the time
    same = base_name(user.symbol).lower() == base_name(item.symbol).lower()
    return is_export_list(user.symbol, user.kind, user.path) or (same and user.kind == SymbolKind.PROTOTYPE.value)


def _users(things: Sequence[ContextItem], flow: Flow) -> Iterator[str]:
    """Who else uses each of them."""
    told = {item.symbol for item in (*things, *_users_of_all(things, flow))}
    for thing in things:
        users = [user for user in _callers(thing, flow) if user.symbol not in told]
        lines: dict[str, int] = {}
        for call in flow.uses:
            if call.target.id == thing.id:
                lines.setdefault(call.source.id, call.line)
        named = [f"{code(user.symbol or user.path)} (line {lines[user.id]}) {cite(user)}" for user in users[:MOST_USERS]]
        more = f", and {len(users) - MOST_USERS} more" if len(users) > MOST_USERS else ""
        yield f"{_named(thing)}: {join_words(named)}{more}." if named else f"{_named(thing)}: nothing in the evidence beside that {cite(thing)}."


def _named(thing: ContextItem) -> str:
    return code(thing.symbol or thing.path)


def _listed(names: Sequence[str]) -> str:
    more = [f"{len(names) - MOST_NAMES} more"] if len(names) > MOST_NAMES else []
    return join_words([*map(code, names[:MOST_NAMES]), *more])


def _cited(things: Sequence[ContextItem]) -> str:
    return " ".join(map(cite, things))
