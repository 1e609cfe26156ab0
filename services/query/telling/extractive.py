"""An explanation without a language model: what the code does in the order in which it happens, put together from the evidence.

A lead that says what stands in the middle, where it starts and where it ends; numbered steps along the calls; then other places that match the
words, who uses it, the types that take part, and what documents say. Every sentence ends with its citation. Deterministic: a pure function of
question, context and symbols.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from exegesis.model import ContextItem, EdgeKind, Place, SymbolKind
from services.query.flow import POSSIBLE, Call, Flow, Standing, Step, holds, standing
from services.query.intent import bears, qualified_names
from services.query.telling.branches import Branch, Outcome, numbered_lines, read_branches
from services.query.telling.comments import Comment, comments_on
from services.query.telling.deeds import tell_deeds
from services.query.telling.names import base_name, owner_of, result_of
from services.query.telling.phases import Phase, phase_of
from services.query.telling.things import TYPES, VALUES, settings_last, taking_part
from services.query.telling.threads import Story, Thread, choose_steps, preorder, read_story, with_parts_joined
from services.query.telling.trivial import body_of, is_trivial
from services.query.telling.wording import code, deprecation, first_sentence, join_words, plain, shorten, statement

MOST_STEPS: Final = 12
"""Steps that are told one by one; of longer stories the ends that matter least are left out. The outline has more of them."""

MOST_STEPS_BESIDE_PROSE: Final = 6
"""Where comments and documents answer, the code is the footnote."""

MOST_BRANCHES: Final = 2
"""Decisions told for one step: the failures, or the first ways out."""

MOST_CALLS: Final = 6
MOST_ALIKE: Final = 2
"""Other implementations of a requirement that are named."""

MOST_ASIDE: Final = 1
"""Threads of other subjects that get a sentence of their own; the next ones get a word."""

MOST_ALSO: Final = 4
STRONG: Final = 0.45
"""Weight from which a match is named although no story tells it."""

FIRST_STEPS: Final = 4
"""Steps near the beginning: one of them is the centre, and their other callers are named, because they are the ways into the story."""

MOST_USERS: Final = 4
MOST_CALLERS: Final = 10
"""Of something whose use is asked for."""

MOST_OVERLOADS: Final = 2
"""Of something whose use is asked for, that are named."""

MOST_STEPS_OF_USED: Final = 5
MOST_THINGS: Final = 4
MOST_DOCUMENTS: Final = 3
MOST_COMMENTS: Final = 4
MOST_OF_ONE_FILE: Final = 2
"""Sections of one document that are named: the best two say where to read on."""

FEWEST_WORDS: Final = 4
"""A shorter sentence of a document is a label."""

FAINT: Final = 0.3
"""Share of the best score below which a type or a document only filled the budget and is not worth a sentence."""

DOCUMENTED: Final = 0.1
"""What a doc comment is worth where a centre is chosen: it can be said what it does."""

WIDE: Final = 0.5
"""Share of the steps from which their type says better than any of them what the story is about."""

_CALLABLES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_callable)
_PROSE: Final = frozenset({"heading", "section"})


class Form(StrEnum):
    """What an explanation puts first."""

    FLOW = "flow"
    """What happens, in order."""
    USAGE = "usage"
    """From where something is used."""
    PROSE = "prose"
    """What documents say: reasons and overviews stand there."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Which part of the explanation each item belongs to."""

    centre: ContextItem
    steps: tuple[Step, ...]
    """In the order in which they are told."""
    users: tuple[ContextItem, ...] = ()
    aside: tuple[Thread, ...] = ()
    also: tuple[ContextItem, ...] = ()
    """Matches that take part in no story."""
    things: tuple[ContextItem, ...] = ()
    prose: tuple[ContextItem, ...] = ()
    used: tuple[ContextItem, ...] = ()
    """What a question of use is about: the centre and its overloads."""
    course: frozenset[str] = frozenset()
    """Items that have a common beginning and end; empty for all."""


