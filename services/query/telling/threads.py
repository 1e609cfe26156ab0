"""Which events answer the question: threads of calls, weighed by the evidence on them. Pure.

A thread is a start and what follows from it, in the order of the call sites. The heaviest one is what the question is about; others that belong to
the same subject (they meet it, share a type with it, or speak of its types) are told with it, in the order in which such things happen; what has
nothing to do with it stands aside. So a piece of code that shares the question's words and nothing else never begins an answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from exegesis.model import ChunkKind, ContextItem, EdgeKind, Place, SymbolKind
from services.query.flow import POSSIBLE, Call, Flow, Standing, Step, events_of, standing
from services.query.telling.names import owner_of
from services.query.telling.phases import Phase, is_hook, phase_of
from services.query.telling.trivial import forwards, is_trivial
from services.query.telling.wording import deprecation

FADE: Final = 0.8
"""What a step counts for the start of its thread, per call between them: a start is near to what it starts."""

FULL: Final = 12
"""Steps from which a thread counts as long. One that leads somewhere explains more than one that ends at once: mass grows with the logarithm of
the number of steps up to here, which is what an answer tells."""

CANDIDATES: Final = 48
"""Of the heaviest items; one of them is the centre of a thread, or nothing is."""

WIDEST: Final = 200
"""Items that are looked at for the mass of one start, so that a context of any size costs little."""

REACH: Final = 7
"""Calls within which something still counts for the start of its thread."""

DEEPEST: Final = 120
"""Calls that a thread is followed; more than are ever told, and few enough for recursion."""

CLIMB: Final = 4
"""Callers above the best start that are told before it, so that a reader sees how it is reached."""

MANY_WAYS: Final = 3
"""Callers, in the whole repository, from which on a step is a beginning of its own: each caller is one way in, and is named as that."""

LIKELY: Final = 0.5
"""Confidence of a call below which its caller is no beginning."""

WORTH_CLIMBING: Final = 0.2
"""Weight from which a caller is told when it is one of several; the only caller is told anyway."""

MOST_ALIKE: Final = 2
"""Implementations of one requirement that are told; the others are named."""

JOINS: Final = 0.25
"""Share of the heaviest thread's mass from which a thread of the same subject is told with it."""

ASIDE: Final = 0.4
"""Share from which a thread of another subject gets a paragraph of its own."""

MOST_THREADS: Final = 6
"""Of one subject; more is no story."""

INHERITED: Final = 0.75
"""Share of its caller's worth that a step has at least: what answers is often code whose words say nothing about the question."""

INHERITED_END: Final = 0.5
"""The same for a step that leads nowhere: most such are small services."""

IDLE: Final = 0.5
"""Weight from which an idle step is told all the same: the question leads to it."""

KERNELS: Final = 3
"""Threads that keep their start and one more step, however many steps the others have."""

LATER: Final = 0.85
"""What the steps of one more thread are worth beside those of the thread before."""

REPEATED: Final = 0.5
"""What each further symbol of the same name counts beside the one before."""

PLACES: Final[Mapping[Place, float]] = {Place.ANCHOR: 1.0, Place.CALLER: 0.7, Place.CALLEE: 0.7}
"""What the score of an item counts, by why it is in the context; 0.5 for what only shares a file with a match."""

_TYPES: Final = frozenset(kind.value for kind in SymbolKind if kind.is_type) | {ChunkKind.DESCRIPTION.value}

DAMPING: Final[tuple[tuple[str, float, Callable[[ContextItem], bool]], ...]] = (
    # name, factor, predicate; a factor above 0 keeps what is all there is
    ("test", 0.05, lambda item: standing(item) is Standing.TEST),
    ("demonstration", 0.3, lambda item: standing(item) is Standing.DEMONSTRATION),
    ("deprecated", 0.6, lambda item: bool(deprecation(item))),
    ("type", 0.3, lambda item: item.kind in _TYPES),
    ("trivial", 0.3, is_trivial),
)
"""What makes an item count less than its score: it matches words without doing what is asked about."""

_MAKERS: Final = frozenset({"initializer", "deinitializer", "subscript"})
_NAME: Final = re.compile(r"[A-Za-z_]\w+")


