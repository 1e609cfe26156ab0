"""An explanation without a language model: what the code does in the order in which it happens, put together from the evidence.

A lead that says where things start and where they lead, numbered steps along the calls, then who uses it, the types and settings that take part,
and what documents say. Every sentence ends with its citation. Deterministic: a pure function of question, context and symbols.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.model import ContextItem, Place, SymbolKind
from services.query.branches import Branch, Outcome, numbered_lines, read_branches
from services.query.flow import Call, Flow, Step, is_aside
from services.query.wording import base_name, code, first_sentence, join_words, plain, shorten, statement

MOST_STEPS: Final = 14
"""Steps that are told one by one: the ones with the best scores, in the order of events. The outline has the others."""

MOST_BRANCHES: Final = 3
"""Decisions told for one step: the first ones are its preconditions."""

MOST_CALLS: Final = 4
MOST_USERS: Final = 8
MOST_THINGS: Final = 6
MOST_DOCUMENTS: Final = 4
MOST_OF_ONE_FILE: Final = 2
"""Sections of one document that are named: the best two say where to read on."""

FAINT: Final = 0.3
"""Share of the best score below which a type or a document only filled the budget and is not worth a sentence."""

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


def explain_from_evidence(flow: Flow, items: Sequence[ContextItem], *, usage: bool) -> str:
    """The explanation as Markdown. ``usage`` asks who uses something: then callers are listed and not told as steps."""
    roles = _share_out(flow, items, usage=usage)
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    sections = [
        " ".join(_lead(flow, items, roles)),
        "\n".join(f"{number}. {' '.join(_step(step, flow, numbers))}" for number, step in enumerate(roles.steps, start=1)),
        _section("Used from", [_user(item, flow) for item in roles.users]),
        _section("Types and configuration", [_thing(item) for item in roles.things]),
        _section("See also", [_document(item) for item in roles.prose]),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def is_prose(item: ContextItem) -> bool:
    return item.kind in _PROSE or item.path.lower().endswith((".md", ".markdown", ".rst", ".txt"))


def _share_out(flow: Flow, items: Sequence[ContextItem], *, usage: bool) -> Roles:
    steps = [step for step in flow.in_order() if _is_step(step.item)]
    users: list[ContextItem] = []
    if usage:
        users = [step.item for step in steps if step.item.place is Place.CALLER]
        steps = [step for step in steps if step.item.place is not Place.CALLER]
    told = {step.item.id for step in steps} | {item.id for item in users}
    # Anchors that no call connects are told all the same: before the steps where they are the definition, else after them.
    alone = [
        Step(item, None, 0)
        for item in flow.apart
        if item.id not in told and item.kind in _CALLABLES and item.place is Place.ANCHOR and _is_step(item)
    ]
    steps = _best([*alone, *steps] if usage else [*steps, *alone])
    best = max((item.score for item in items), default=0.0)
    left = [item for item in items if item.id not in told and item.score >= FAINT * best and not is_aside(item)]
    things = [item for item in left if item.kind in _TYPES | _VALUES and not is_prose(item)]
    things.sort(key=lambda item: -item.score)
    return Roles(tuple(steps), tuple(users[:MOST_USERS]), tuple(things[:MOST_THINGS]), tuple(_documents(left)))


def _is_step(item: ContextItem) -> bool:
    return not is_prose(item) and not is_aside(item) and _runs(item)


def _best(steps: Sequence[Step]) -> list[Step]:
    """The steps with the best scores, in their order; what begins a story counts as much as the best thing in it."""
    if len(steps) <= MOST_STEPS:
        return list(steps)
    worth = {
        step.item.id: max([step.item.score, *(below.item.score * 0.99 for below in _below(step))]) if step.depth == 0 else step.item.score
        for step in steps
    }
    chosen = {step.item.id for step in sorted(steps, key=lambda step: -worth[step.item.id])[:MOST_STEPS]}
    return [step for step in steps if step.item.id in chosen]


def _below(step: Step) -> Iterator[Step]:
    for child in step.steps:
        yield child
        yield from _below(child)


def _documents(items: Sequence[ContextItem]) -> Iterator[ContextItem]:
    """The best sections, few of one file."""
    of_file: dict[tuple[str, str], int] = {}
    chosen = 0
    for item in sorted((item for item in items if is_prose(item)), key=lambda item: -item.score):
        of_file[item.repository, item.path] = of_file.get((item.repository, item.path), 0) + 1
        if of_file[item.repository, item.path] <= MOST_OF_ONE_FILE and chosen < MOST_DOCUMENTS:
            chosen += 1
            yield item


def _runs(item: ContextItem) -> bool:
    """Something that happens; a type takes part in events only by being made."""
    return item.kind not in _TYPES


# ----------------------------------------------------------------------------------------------------------------- lead


def _lead(flow: Flow, items: Sequence[ContextItem], roles: Roles) -> Iterator[str]:
    code_items = [item for item in items if not is_prose(item) and not is_aside(item)]
    centre = max(code_items, key=lambda item: (item.place is Place.ANCHOR, item.score), default=items[0])
    yield f"{code(centre.symbol or centre.path)} {statement(centre)} {_cite(centre)}."
    told = {step.item.id for step in roles.steps}
    starts = [step for step in flow.starts if step.steps and step.item.id in told]
    if not starts:
        return
    start = starts[0]
    if start.item.id != centre.id:
        yield f"It begins in {code(start.item.symbol)} {_cite(start.item)}."
    through = [step.item for step in roles.steps if step.item.id not in {centre.id, start.item.id}]
    most = sorted(through, key=lambda item: -item.score)[:3]
    if most:
        named = [f"{code(item.symbol)} {_cite(item)}" for item in through if item in most]
        yield f"From there it leads through {join_words(named)}."


# ---------------------------------------------------------------------------------------------------------------- steps


def _step(step: Step, flow: Flow, numbers: dict[str, int]) -> Iterator[str]:
    item = step.item
    cite = _cite(item)
    yield f"**{code(item.symbol or item.path)}** {statement(item)} {cite}."
    if step.by is not None:
        caller = numbers.get(step.by.source.id)
        verb = "calls" if step.by.certain else "may call"
        if caller is None:
            yield f"{code(step.by.source.symbol)} {verb} it at {_at(step.by)} {_cite(step.by.source)}."
        elif caller != numbers[item.id] - 1:
            yield f"Step {caller} {verb} it at {_at(step.by)} {_cite(step.by.source)}."
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
    if not number or number == numbers.get(item.id, 0) + 1:
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
    return f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def _user(item: ContextItem, flow: Flow) -> str:
    uses = [f"{code(base_name(call.name))} at {_at(call)}" for call in flow.calls_from(item)][:3]
    says = f" {'calls ' + join_words(uses)}" if uses else f" {statement(item)}"
    return f"{code(item.symbol or item.path)}{says} {_cite(item)}."


def _thing(item: ContextItem) -> str:
    """A type with what it holds, or a value with its declaration."""
    members = _members(item) if item.kind in _TYPES else []
    held = f"; it holds {join_words([code(name) for name in members[:5]])}{' and more' if len(members) > 5 else ''}" if members else ""
    signature = shorten(" ".join(item.signature.split()), 110)
    shown = f" ({code(signature)})" if item.kind in _VALUES and signature and not first_sentence(item.doc) else ""
    return f"{code(item.symbol or item.path)} {statement(item)}{held}{shown} {_cite(item)}."


_MEMBER: Final = re.compile(
    r"^\s*(?:(?:public|internal|private|fileprivate|open|static|final|lazy|weak|override|readonly|protected|const)(?:\(set\))?\s+)*(?:let|var|val|case)\s+(\w+)"
)


def _members(item: ContextItem) -> list[str]:
    """Names of the values that the shown lines of a type declare, outermost first."""
    found = [(len(line) - len(line.lstrip()), match[1]) for _, line in numbered_lines(item) if (match := _MEMBER.match(line))]
    outermost = min((depth for depth, _ in found), default=0)
    return list(dict.fromkeys(name for depth, name in found if depth == outermost))


def _document(item: ContextItem) -> str:
    """The first sentence below the headings, quoted as what the document says."""
    said = first_sentence(plain(" ".join(_first_paragraph(item))))
    title = plain(item.symbol.rpartition(" › ")[2] or item.path.rpartition("/")[2]).strip("#` ")
    return f"{title}: “{said}” {_cite(item)}." if said else f"{title} {_cite(item)}."


def _first_paragraph(item: ContextItem) -> Iterator[str]:
    begun = False
    for line in item.text.split("\n"):
        stripped = line.strip()
        if not stripped and begun:
            return
        if stripped and not stripped.startswith(("#", "```", "|", "<", "![", "[!", "@", "---")):
            begun = True
            yield stripped


def _at(call: Call) -> str:
    return f"line {call.line} of `{call.path.rpartition('/')[2]}`"


def _cite(item: ContextItem) -> str:
    return f"[{item.id}]"