def explain_from_evidence(question: str, flow: Flow, items: Sequence[ContextItem], form: Form = Form.FLOW) -> str:
    """The explanation as Markdown; empty without evidence."""
    if not items:
        return ""
    flow = with_parts_joined(flow)
    form = Form.FLOW if form is Form.USAGE and not _is_used(question, flow, items) else form
    roles = (
        _use(question, flow, items) if form is Form.USAGE else _share_out(flow, items, MOST_STEPS_BESIDE_PROSE if form is Form.PROSE else MOST_STEPS)
    )
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    steps = "\n".join(f"{number}. {' '.join(_step(step, roles, flow, numbers))}" for number, step in enumerate(roles.steps, start=1))
    users = [_user(item, roles.used, numbers.keys(), flow) for item in roles.users]
    documents = _section("See also", [_document(item) for item in roles.prose])
    comments = _comments(question, items) if form is Form.PROSE else []
    lead = " ".join(_lead(roles, form))
    aside = " ".join(map(_aside, roles.aside))
    also = _section("Also matched", [_thing(item) for item in roles.also])
    things = _section("Types and configuration", [_thing(item) for item in roles.things])
    told = {
        Form.FLOW: (lead, steps, aside, also, _section("Also reached from", users), things, documents),
        Form.USAGE: (lead, _section("Used from", users), steps and f"**What it does**\n\n{steps}", things, documents),
        Form.PROSE: (_section("From comments", comments), documents.replace("See also", "From documents", 1), lead, steps, things),
    }
    return "\n\n".join(section for section in told[form] if section) + "\n"


def is_prose(item: ContextItem) -> bool:
    return item.kind in _PROSE or item.path.lower().endswith((".md", ".markdown", ".rst", ".txt"))


def _share_out(flow: Flow, items: Sequence[ContextItem], most: int) -> Roles:
    code_items = [item for item in items if not is_prose(item)]
    story = read_story(flow, code_items)
    steps = list(preorder(choose_steps(story, most)))
    told = {step.item.id for step in steps}
    if not steps:  # nothing that calls or is called: the best matches are told all the same
        alone = [item for item in code_items if item.place is Place.ANCHOR and item.kind in _CALLABLES and standing(item) is not Standing.TEST]
        steps = [Step(item, None, 0) for item in sorted(alone, key=lambda item: -story.weights[item.id])[:most]]
        told = {step.item.id for step in steps}
    subject = any(standing(step.item) is Standing.SUBJECT for step in steps)
    first = [step.item for step in steps[:FIRST_STEPS]]
    ways = {call.source.id: call.source for item in first for call in flow.calls_to(item) if call.edge.kind not in POSSIBLE}
    users = (
        [item for item in ways.values() if item.id not in told and item.kind not in TYPES and standing(item) is not Standing.TEST] if subject else []
    )
    users.sort(key=lambda item: (standing(item), -story.weights.get(item.id, 0.0)))
    aside = tuple(thread for thread in story.aside if standing(thread.start.item) is Standing.SUBJECT or not subject)[:MOST_ASIDE]
    known = {*told, *(item.id for item in users[:MOST_USERS]), *(step.item.id for thread in aside for step in thread.steps)}
    also = other_matches(code_items, known, story)[:MOST_ALSO]
    centre = _centre(items, steps, story)
    things, prose = _around(items, {*known, centre.id, *(item.id for item in also)}, steps, flow)
    return Roles(centre, tuple(steps), tuple(users[:MOST_USERS]), aside, tuple(also), things, prose, course=_course(story))