@dataclass(frozen=True, slots=True)
class Thread:
    """A start with what follows from it. Steps nest as calls do."""

    start: Step
    centre: ContextItem
    """From where most of it follows; the start lies above it where callers show how it is reached."""
    mass: float

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(preorder([self.start]))


@dataclass(frozen=True, slots=True)
class Story:
    """What is told, and in which order."""

    threads: tuple[Thread, ...]
    """Of the subject of the question, in the order in which they happen."""
    aside: tuple[Thread, ...]
    """Of other subjects that match the words, heaviest first."""
    weights: Mapping[str, float]
    """How much each item has to do with the question, in [0, 1]."""
    idle: frozenset[str]
    """Items that take part without adding anything: accessors, initialisers that only store, forwards."""
    named: frozenset[str] = frozenset()
    """Items that the question names as what it is about."""

    @property
    def main(self) -> Thread | None:
        """The heaviest."""
        return max(self.threads, key=lambda thread: thread.mass, default=None)


def read_story(flow: Flow, items: Sequence[ContextItem], named: frozenset[str] = frozenset()) -> Story:
    """The threads among the items. Every item is told at most once. ``named`` are items that the question is about, whatever else matches its words:
    they begin the threads, and only what follows from them is told.
    """
    flow = with_parts_joined(flow)
    loom = _Loom(flow, items, named)
    if begun := [item for item in items if item.id in named and loom.takes_part(item)]:
        told_of: set[str] = set()
        about = [Thread(loom.tell(item, told_of), item, loom.mass(item, told_of - {item.id})) for item in begun if item.id not in told_of]
        return Story(tuple(about), (), loom.weights, loom.idle - named, named)
    left = {item.id for item in items if item.kind not in _TYPES and loom.takes_part(item)}
    threads: list[Thread] = []
    aside: list[Thread] = []
    told: set[str] = set()
    while left and len(threads) < MOST_THREADS and len(aside) < MOST_THREADS:
        likely = sorted((item for item in items if item.id in left), key=lambda item: (-loom.weights[item.id], item.id))[:CANDIDATES]
        best = max(likely, key=lambda item: (loom.mass(item, told), -item.start, item.id))
        start = loom.climb(best, told)
        mass = loom.mass(best, told)
        heaviest = threads[0].mass if threads else mass
        if mass <= 0 or mass < JOINS * heaviest:
            break
        thread = Thread(loom.tell(start, told), best, mass)
        left -= told | {start.id}
        if threads and len(thread.steps) == 1 and (start.kind in _MAKERS or start.id in loom.idle):
            continue  # something is made, and nothing follows
        if not threads or loom.belongs(thread, threads):
            threads.append(thread)
        elif mass >= ASIDE * heaviest:
            aside.append(thread)
    return Story(tuple(_in_order(threads, flow)), tuple(aside), loom.weights, loom.idle)


def with_parts_joined(flow: Flow) -> Flow:
    """The same calls as if every symbol stood in one item: those of an oversize symbol's parts count for its first part."""
    first: dict[tuple[str, int], ContextItem] = {}
    for item in sorted(flow.items(), key=lambda item: item.start):
        if item.symbol_id is not None:
            first.setdefault((item.repository, item.symbol_id), item)

    def whole(item: ContextItem) -> ContextItem:
        return item if item.symbol_id is None else first[item.repository, item.symbol_id]

    joined = [
        call
        if (whole(call.source), whole(call.target)) == (call.source, call.target)
        else replace(call, source=whole(call.source), target=whole(call.target))
        for call in flow.calls
    ]
    order: dict[str, int] = {}
    for call in joined:
        order.setdefault(call.source.id, len(order))
    joined.sort(key=lambda call: (order[call.source.id], call.line, call.column))
    return replace(flow, calls=tuple(call for call in joined if call.source.id != call.target.id))


