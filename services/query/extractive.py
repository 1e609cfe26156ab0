"""An explanation without a language model: what the code does in the order in which it happens, put together from the evidence.

A lead that says where things start and where they lead, numbered steps along the calls, then who uses it, the types and settings that take part,
and what documents say. Every sentence ends with its citation. Deterministic: a pure function of question, context and symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.model import ContextItem, Place, SymbolKind
from services.query.branches import Branch, Outcome, read_branches
from services.query.flow import Call, Flow, Step
from services.query.wording import base_name, code, first_sentence, join_words, plain, shorten, statement

MOST_STEPS: Final = 16
"""Steps that are told one by one; what a reader wants beyond is the outline."""

MOST_BRANCHES: Final = 3
"""Decisions told for one step: the first ones are its preconditions."""

MOST_CALLS: Final = 4
MOST_LISTED: Final = 8
"""Entries of a list that follows the steps."""

_TYPES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_type)
_VALUES: Final = frozenset({"property", "variable", "case", "table"})
_CALLABLES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_callable)
_PROSE: Final = frozenset({"heading", "section"})


@dataclass(frozen=True, slots=True)
class Roles:
    """Which part of the explanation each item belongs to."""

    steps: tuple[Step, ...]
    users: tuple[ContextItem, ...]
    things: tuple[ContextItem, ...]
    prose: tuple[ContextItem, ...]
    rest: tuple[ContextItem, ...]


def explain_from_evidence(flow: Flow, items: Sequence[ContextItem], *, usage: bool) -> str:
    """The explanation as Markdown. ``usage`` asks who uses something: then callers are listed and not told as steps."""
    roles = _share_out(flow, items, usage=usage)
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    sections = [
        " ".join(_lead(flow, items, roles)),
        "\n".join(f"{number}. {' '.join(_step(step, flow, numbers))}" for number, step in enumerate(roles.steps[:MOST_STEPS], start=1)),
        _section("Used from", [_user(item, flow) for item in roles.users]),
        _section("Types and configuration", [_thing(item) for item in roles.things]),
        _section("Also relevant", [_thing(item) for item in roles.rest]),
        _section("See also", [_document(item) for item in roles.prose]),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def is_prose(item: ContextItem) -> bool:
    return item.kind in _PROSE or item.path.lower().endswith((".md", ".markdown", ".rst", ".txt"))


def _share_out(flow: Flow, items: Sequence[ContextItem], *, usage: bool) -> Roles:
    steps = [step for step in flow.in_order() if not is_prose(step.item) and _runs(step.item)]
    users: list[ContextItem] = []
    if usage:
        callers = {step.item.id for step in steps if step.item.place is Place.CALLER}
        users = [item for item in items if item.id in callers]
        steps = [step for step in steps if step.item.id not in callers]
    told = {step.item.id for step in steps} | {item.id for item in users}
    left = [item for item in items if item.id not in told]
    anchors = [Step(item, None, 0) for item in left if usage and item.place is Place.ANCHOR and _runs(item) and not is_prose(item)]
    if not steps:  # no calls among the items: the anchors in the order of rank are what can be told
        anchors = [Step(item, None, 0) for item in left if item.kind in _CALLABLES and not is_prose(item)]
    told |= {step.item.id for step in anchors}
    left = [item for item in left if item.id not in told]
    things = [item for item in left if item.kind in _TYPES | _VALUES]
    prose = [item for item in left if is_prose(item)]
    rest = [item for item in left if item not in things and item not in prose]
    return Roles((*anchors, *steps), tuple(users), tuple(things), tuple(prose), tuple(rest))


def _runs(item: ContextItem) -> bool:
    """Something that happens; a type takes part in events only by being made."""
    return item.kind not in _TYPES


# ----------------------------------------------------------------------------------------------------------------- lead


def _lead(flow: Flow, items: Sequence[ContextItem], roles: Roles) -> Iterator[str]:
    centre = max((item for item in items if not is_prose(item)), key=lambda item: (item.place is Place.ANCHOR, item.score), default=items[0])
    yield f"{code(centre.symbol or centre.path)} {statement(centre)} {_cite(centre)}."
    starts = [step for step in flow.starts if step.steps and _runs(step.item)]
    if not starts or not roles.steps:
        return
    start = next((step for step in starts if step.item.place is not Place.CALLER), starts[0])
    if start.item.id != centre.id:
        yield f"It begins in {code(start.item.symbol)}, which {statement(start.item).removeprefix('— ')} {_cite(start.item)}."
    through = [step.item for step in flow.in_order() if step.depth > 0 and step.item.id not in {centre.id, start.item.id} and _runs(step.item)]
    most = sorted(through, key=lambda item: (-item.score, item.id))[:3]
    if most:
        named = [f"{code(item.symbol)} {_cite(item)}" for item in through if item in most]
        yield f"From there it leads through {join_words(named)}."


# ---------------------------------------------------------------------------------------------------------------- steps


def _step(step: Step, flow: Flow, numbers: dict[str, int]) -> Iterator[str]:
    item = step.item
    cite = _cite(item)
    yield f"**{code(item.symbol or item.path)}** {statement(item)} {cite}."
    if step.by is not None and numbers.get(step.by.source.id, 0) != numbers[item.id] - 1 and step.by.source.id in numbers:
        yield f"Step {numbers[step.by.source.id]} {'calls' if step.by.certain else 'may call'} it at {_at(step.by)} {_cite(step.by.source)}."
    yield from _calls(item, flow, numbers)
    yield from (f"{_branch(branch)} {cite}." for branch in _notable(item))


def _calls(item: ContextItem, flow: Flow, numbers: dict[str, int]) -> Iterator[str]:
    distinct: dict[str, Call] = {}
    for call in flow.calls_from(item):
        distinct.setdefault(call.target.id, call)
    told = list(distinct.values())[:MOST_CALLS]
    for certain, verb in ((True, "calls"), (False, "may call")):
        parts = [f"{code(base_name(call.name))} (line {call.line}{_step_number(call, item, numbers)})" for call in told if call.certain is certain]
        if parts:
            more = f" and {len(distinct) - len(told)} more" if certain and len(distinct) > len(told) else ""
            yield f"It {verb} {join_words(parts) if not more else ', '.join(parts) + more} {_cite(item)}."


def _step_number(call: Call, item: ContextItem, numbers: dict[str, int]) -> str:
    """Only where the reader could not guess it: not for the very next step."""
    number = numbers.get(call.target.id, 0)
    if not number or number > MOST_STEPS or number == numbers.get(item.id, 0) + 1:
        return ""
    return f", {'back to ' if number <= numbers.get(item.id, 0) else ''}step {number}"


def _notable(item: ContextItem) -> list[Branch]:
    """Failures first, then loops, then early returns of something: in the order of the lines."""
    weight = {Outcome.THROWS: 0, Outcome.STOPS: 1, Outcome.REPEATS: 2, Outcome.RETURNS: 3}
    branches = read_branches(item)
    chosen = sorted(range(len(branches)), key=lambda index: (weight[branches[index].outcome], index))[:MOST_BRANCHES]
    return [branches[index] for index in sorted(chosen)]


def _branch(branch: Branch) -> str:
    when = "Unless" if branch.negated else "If"
    condition = "an error is caught" if branch.condition == "an error is caught" else code(branch.condition)
    if branch.outcome is Outcome.REPEATS:
        return f"It repeats for {code(branch.condition)}" if " in " in branch.condition else f"It repeats while {code(branch.condition)}"
    if branch.outcome is Outcome.STOPS:
        return f"{when} {condition}, it stops with {code(branch.value)}"
    if not branch.value:
        return f"{when} {condition}, it {'rethrows' if branch.outcome is Outcome.THROWS else 'returns at once'}"
    return f"{when} {condition}, it {branch.outcome.value} {code(branch.value)}"


# ---------------------------------------------------------------------------------------------------------------- lists


def _section(title: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    return f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines[:MOST_LISTED])


def _user(item: ContextItem, flow: Flow) -> str:
    uses = [f"{code(base_name(call.name))} at {_at(call)}" for call in flow.calls_from(item)][:3]
    says = f" {'calls ' + join_words(uses)}" if uses else f" {statement(item)}"
    return f"{code(item.symbol or item.path)}{says} {_cite(item)}."


def _thing(item: ContextItem) -> str:
    signature = shorten(item.signature, 110)
    said = statement(item)
    shown = f" ({code(signature)})" if item.kind in _VALUES and signature and not first_sentence(item.doc) else ""
    return f"{code(item.symbol or item.path)} {said}{shown} {_cite(item)}."


def _document(item: ContextItem) -> str:
    """The first sentence below the headings, quoted as what the document says."""
    lines = [line for line in item.text.split("\n") if line.strip() and not line.lstrip().startswith(("#", "```", "|", "<", "![", "[!", "@"))]
    said = first_sentence(plain(lines[0])) if lines else ""
    title = plain(item.symbol.rpartition(" > ")[2] or item.path.rpartition("/")[2]).strip("#` ")
    return f"{title}: “{said}” {_cite(item)}." if said else f"{title} {_cite(item)}."


def _at(call: Call) -> str:
    return f"line {call.line} of `{call.path.rpartition('/')[2]}`"


def _cite(item: ContextItem) -> str:
    return f"[{item.id}]"