def other_matches(items: Sequence[ContextItem], known: Collection[str], story: Story) -> list[ContextItem]:
    """What the question finds and no story tells, best first: whoever asked may have meant it."""
    left = [item for item in items if item.id not in known and item.kind in _CALLABLES and item.id not in story.idle]
    left = [item for item in left if item.place is Place.ANCHOR and story.weights[item.id] >= STRONG and standing(item) is Standing.SUBJECT]
    told = {base_name(item.symbol) for item in items if item.id in known}
    best = sorted(left, key=lambda item: -story.weights[item.id])
    return [item for item in {base_name(item.symbol): item for item in reversed(best)}.values() if base_name(item.symbol) not in told][::-1]


_EVENTS: Final = re.compile(r"^\s*what happens\b", re.IGNORECASE)
"""Asks for events, whatever else it mentions being called."""


def _definitions(question: str, items: Sequence[ContextItem]) -> list[ContextItem]:
    """What a question of use is about: the match that it names, declarations before extensions, and its overloads; else the first match."""
    anchors = [item for item in items if item.place is Place.ANCHOR and not is_prose(item)] or list(items[:1])
    words, qualified = set(_WORD.findall(question)), qualified_names(question)
    named = [item for item in items if base_name(item.symbol) in words and not is_prose(item) and standing(item) is Standing.SUBJECT]
    first = min(named, key=lambda item: (not bears(item.symbol, qualified), item.kind == "extension"), default=anchors[0])
    name = first.symbol.partition("(")[0]
    overloads = [item for item in items if item.kind in _CALLABLES and item.symbol.partition("(")[0] == name and item.id != first.id]
    return [first, *(overloads if first.kind in _CALLABLES else [])]


def _is_used(question: str, flow: Flow, items: Sequence[ContextItem]) -> bool:
    """Whether a question of use finds its answer: callers, or a thing that it names and that nobody calls."""
    used = _definitions(question, items)
    return not _EVENTS.match(question) and (any(map(flow.calls_to, used)) or base_name(used[0].symbol) in _WORD.findall(question))


def _use(question: str, flow: Flow, items: Sequence[ContextItem]) -> Roles:
    """The definition, who calls it (the subject before demonstrations and tests, current callers before deprecated ones), and the little that it does
    itself.
    """
    used = _definitions(question, items)
    definition = used[0]
    callers = {call.source.id: call.source for one in used for call in flow.calls_to(one)}
    users = list(callers.values())
    if definition.kind in TYPES:  # a type is used by being named
        name = base_name(definition.symbol)
        near = [item for item in items if item.kind not in TYPES and item.id not in callers and not is_prose(item) and _first_mention(item, name)]
        users += sorted(near, key=lambda item: -item.score)
    overloads = {one.id for one in used}  # that call each other: true, and not what was asked
    users.sort(key=lambda item: (item.id not in callers, standing(item), item.id in overloads, bool(deprecation(item))))
    called = {call.target.id: Step(call.target, call, 1) for call in flow.calls_from(definition) if call.edge.kind not in POSSIBLE}
    steps = [Step(definition, None, 0), *(step for step in called.values() if _is_told(step.item))]
    if definition.kind in TYPES:  # the lead has said what it is
        steps = steps[1:]
    things, prose = _around(items, {*(one.id for one in used), *callers, *called}, steps, flow)
    return Roles(definition, tuple(steps[:MOST_STEPS_OF_USED]), tuple(users[:MOST_CALLERS]), things=things[:2], prose=prose, used=tuple(used))


def _is_told(item: ContextItem) -> bool:
    return not is_prose(item) and standing(item) is not Standing.TEST and item.kind not in TYPES and not is_trivial(item)


def _around(
    items: Sequence[ContextItem], known: Collection[str], steps: Sequence[Step], flow: Flow
) -> tuple[tuple[ContextItem, ...], tuple[ContextItem, ...]]:
    """Types and values that take part, and documents that bear on the question."""
    best = max((item.score for item in items), default=0.0)
    left = [item for item in items if item.id not in known and item.score >= FAINT * best and standing(item) is Standing.SUBJECT]
    told = [step.item for step in steps]
    things = [item for item in taking_part([item for item in left if not is_prose(item)], told, flow) if _about(item) and _is_thing(item)]
    return tuple(settings_last(things[:MOST_THINGS], told, flow)), tuple(_documents(left))