class _Loom:
    """The calls among some items, with the weights of these."""

    def __init__(self, flow: Flow, items: Sequence[ContextItem], named: frozenset[str]) -> None:
        self.weights = weigh(items) | dict.fromkeys(named & {item.id for item in items}, 1.0)
        self._words: dict[str, frozenset[str]] = {}
        self._ways = flow.ways
        self._calls: dict[str, list[Call]] = {}
        self._callers: dict[str, dict[str, Call]] = {}
        for call in events_of(flow.calls):
            shows = standing(call.source) > standing(call.target) and call.source.id not in named
            if shows or not {call.source.id, call.target.id} <= self.weights.keys():
                continue  # examples and tests do not begin the story of what they call, and prose takes part in none
            self._calls.setdefault(call.source.id, []).append(call)
            self._callers.setdefault(call.target.id, {}).setdefault(call.source.id, call)
        self.idle = frozenset(item.id for item in items if is_trivial(item) or (forwards(item) and not item.doc and item.id in self._calls))

    def takes_part(self, item: ContextItem) -> bool:
        return item.id in self._calls or item.id in self._callers

    def following(self, item: ContextItem, by: Call | None) -> Iterator[Call]:
        """What an item does when it is reached by a call; of the implementations of one requirement only those that matter most."""
        possible: dict[int, list[Call]] = {}
        for call in self._calls.get(item.id, ()):
            if call.edge.kind not in POSSIBLE:
                yield call
            elif by is None or call.caller == by.callee:
                possible.setdefault(call.caller, []).append(call)
        for alike in possible.values():
            yield from sorted(alike, key=lambda call: (-self.weights[call.target.id], call.target.id))[:MOST_ALIKE]

    def mass(self, start: ContextItem, told: set[str]) -> float:
        """The weights of all that follows and was not told yet, faded by distance and doubt."""
        seen = {start.id}
        total = 0.0 if start.id in told else self.weights[start.id]
        steps = 1
        level: list[tuple[ContextItem, Call | None, float]] = [(start, None, 1.0)]
        for _ in range(REACH):
            if len(seen) > WIDEST:
                break
            below: list[tuple[ContextItem, Call | None, float]] = []
            for item, by, factor in level:
                for call in self.following(item, by):
                    if call.leads and call.target.id not in seen:
                        seen.add(call.target.id)
                        # A type on the way is no step of its own: what runs for it is called by whoever calls it.
                        passed = factor * call.edge.confidence * (1.0 if call.target.kind in _TYPES else FADE / self._shared(call))
                        counts = call.target.id not in told and call.target.id not in self.idle and call.target.kind not in _TYPES
                        total += passed * self.weights[call.target.id] if counts else 0.0
                        steps += counts
                        below.append((call.target, call, passed))
            level = below
        return round(total * math.log2(1 + min(steps, FULL)) / math.log2(1 + FULL), 6)

    def _shared(self, call: Call) -> float:
        """Among how many callers what is called is shared: of what many ways lead to none of them is the beginning."""
        ways = max(self._ways.get(call.callee, 0), len(self._callers.get(call.target.id, ())))
        return ways if ways >= MANY_WAYS else 1.0

    def climb(self, start: ContextItem, told: set[str]) -> ContextItem:
        """The caller from which a reader understands how the start is reached: the only one, or one that the question leads to."""
        seen = self._reached_from(start)  # a caller that the thread itself leads to is no beginning
        for _ in range(CLIMB):
            above = [call for call in self._running_callers(start) if call.source.id not in seen | told and standing(call.source) <= standing(start)]
            if not above:
                break
            best = max(above, key=lambda call: (is_hook(call.source), self.weights[call.source.id] * call.edge.confidence, call.source.id))
            only = len(above) == 1 and self._shared(best) < MANY_WAYS
            worth = is_hook(best.source) or (self.weights[best.source.id] >= WORTH_CLIMBING and self._shared(best) < MANY_WAYS)
            if not (only or worth) or best.edge.confidence < LIKELY:
                break
            start = best.source
            seen.add(start.id)
        return start

    def _reached_from(self, start: ContextItem) -> set[str]:
        found = {start.id}
        level: list[tuple[ContextItem, Call | None]] = [(start, None)]
        while level:
            level = [(call.target, call) for item, by in level for call in self.following(item, by) if call.target.id not in found]
            found |= {item.id for item, _ in level}
        return found

    def _running_callers(self, item: ContextItem) -> list[Call]:
        """Calls from what runs; through a type, those of the requirement that the item implements."""
        found: dict[str, Call] = {}
        for call in self._callers.get(item.id, {}).values():
            if call.source.kind not in _TYPES and call.leads:
                found.setdefault(call.source.id, call)
            elif call.edge.kind in POSSIBLE:
                for above in self._callers.get(call.source.id, {}).values():
                    if above.callee == call.caller and above.source.kind not in _TYPES:
                        found.setdefault(above.source.id, above)
        return list(found.values())

    def tell(self, start: ContextItem, told: set[str]) -> Step:
        told.add(start.id)
        return Step(start, None, 0, tuple(self._below(start, None, 1, told)))

    def _below(self, item: ContextItem, by: Call | None, depth: int, told: set[str]) -> Iterator[Step]:
        if depth > DEEPEST:
            return
        for call in self.following(item, by):
            target = call.target
            if target.kind in _TYPES:
                yield from self._below(target, call, depth, told)  # what may run for a requirement follows from whoever calls it
            elif target.id not in told:
                told.add(target.id)
                yield Step(target, call, depth, tuple(self._below(target, call, depth + 1, told)))

    def belongs(self, thread: Thread, others: Sequence[Thread]) -> bool:
        """Whether it is of the same subject: it meets them in a step, shares a type with them, or one speaks of the other's types."""
        own = [step.item for step in thread.steps]
        theirs = [step.item for other in others for step in other.steps]
        ids, owners = {item.id for item in theirs}, {owner_of(item.symbol) for item in theirs if owner_of(item.symbol)}
        if any(call.target.id in ids for item in own for call in self._calls.get(item.id, ())):
            return True
        if owner_of(thread.start.item.symbol) in owners:
            return True
        mine = owner_of(thread.start.item.symbol).rpartition(".")[2]
        heaviest = owner_of(others[0].start.item.symbol).rpartition(".")[2]
        return self._speak_of(theirs, mine) or self._speak_of(own, heaviest)

    def _speak_of(self, items: Iterable[ContextItem], name: str) -> bool:
        for item in items if name else ():
            if item.id not in self._words:
                self._words[item.id] = frozenset(_NAME.findall(item.text))
            if name in self._words[item.id]:
                return True
        return False


