"""An explanation without a language model: what the code does in the order in which it happens, put together from the evidence.

A lead that says what stands in the middle, where it starts and where it ends; numbered steps along the calls; then other places that match the
words, who uses it, the types that take part, and what documents say. Every sentence ends with its citation. Deterministic: a pure function of
question, context and symbols.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from exegesis.model import ContextItem, Place, SymbolKind
from services.query.flow import POSSIBLE, Flow, Standing, Step, Verb, standing
from services.query.intent import names_in
from services.query.programs import programs_among
from services.query.telling.beside import read_comparison, set_beside
from services.query.telling.comments import comments_on
from services.query.telling.contrasts import FEWEST_LEFT, done_otherwise
from services.query.telling.names import base_name, owner_of
from services.query.telling.phases import Phase, phase_of
from services.query.telling.prose import best_documents, is_prose
from services.query.telling.sentences import about, callee_of, cite, clause_of, placed, tell_comment, tell_document, tell_steps, tell_thing
from services.query.telling.things import TYPES, settings_last, taking_part
from services.query.telling.threads import Story, Thread, choose_steps, preorder, read_story, with_parts_joined
from services.query.telling.trivial import body_of
from services.query.telling.usage import Usage, is_answered, read_usage
from services.query.telling.used_from import definition_of, used_from, what_it_does
from services.query.telling.wording import code, first_sentence, join_words

MOST_STEPS: Final = 12
"""Steps that are told one by one; of longer stories the ends that matter least are left out. The outline has more of them."""

MOST_STEPS_BESIDE_PROSE: Final = 6
"""Where comments and documents answer, the code is the footnote."""

MOST_ASIDE: Final = 1
"""Threads of other subjects that get a sentence of their own; the next ones get a word."""

MOST_ALSO: Final = 4
STRONG: Final = 0.45
"""Weight from which a match is named although no story tells it."""

FIRST_STEPS: Final = 4
"""Steps near the beginning: one of them is the centre, and their other callers are named, because they are the ways into the story."""

MOST_USERS: Final = 4
MOST_THINGS: Final = 4
MOST_THINGS_OF_USED: Final = 2
MOST_COMMENTS: Final = 4
FAINT: Final = 0.3
"""Share of the best score below which a type or a document only filled the budget and is not worth a sentence."""

DOCUMENTED: Final = 0.1
"""What a doc comment is worth where a centre is chosen: it can be said what it does."""

WIDE: Final = 0.5
"""Share of the steps from which their type says better than any of them what the story is about."""

_CALLABLES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_callable)


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
    course: frozenset[str] = frozenset()
    """Items that have a common beginning and end; empty for all."""


def story_of(flow: Flow, items: Sequence[ContextItem], question: str = "") -> Story:
    """What the explanation, the outline and the diagram of some evidence tell: read once for all of them."""
    code_items = [item for item in items if not is_prose(item)]
    named = programs_among(code_items, names_in(question))
    otherwise = done_otherwise(question, flow, code_items)
    left = [item for item in code_items if item.id not in otherwise]
    if len(left) < FEWEST_LEFT or len(left) == len(code_items):
        return read_story(flow, code_items, named)
    story = read_story(flow, left, named - otherwise)
    return replace(story, weights=dict.fromkeys(otherwise, 0.0) | dict(story.weights))


def explain_from_evidence(question: str, flow: Flow, items: Sequence[ContextItem], form: Form = Form.FLOW, story: Story | None = None) -> str:
    """The explanation as Markdown; empty without evidence. ``story`` is that of the same evidence, if it has been read already."""
    if not items:
        return ""
    flow = with_parts_joined(flow)
    if form is Form.USAGE:
        usage = usage_of(question, flow, items)
        if usage is not None:
            return _explain_use(usage, flow, items)
    if comparison := read_comparison(question, items):
        return set_beside(comparison, flow, items)
    story = story or story_of(flow, items, question)
    roles = _share_out(flow, items, story, MOST_STEPS_BESIDE_PROSE if form is Form.PROSE else MOST_STEPS, names_in(question))
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    lead = " ".join(_lead(roles))
    steps = tell_steps(roles.steps, flow, question)
    things = _section("Types and configuration", [tell_thing(item) for item in roles.things])
    documents = [tell_document(item) for item in roles.prose]
    if form is Form.PROSE:
        told: tuple[str, ...] = (_section("From comments", _comments(question, items)), _section("From documents", documents), lead, steps, things)
    else:
        aside = " ".join(map(_aside, roles.aside))
        also = _section("Also matched", [tell_thing(item) for item in roles.also])
        users = [_user(item, numbers.keys(), flow) for item in roles.users]
        told = (lead, steps, aside, also, _section("Also reached from", users), things, _section("See also", documents))
    return "\n\n".join(section for section in told if section) + "\n"


def documents_among(items: Sequence[ContextItem]) -> str:
    """The section of documents that bear on a question, as Markdown; empty without any."""
    return _section("From documents", [tell_document(item) for item in best_documents(items)])


def usage_of(question: str, flow: Flow, items: Sequence[ContextItem]) -> Usage | None:
    """The parts of the answer to a question of use; None where the evidence does not have them."""
    usage = read_usage(flow, [item for item in items if not is_prose(item)])
    return usage if is_answered(question, usage) else None


def _share_out(flow: Flow, items: Sequence[ContextItem], story: Story, most: int, names: Collection[str]) -> Roles:
    code_items = [item for item in items if not is_prose(item)]
    steps = list(preorder(choose_steps(story, most)))
    told = {step.item.id for step in steps}
    if not steps:  # nothing that calls or is called: the best matches are told all the same
        alone = [item for item in code_items if item.place is Place.ANCHOR and item.kind in _CALLABLES and standing(item) is not Standing.TEST]
        steps = [Step(item, None, 0) for item in sorted(alone, key=lambda item: -story.weights[item.id])[:most]]
        told = {step.item.id for step in steps}
    subject = any(standing(step.item) is Standing.SUBJECT for step in steps)
    first = [step.item for step in steps if step.item.id in story.named] or [step.item for step in steps[:FIRST_STEPS]]
    ways = {call.source.id: call.source for item in first for call in flow.calls_to(item) if call.edge.kind not in POSSIBLE}
    users = (
        [item for item in ways.values() if item.id not in told and item.kind not in TYPES and standing(item) is not Standing.TEST] if subject else []
    )
    users.sort(key=lambda item: (standing(item), -story.weights.get(item.id, 0.0)))
    aside = tuple(thread for thread in story.aside if standing(thread.start.item) is Standing.SUBJECT or not subject)[:MOST_ASIDE]
    known = {*told, *(item.id for item in users[:MOST_USERS]), *(step.item.id for thread in aside for step in thread.steps)}
    also = other_matches(code_items, known, story)[:MOST_ALSO]
    centre = _centre(items, steps, story, names)
    things, prose = _around(items, {*known, centre.id, *(item.id for item in also)}, steps, flow)
    return Roles(centre, tuple(steps), tuple(users[:MOST_USERS]), aside, tuple(also), things, prose, course=_course(story))


def other_matches(items: Sequence[ContextItem], known: Collection[str], story: Story) -> list[ContextItem]:
    """What the question finds and no story tells, best first: whoever asked may have meant it."""
    left = [item for item in items if item.id not in known and item.kind in _CALLABLES and item.id not in story.idle]
    left = [item for item in left if item.place is Place.ANCHOR and story.weights[item.id] >= STRONG and standing(item) is Standing.SUBJECT]
    told = {base_name(item.symbol) for item in items if item.id in known}
    best = sorted(left, key=lambda item: -story.weights[item.id])
    return [item for item in {base_name(item.symbol): item for item in reversed(best)}.values() if base_name(item.symbol) not in told][::-1]


def _explain_use(usage: Usage, flow: Flow, items: Sequence[ContextItem]) -> str:
    """The definition, from where it is used, and the little that it does itself."""
    steps = what_it_does(usage, flow)
    known = {*(item.id for item in usage.definition), *(use.item.id for use in usage.used_from), *(step.item.id for step in steps)}
    things, prose = _around(items, known, steps, flow)
    sections = (
        " ".join(definition_of(usage)),
        used_from(usage, flow),
        steps and f"**What it does**\n\n{tell_steps(steps, flow)}",
        _section("Types and configuration", [tell_thing(item) for item in things[:MOST_THINGS_OF_USED]]),
        _section("See also", [tell_document(item) for item in prose]),
    )
    return "\n\n".join(section for section in sections if section) + "\n"


def _around(
    items: Sequence[ContextItem], known: Collection[str], steps: Sequence[Step], flow: Flow
) -> tuple[tuple[ContextItem, ...], tuple[ContextItem, ...]]:
    """Types and values that take part, and documents that bear on the question."""
    best = max((item.score for item in items), default=0.0)
    left = [item for item in items if item.id not in known and item.score >= FAINT * best and standing(item) is Standing.SUBJECT]
    told = [step.item for step in steps]
    things = [item for item in taking_part([item for item in left if not is_prose(item)], told, flow) if about(item) and _is_thing(item)]
    return tuple(settings_last(things[:MOST_THINGS], told, flow)), tuple(best_documents(left))


def _is_thing(item: ContextItem) -> bool:
    """A type, a stored value, or a computed one that somebody found worth a comment: other accessors only hand on."""
    return item.kind in TYPES or bool(item.doc) or not body_of(item)


# ----------------------------------------------------------------------------------------------------------------- lead


def _lead(roles: Roles) -> Iterator[str]:
    centre = roles.centre
    said = about(centre, bodies=not roles.steps)
    if said or not roles.steps:
        words = said or f"is in {code(centre.path.rpartition('/')[2])}"
        yield f"{code(centre.symbol or centre.path)} {words} {cite(centre)}."
    numbers = {step.item.id: number for number, step in enumerate(roles.steps, start=1)}
    steps = [step for step in roles.steps if phase_of(step.item) is not Phase.SETTINGS and step.item.id in (roles.course or {step.item.id})]
    if len(steps) < 2:
        return
    events = [step.item for step in steps]
    start = events[0]
    joined = _joined(steps)
    later = [item for item in events if item.id in joined and item.id != start.id]
    if not later:
        return
    surely = _surely_reached(steps)
    end = next((item for item in reversed(later) if item.id in surely), later[-1])
    subject = "It" if said else "The story"
    at = f" (step {numbers[start.id]})" if numbers[start.id] > 1 else ""
    if start.id == centre.id:
        who = "It" if said else f"{code(start.symbol or start.path)} {cite(start)}"
        leads = f"is told in step {numbers[start.id]}; from there the calls lead to" if at else "leads to"
        yield f"{who} {leads} {code(end.symbol or end.path)} {cite(end)}."
        return
    through = f", goes through {code(centre.symbol or centre.path)} {cite(centre)}" if centre in events[1:-1] and centre.id != end.id else ""
    yield f"{subject} starts in {code(start.symbol or start.path)}{at} {cite(start)}{through} and ends in {code(end.symbol or end.path)} {cite(end)}."


def _course(story: Story) -> frozenset[str]:
    """The items from whose first to whose last things happen: all threads where some start what others hear of afterwards, else the heaviest.

    Threads that only stand beside each other have no common beginning and end.
    """
    phases = {phase_of(thread.start.item) for thread in story.threads}
    threads = story.threads if {Phase.START, Phase.CALLBACK} <= phases else filter(None, [story.main])
    return frozenset(step.item.id for thread in threads for step in thread.steps)


def _joined(steps: Sequence[Step]) -> set[str]:
    """Steps that follow from the first: by calls, or as what hears of it afterwards, and by calls from there. Others only stand beside it."""
    joined = {steps[0].item.id} | {step.item.id for step in steps if phase_of(step.item) is Phase.CALLBACK}
    for step in steps:
        if step.by is not None and step.by.source.id in joined:
            joined.add(step.item.id)
    return joined


def _surely_reached(steps: Sequence[Step]) -> set[str]:
    """Steps to which no call leads that happens for some values only, and no reference: a story does not end in what may run."""
    reached: set[str] = set()
    doubtful: set[str] = set()
    for step in steps:
        if step.by is not None and (step.by.edge.kind in POSSIBLE or not step.by.runs or step.by.source.id in doubtful):
            doubtful.add(step.item.id)
        else:
            reached.add(step.item.id)
    return reached


def _centre(items: Sequence[ContextItem], steps: Sequence[Step], story: Story, names: Collection[str]) -> ContextItem:
    """The step or the type that the question calls by its name, which ``names`` has in small letters; else the centre of the heaviest thread, or the
    type that most of its steps belong to, where its comment says what it is.
    """
    main = story.main
    called = [step.item for step in steps if base_name(step.item.symbol).lower() in names]
    called = called or [item for item in items if item.kind in TYPES and item.symbol.lower() in names]
    if called:
        return max(called, key=lambda item: (standing(item) is Standing.SUBJECT, story.weights.get(item.id, 0.0)))
    if main is not None and main.centre.id in story.named:
        return main.centre
    own = {step.item.id for step in main.steps} if main is not None else set()
    told = [step.item for step in steps if step.item.id in own]
    if main is None or not told:  # also where nothing of the thread is told, as of one that is left aside
        known = [item for item in items if not is_prose(item) and standing(item) is Standing.SUBJECT]
        return max(known, key=lambda item: (item.place is Place.ANCHOR, item.score), default=items[0])
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
    words = clause_of(start)
    leads = [step.item for step in thread.steps[1:] if step.by is None or step.by.runs][:2]
    on = f"; it leads to {join_words([f'{code(item.symbol or item.path)} {cite(item)}' for item in leads])}" if leads else ""
    return f"Another place that matches the words: {code(start.symbol or start.path)}{' ' + words if words else ''} {cite(start)}{on}."


# ---------------------------------------------------------------------------------------------------------------- lists


def _section(title: str, lines: Sequence[str]) -> str:
    return f"**{title}**\n\n" + "\n".join(f"- {line}" for line in lines) if lines else ""


def _user(item: ContextItem, told: Collection[str], flow: Flow) -> str:
    """A caller with what it calls, reads or refers to of the steps."""
    calls = {call.target.id: call for call in sorted(flow.calls_from(item), key=lambda call: (call.runs, -call.line)) if call.target.id in told}
    uses = sorted(calls.values(), key=lambda call: call.line)[:3]
    groups = [(verb, [f"{code(callee_of(call))} (line {call.line})" for call in uses if call.verb is verb]) for verb in Verb]
    said = join_words([f"{verb} {join_words(named)}" for verb, named in groups if named]) or clause_of(item)
    return f"{placed(item)} {said} {cite(item)}."


def _comments(question: str, items: Sequence[ContextItem]) -> list[str]:
    return [tell_comment(found) for found in comments_on(question, [item for item in items if not is_prose(item)], MOST_COMMENTS)]