_WORD: Final = re.compile(r"[A-Za-z_]\w+")


def _is_thing(item: ContextItem) -> bool:
    """A type, a stored value, or a computed one that somebody found worth a comment: other accessors only hand on."""
    return item.kind in TYPES or bool(item.doc) or not body_of(item)


_CHRONICLE: Final = re.compile(r"(?:^|/)(?:change-?_?logs?|changes|history|news|release[-_ ]?notes?|releases)(?:[-_.\w]*)$", re.IGNORECASE)
"""Documents that list what was changed when: they name everything and explain nothing."""


def _documents(items: Sequence[ContextItem]) -> Iterator[ContextItem]:
    """The best sections, few of one file."""
    of_file: dict[tuple[str, str], int] = {}
    chosen = 0
    for item in sorted((item for item in items if is_prose(item) and not _CHRONICLE.search(item.path)), key=lambda item: -item.score):
        of_file[item.repository, item.path] = of_file.get((item.repository, item.path), 0) + 1
        if of_file[item.repository, item.path] <= MOST_OF_ONE_FILE and chosen < MOST_DOCUMENTS:
            chosen += 1
            yield item


# ----------------------------------------------------------------------------------------------------------------- lead


def _lead(roles: Roles, form: Form) -> Iterator[str]:
    centre = roles.centre
    about = _about(centre, bodies=not roles.steps or form is Form.USAGE)
    said = f"{code(centre.symbol or centre.path)} {about} {_cite(centre)}."
    if form is Form.USAGE:
        yield said if about else f"{code(centre.symbol or centre.path)} is declared in `{centre.path.rpartition('/')[2]}` {_cite(centre)}."
        if overloads := roles.used[1:]:
            named = [f"{code(item.symbol)} {_cite(item)}" for item in overloads[:MOST_OVERLOADS]]
            more = [f"{len(overloads) - MOST_OVERLOADS} more"] if len(overloads) > MOST_OVERLOADS else []
            yield f"The name stands for {join_words([*named, *more])} as well."
        if not roles.users:
            yield f"Nothing in the evidence calls it {_cite(centre)}."
        return
    if about or not roles.steps:
        yield said if about else f"{code(centre.symbol or centre.path)} is in `{centre.path.rpartition('/')[2]}` {_cite(centre)}."
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    steps = [step for step in roles.steps if phase_of(step.item) is not Phase.SETTINGS and step.item.id in (roles.course or {step.item.id})]
    if len(steps) < 2:
        return
    events = [step.item for step in steps]
    start = events[0]
    surely = _surely_reached(steps)
    end = next((item for item in reversed(events) if item.id in surely and item.id != start.id), events[-1])
    subject = "It" if about else "The story"
    at = f" (step {numbers[start.id]})" if numbers[start.id] > 1 else ""
    if start.id == centre.id:
        who = "It" if about else f"{code(start.symbol)} {_cite(start)}"
        yield f"{who}{f' is step {numbers[start.id]} and' if at else ''} leads to {code(end.symbol)} {_cite(end)}."
        return
    through = f", goes through {code(centre.symbol)} {_cite(centre)}" if centre in events[1:-1] and centre.id != end.id else ""
    yield f"{subject} starts in {code(start.symbol)}{at} {_cite(start)}{through} and ends in {code(end.symbol)} {_cite(end)}."


def _course(story: Story) -> frozenset[str]:
    """The items from whose first to whose last things happen: all threads where some start what others hear of afterwards, else the heaviest.

    Threads that only stand beside each other have no common beginning and end.
    """
    phases = {phase_of(thread.start.item) for thread in story.threads}
    threads = story.threads if {Phase.START, Phase.CALLBACK} <= phases else filter(None, [story.main])
    return frozenset(step.item.id for thread in threads for step in thread.steps)