def weigh(items: Iterable[ContextItem]) -> dict[str, float]:
    """How much each item has to do with the question: its share of the best score, damped."""
    raw: dict[str, float] = {}
    named: dict[str, dict[int, int]] = {}
    for item in sorted(items, key=lambda item: (-item.score, item.id)):
        weight = max(item.score, 0.0) * PLACES.get(item.place, 0.5)
        for _, factor, applies in DAMPING:
            if applies(item):
                weight *= factor
        same = named.setdefault(item.symbol.partition("(")[0], {})
        weight *= REPEATED ** same.setdefault(item.symbol_id or item.chunk, len(same))  # overloads say the same thing again
        raw[item.id] = weight
    best = max(raw.values(), default=0.0) or 1.0
    return {identifier: weight / best for identifier, weight in raw.items()}


def choose_steps(story: Story, most: int) -> tuple[Step, ...]:
    """The trees of the subject without what is idle and without those ends that matter least: at most so many steps, which still hang together.

    The heaviest threads keep their start and the best of what follows, so that a story with several beginnings is not told from its middle.
    """
    starts = [thread.start for thread in story.threads]
    worth = _worth(story)
    trees = _only(starts, {step.item.id for step in preorder(starts) if step.item.id not in story.idle or story.weights[step.item.id] >= IDLE})
    above: dict[str, str] = {}
    for step in preorder(trees):
        above |= {below.item.id: step.item.id for below in step.steps}
    kept = dict.fromkeys(step.item.id for step in preorder(trees))
    ends = {identifier: sum(parent == identifier for parent in above.values()) for identifier in kept}
    kernel = _kernel(story, worth)
    while len(kept) > most:
        free = [identifier for identifier in kept if not ends[identifier]]
        weakest = min(reversed(free), key=lambda identifier: (identifier in kernel, worth[identifier]))
        del kept[weakest]
        if weakest in above:
            ends[above[weakest]] -= 1
    return tuple(_only(starts, set(kept)))