def _surely_reached(steps: Sequence[Step]) -> set[str]:
    """Steps to which no call leads that happens for some values only: a story does not end in what may run."""
    reached: set[str] = set()
    doubtful: set[str] = set()
    for step in steps:
        if step.by is not None and (step.by.edge.kind in POSSIBLE or step.by.source.id in doubtful):
            doubtful.add(step.item.id)
        else:
            reached.add(step.item.id)
    return reached


def _centre(items: Sequence[ContextItem], steps: Sequence[Step], story: Story) -> ContextItem:
    """The centre of the heaviest thread, or the type that most of its steps belong to, where its comment says what it is."""
    main = story.main
    if main is None or not steps:
        known = [item for item in items if not is_prose(item) and standing(item) is Standing.SUBJECT]
        return max(known, key=lambda item: (item.place is Place.ANCHOR, item.score), default=items[0])
    own = {step.item.id for step in main.steps}
    told = [step.item for step in steps if step.item.id in own]
    owners = [owner_of(item.symbol) for item in told]
    for item in items:
        if item.kind in TYPES and item.kind != "extension" and first_sentence(item.doc) and owners.count(item.symbol) > WIDE * len(told):
            return item
    begin = told.index(main.centre) if main.centre in told else 0
    near = told[begin : begin + FIRST_STEPS]
    return max(near, key=lambda item: (item.kind != "initializer", story.weights[item.id] + DOCUMENTED * bool(first_sentence(item.doc))))


def _aside(thread: Thread) -> str:
    """What else matches the words and has nothing to do with the rest."""
    start = thread.start.item
    words = _clause(start)
    leads = [step.item for step in thread.steps[1:3]]
    on = f"; it leads to {join_words([f'{code(item.symbol)} {_cite(item)}' for item in leads])}" if leads else ""
    return f"Another place that matches the words: {code(start.symbol)}{' ' + words if words else ''} {_cite(start)}{on}."


# ---------------------------------------------------------------------------------------------------------------- steps


def _step(step: Step, roles: Roles, flow: Flow, numbers: dict[str, int]) -> Iterator[str]:
    item = step.item
    cite = _cite(item)
    name = f"**{code(item.symbol or item.path)}**"
    handed = _handed_over(item, roles, flow, numbers)
    if alike := _told_alike(step, roles, numbers):
        yield f"{name} does what step {alike} does, in {code(base_name(item.symbol.partition('(')[0].rpartition('.')[0]) or item.path)} {cite}."
    elif same := _same_words(step, roles, numbers):
        does = "does this for" if step.by is not None and numbers.get(step.by.source.id) == same else "is described in the words of"
        yield f"{name} {does} step {same} {cite}."
    else:
        clause = _clause(item, step.by.declared if step.by else "", {base_name(call.name) for call in handed})
        yield f"{name} {clause} {cite}." if clause else f"{name} {cite}."
        if notice := deprecation(item):
            yield f"It is deprecated{notice.rstrip()} {cite}."
        yield from _reached(step, numbers.keys(), flow)
    yield from (f"{_branch(branch)} {cite}." for branch in _notable(item))
    yield from _calls(item, handed, flow, numbers)


def _clause(item: ContextItem, declared: str = "", told: Collection[str] = ()) -> str:
    """What an item does, in the words of its comment, its name, its statements or its signature; empty when none says anything.

    Of its statements not the calls of what is ``told`` anyway.
    """
    said = statement(item, declared) or ("" if item.kind in TYPES else tell_deeds(item, told))
    result = "" if said or item.kind in TYPES or told else result_of(item)
    return said or (f"returns {code(result)}" if result else "")


def _same_words(step: Step, roles: Roles, numbers: Mapping[str, int]) -> int:
    """The earlier step whose comment says the very same, of a wrapper or an overload; 0 for none."""
    said = first_sentence(step.item.doc)
    if not said:
        return 0
    earlier = (other.item for other in roles.steps if numbers[other.item.id] < numbers[step.item.id])
    return next((numbers[other.id] for other in earlier if first_sentence(other.doc) == said), 0)


def _told_alike(step: Step, roles: Roles, numbers: dict[str, int]) -> int:
    """The earlier step that runs for the same declaration, when this one has nothing of its own to say; 0 for none."""
    by = step.by
    if by is None or by.edge.kind not in POSSIBLE or first_sentence(step.item.doc):
        return 0
    for other in roles.steps:
        if other.item.id == step.item.id:
            return 0
        if other.by is not None and (other.by.edge.source, other.by.edge.kind) == (by.edge.source, by.edge.kind):
            return numbers[other.item.id]
    return 0


def _reached(step: Step, told: Collection[str], flow: Flow) -> Iterator[str]:
    """How the reader gets here, where no step says so: through a declaration, or from what is no step of its own."""
    by = step.by
    if by is None:
        return
    if by.edge.kind is EdgeKind.OVERRIDE:
        yield f"It may run in place of {code(by.source.symbol)}, which it overrides {_cite(by.target)}."
    elif by.edge.kind in POSSIBLE:
        alike = [call.target for call in flow.calls_from(by.source) if call.caller == by.caller and call.edge.kind in POSSIBLE]
        others = list({item.id: item for item in alike if item.id not in told}.values())
        named = [f"{code(owner_of(item.symbol) or item.symbol)} {_cite(item)}" for item in others[:MOST_ALIKE]]
        more = [f"{len(others) - MOST_ALIKE} more"] if len(others) > MOST_ALIKE else []
        beside = f", as may those of {join_words([*named, *more])}" if others else ""
        yield f"It may run for {code(by.source.symbol)} (declared at {_at(by)}) {_cite(by.source)}{beside}."
    elif by.source.id not in told:
        yield f"{code(by.source.symbol)} {'calls' if by.certain else 'may call'} it at {_at(by)} {_cite(by.source)}."


def _handed_over(item: ContextItem, roles: Roles, flow: Flow, numbers: Mapping[str, int]) -> list[Call]:
    """Calls of steps that are told, and of requirements that steps run for; each callee once."""
    ways = {step.by.source.id for step in roles.steps if step.by is not None and step.by.edge.kind in POSSIBLE}
    distinct: dict[str, Call] = {}
    for call in flow.calls_from(item):
        distinct.setdefault(call.target.id, call)
    calls = [call for call in distinct.values() if call.edge.kind not in POSSIBLE and (call.target.id in numbers or call.target.id in ways)]
    return calls[:MOST_CALLS]


def _calls(item: ContextItem, handed: Sequence[Call], flow: Flow, numbers: dict[str, int]) -> Iterator[str]:
    """The hand-over to other steps."""
    for certain, verb in ((True, "calls"), (False, "may call")):
        told = [call for call in handed if call.certain is certain]
        parts = [f"{code(_callee(call))} (line {call.line}{_step_number(call, item, numbers)})" for call in told]
        if parts:
            yield f"It {verb} {join_words(parts)} {_cite_lines(item, [call.line for call in told], flow)}."


def _callee(call: Call) -> str:
    """The name as it stands at the call, initialisers with their type."""
    name = base_name(call.name)
    return f"{base_name(call.name.partition('(')[0].rpartition('.')[0])}.{name}" if name == "init" else name


def _step_number(call: Call, item: ContextItem, numbers: dict[str, int]) -> str:
    """Only where the reader could not guess it: not for the very next step."""
    number = numbers.get(call.target.id, 0)
    if not number or number == numbers.get(item.id, 0) + 1:
        return ""
    return f", {'back to ' if number <= numbers.get(item.id, 0) else ''}step {number}"