def _kernel(story: Story, worth: Mapping[str, float]) -> set[str]:
    """The start and the best further step of each of the heaviest threads."""
    heaviest = sorted(story.threads, key=lambda thread: -thread.mass)[:KERNELS]
    best = [sorted(thread.steps[1:], key=lambda step: -worth[step.item.id])[:1] for thread in heaviest]
    return {thread.start.item.id for thread in heaviest} | {step.item.id for steps in best for step in steps}


def _worth(story: Story) -> dict[str, float]:
    """How much each step matters: by its own weight, or by that of the step it follows from."""
    worth: dict[str, float] = {}

    for number, thread in enumerate(sorted(story.threads, key=lambda thread: -thread.mass)):
        _weigh(thread.start, 0.0, LATER**number, story, worth)
    return worth


def _weigh(step: Step, above: float, later: float, story: Story, worth: dict[str, float]) -> None:
    doubt = step.by.edge.confidence if step.by is not None else 1.0
    share = 0.0 if step.item.id in story.idle else INHERITED if step.steps else INHERITED_END
    worth[step.item.id] = max(story.weights[step.item.id] * later, share * above * doubt)
    for below in step.steps:
        _weigh(below, worth[step.item.id], later, story, worth)


def preorder(steps: Iterable[Step]) -> Iterator[Step]:
    """Each step before those that follow from it."""
    for step in steps:
        yield step
        yield from preorder(step.steps)


def _only(steps: Iterable[Step], kept: set[str]) -> list[Step]:
    """The trees of some of the steps; what follows from a step that is left out takes its place."""
    found: list[Step] = []
    for step in steps:
        below = _only(step.steps, kept)
        found += [replace(step, steps=tuple(below))] if step.item.id in kept else below
    return found


def _in_order(threads: Sequence[Thread], flow: Flow) -> list[Thread]:
    """What starts something before what is told afterwards; what makes a value before what takes it, and an object before what the object does;
    then as files are written.
    """
    heaviest = {thread.start.item.path: number for number, thread in reversed(list(enumerate(threads)))}
    made = {thread.start.item.id: _made_by(thread, flow) for thread in threads}

    def key(thread: Thread) -> tuple[Phase, int, int]:
        start = thread.start.item
        return phase_of(start), heaviest[start.path], start.start

    def leads_to(one: Thread, other: Thread) -> bool:
        first, second = one.start.item, other.start.item
        if owner_of(second.symbol) in made[first.id] and owner_of(first.symbol) not in made[second.id]:
            return owner_of(first.symbol) != owner_of(second.symbol)
        return phase_of(first) is phase_of(second) and _feeds(one, other)

    ordered = sorted(threads, key=key)
    for index in range(1, len(ordered)):
        for before in range(index):
            if leads_to(ordered[index], ordered[before]):
                ordered.insert(before, ordered.pop(index))
                break
    return ordered


def _made_by(thread: Thread, flow: Flow) -> frozenset[str]:
    """The types of which a thread makes objects."""
    steps = {step.item.id for step in thread.steps}
    built = [call.target for call in flow.calls if call.source.id in steps and call.edge.kind is EdgeKind.CONSTRUCT]
    return frozenset(item.symbol if item.kind in _TYPES else owner_of(item.symbol) for item in built)


def _feeds(one: Thread, other: Thread) -> bool:
    """Whether the start of one gives what the start of the other takes."""
    result = one.start.item.signature.rpartition("->")[2].strip() if "->" in one.start.item.signature else ""
    taken = other.start.item.signature.partition("(")[2].rpartition("->")[0] or other.start.item.signature.partition("(")[2]
    name = result.strip("?! {").partition("<")[0]
    return len(name) > 3 and bool(re.search(rf":\s*(?:\w+\s+)*{re.escape(name)}\b", taken)) and name[:1].isupper() and name not in _COMMON


_COMMON: Final = frozenset({"String", "Bool", "Void", "Data", "Self", "Array", "Double", "Error", "Result", "Float"})