_WEIGHT_OF_OUTCOME: Final[Mapping[Outcome, int]] = {Outcome.THROWS: 0, Outcome.STOPS: 1, Outcome.RETURNS: 2, Outcome.REPEATS: 3}


def _notable(item: ContextItem) -> list[Branch]:
    """Failures first, then early returns: in the order of the lines.

    A condition that had to be cut says too much and too little at once, and a switch that maps cases to values is no decision of the flow.
    """
    found = [branch for branch in read_branches(item) if branch.outcome is not Outcome.REPEATS and not _rethrows(branch)]
    found = [
        branch for branch in found if branch.outcome is Outcome.THROWS or not (branch.condition.endswith("…") or branch.condition.startswith("case "))
    ]
    branches = list({(branch.condition, branch.outcome, branch.value): branch for branch in reversed(found)}.values())[::-1]
    chosen = sorted(range(len(branches)), key=lambda index: (_WEIGHT_OF_OUTCOME[branches[index].outcome], index))[:MOST_BRANCHES]
    return [branches[index] for index in sorted(chosen)]


def _rethrows(branch: Branch) -> bool:
    return branch.condition == "an error is caught" and branch.value in {"", "error", "e"}


_BINDING: Final = re.compile(r"(?:let|var) \w+ = (?:try\?? |await )*([^=]+)")
"""``guard let x = f()`` asks whether ``f()`` has a value."""

_SHORT_BINDING: Final = re.compile(r"(?:let|var) (\w+)")
"""``guard let x`` asks whether ``x`` has one."""

_ANY_BINDING: Final = re.compile(r"(?:let|var) (\w+)(?: = (?:try\?? |await )*([^=]+))?")


def _bound_values(condition: str) -> list[str]:
    """What several bindings in one condition ask for; empty where something else is asked as well."""
    parts = re.split(r",\s*(?=(?:let|var)\b)", condition)
    found = [_ANY_BINDING.fullmatch(part) for part in parts]
    return [match[2] or match[1] for match in found if match] if all(found) and not any("," in re.sub(r"\(.*\)", "", part) for part in parts) else []


_NEGATION: Final = re.compile(r"!([\w.]+(?:\([^()]*\))?)")
"""A condition that is one negated value: said with the other of "if" and "unless"."""


def _branch(branch: Branch) -> str:
    if branch.value.endswith("…") or branch.value.count("(") != branch.value.count(")"):  # what it calls says enough
        branch = replace(branch, value=branch.value.partition("(")[0].rstrip("… "))
    if branch.condition.endswith("…"):
        return f"It may throw {code(branch.value)}"
    if negation := _NEGATION.fullmatch(branch.condition):
        branch = replace(branch, condition=negation[1], negated=not branch.negated)
    when = "Unless" if branch.negated else "If"
    condition = "an error is caught" if branch.condition == "an error is caught" else code(branch.condition)
    bound = _BINDING.fullmatch(branch.condition) or _SHORT_BINDING.fullmatch(branch.condition)
    if bound and not re.search(r",\s*(?:let|var)\b|,(?![^(\[]*[)\]])", bound[1]):
        when, condition = "If", f"{code(bound[1])} {'is nil' if branch.negated else 'has a value'}"
    elif len(values := _bound_values(branch.condition)) > 1:
        missing = " or ".join(map(code, values)) + " is nil"
        when, condition = "If", missing if branch.negated else f"{join_words(list(map(code, values)))} have values"
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


def _user(item: ContextItem, used: Sequence[ContextItem], told: Collection[str], flow: Flow) -> str:
    """A caller: with what it calls, or, where the use of something is asked for, with the lines that call it and who calls the caller."""
    name = f"{code(item.symbol or item.path)} in `{item.path.rpartition('/')[2]}`"
    if not used:
        calls = {call.target.id: call for call in reversed(flow.calls_from(item)) if call.target.id in told}
        uses = [f"{code(_callee(call))} (line {call.line})" for call in sorted(calls.values(), key=lambda call: call.line)][:3]
        return f"{name} {'calls ' + join_words(uses) if uses else _clause(item)} {_cite(item)}."
    meant = {one.id for one in used}
    here = [call for call in flow.calls_from(item) if call.target.id in meant]
    if not here:
        return f"{name} names it at line {_first_mention(item, base_name(used[0].symbol))} {_cite(item)}."
    lines = join_words([str(line) for line in dict.fromkeys(call.line for call in here)])
    verb = "calls" if any(call.certain for call in here) else "may call"
    words = _without_dash(_clause(item))
    said = f"{name} {verb} it at line{'s' if ' ' in lines else ''} {lines}{'; it ' + words if words else ''} {_cite(item)}."
    above = list({call.source.id: call for call in flow.calls_to(item) if call.source.id not in meant}.values())[:2]
    if above:
        said += f" That is called by {join_words([f'{code(call.source.symbol)} (line {call.line}) {_cite(call.source)}' for call in above])}."
    return said


def _first_mention(item: ContextItem, name: str) -> int:
    """The first line of an item that has a word, comments aside; 0 for none."""
    return next(
        (number for number, line in numbered_lines(item) if name in _WORD.findall(line) and not line.lstrip().startswith(("//", "*", "/*", "#"))), 0
    )


def _without_dash(clause: str) -> str:
    return clause if not clause.startswith("— ") else f"is described as “{clause.removeprefix('— ')}”"


def _thing(item: ContextItem) -> str:
    signature = shorten(" ".join(item.signature.split()), 110)
    shown = f" ({code(signature)})" if item.kind in VALUES and signature and not first_sentence(item.doc) else ""
    return f"{code(item.symbol or item.path)} {_about(item)}{shown} {_cite(item)}."


def _about(item: ContextItem, *, bodies: bool = True) -> str:
    """What an item is or does, with ``bodies`` as far as its statements tell; a type also with what it holds. Empty when nothing can be said."""
    members = _members(item) if item.kind in TYPES else []
    held = join_words([code(name) for name in members[:5]]) + (" and more" if len(members) > 5 else "")
    words = _clause(item) if bodies else statement(item)
    return "; it ".join(part for part in (words, f"holds {held}" if members else "") if part)


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
    said = first_sentence(plain(html.unescape(" ".join(_first_paragraph(item)))))
    said = said if len(said.split()) >= FEWEST_WORDS else ""
    title = plain(item.symbol.rpartition(" › ")[2] or item.path.rpartition("/")[2]).strip("#` ")
    return f"{title}: “{said}” {_cite(item)}." if said else f"{title} {_cite(item)}."


def _comments(question: str, items: Sequence[ContextItem]) -> list[str]:
    return [_comment(found) for found in comments_on(question, [item for item in items if not is_prose(item)], MOST_COMMENTS)]


def _comment(comment: Comment) -> str:
    lines = f"line {comment.lines.start}" if comment.lines.start == comment.lines.end else f"lines {comment.lines.start} to {comment.lines.end}"
    return f"{code(comment.item.symbol or comment.item.path)}, {lines}: “{shorten(comment.text.rstrip('.'), 300)}” {_cite(comment.item)}."


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


def _cite_lines(item: ContextItem, lines: Sequence[int], flow: Flow) -> str:
    """The parts of an oversize symbol that hold the lines, all of them for a line that none shows; the item itself where it is whole."""
    if all(holds(item, line) for line in lines):
        return _cite(item)
    parts = [part for part in flow.items() if (part.repository, part.symbol_id) == (item.repository, item.symbol_id)]
    found = [part for line in lines for part in ([part for part in parts if holds(part, line)] or parts)]
    return " ".join(dict.fromkeys(map(_cite, found or [item])))


def _cite(item: ContextItem) -> str:
    return f"[{item.id}]"
