"""The events of a context: who calls whom among its items, and in which order that happens.

A pure reading of ``Context.flow``. Everything that tells a story (extractive explanation, outline, diagram) tells this one, so they agree.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from exegesis.model import ChunkKind, Context, ContextItem, Edge, EdgeKind, Modifier, Place, Symbol, SymbolKind

EVENTS: Final = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS, EdgeKind.WITNESS, EdgeKind.OVERRIDE})
"""Edges along which something happens at run time; the others say what things are."""

POSSIBLE: Final = frozenset({EdgeKind.WITNESS, EdgeKind.OVERRIDE})
"""Events that happen for some values only: which implementation of a requirement runs is known at run time."""

CERTAIN: Final = 0.8
"""Confidence from which a call is told as a fact and not as a possibility."""

PUSHED_DOWN: Final = frozenset({"test"})
"""Score parts that say: taken in for completeness. A test calls everything, so it would be the start of every story."""

DEMONSTRATIONS: Final = re.compile(
    r"(?:^|/)(?:[^/]*[-_ .])?(?i:examples?|samples?|demos?|playgrounds?|tutorials?)(?:[-_ .][^/]*)?/|(?:^|/)\w*(?:Example|Sample|Demo|Playground)s?/"
    r"|(?:^|/)(?:EX\d+|EXAMPLE|DEMO)[A-Z0-9#$@_]*\.[^/]*$"
)
"""Folders of code that shows how other code is used, and source members that do, which have no folders. It comes after what it shows."""

NEAR: Final = frozenset({Place.ANCHOR, Place.CALLER, Place.CALLEE})
"""Places of items that the question leads to; the others share a file with them."""

AS_GOOD: Final = 0.75
"""Share of the best score from which evidence matters wherever it stands."""

FADING: Final = 0.7
"""What a step is worth to the start of its story, per call between them: a start is near to what it starts."""

FARTHEST: Final = 200
"""Calls that are followed from one start, and steps that count for its worth: few enough for recursion and for contexts of any size. What lies
beyond begins a story of its own."""

_DESCRIPTION: Final = ChunkKind.DESCRIPTION.value

DEEPEST: Final = 6
"""Levels of nesting that a reader can follow: a call through a protocol takes two."""


def is_description(item: ContextItem) -> bool:
    """Whether it stands for code that did not fit: its text is none of the lines of its file."""
    return item.kind == _DESCRIPTION


class Verb(enum.StrEnum):
    """What a source does with its target, as it is said."""

    CALLS = "calls"
    READS = "reads"
    """A property that is computed, which runs."""
    REFERS = "refers to"
    """A function as a value: handed on, kept or compared. It does not run there, and perhaps never."""

    def said(self, *, certain: bool) -> str:
        """``calls``, or ``may call``."""
        return self.value if certain else f"may {_INFINITIVE[self]}"


_INFINITIVE: Final = {Verb.CALLS: "call", Verb.READS: "read", Verb.REFERS: "refer to"}


@dataclass(frozen=True, slots=True)
class Call:
    """One event: in ``source``, at ``path:line``, ``target`` is called, read or referred to; or ``target`` may run for ``source``, as ``path:line``
    declares.
    """

    source: ContextItem
    target: ContextItem
    path: str
    line: int
    column: int
    name: str
    """What is called, as people write it."""
    certain: bool
    edge: Edge
    caller: int
    """Symbol that calls, and the one that is called: an item may show several."""
    callee: int
    declared: str = ""
    """For what runs in place of a declaration: the doc comment of that declaration."""
    verb: Verb = Verb.CALLS

    @property
    def runs(self) -> bool:
        """Whether the target runs there, as far as it is known; a function that is only referred to does not."""
        return self.verb is not Verb.REFERS

    @property
    def leads(self) -> bool:
        """Whether its target can make its source a beginning: what runs there, and functions written within it that it gives out."""
        return self.runs or self.target.symbol.startswith(f"{self.source.symbol.partition('(')[0]}.")


@dataclass(frozen=True, slots=True)
class Step:
    """An item in its place in the order of events, and how it is reached (None where a story starts)."""

    item: ContextItem
    by: Call | None
    depth: int
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    calls: tuple[Call, ...]
    """All events, in the order of items and call sites, with references to functions among them: these begin nothing."""
    starts: tuple[Step, ...]
    """Where something begins, each with what follows from it; every item that takes part in an event occurs exactly once."""
    apart: tuple[ContextItem, ...]
    """Items that take part in no event, in the order of the context."""
    reads: tuple[Call, ...] = ()
    """Where items read or set values that others store: no events, but they tell from what the events take what they need."""
    uses: tuple[Call, ...] = ()
    """Every edge between items, also those that say how things are built: from where something is used."""
    deprecated: frozenset[str] = frozenset()
    """Items whose symbol is deprecated."""
    ways: Mapping[int, int] = field(default_factory=dict)
    """How many callers a symbol has in the whole repository, of which the context may show few; missing where nobody counted."""

    _calls_from: dict[str, list[Call]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _calls_to: dict[str, list[Call]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for call in self.calls:
            self._calls_from.setdefault(call.source.id, []).append(call)
            self._calls_to.setdefault(call.target.id, []).append(call)

    def items(self) -> tuple[ContextItem, ...]:
        """All items: those that take part in events in their order, then the others."""
        return (*(step.item for step in self.in_order()), *self.apart)

    def calls_from(self, item: ContextItem) -> tuple[Call, ...]:
        return tuple(self._calls_from.get(item.id, ()))

    def calls_to(self, item: ContextItem) -> tuple[Call, ...]:
        return tuple(self._calls_to.get(item.id, ()))

    def main_starts(self) -> tuple[Step, ...]:
        """The stories that the question leads to: those with an item that was found by it or one call away, and others with evidence as good."""
        best = max((step.item.score for step in self.in_order()), default=0.0)

        def matters(step: Step) -> bool:
            return step.item.place in NEAR or step.item.score >= AS_GOOD * best

        return tuple(start for start in self.starts if any(map(matters, _preorder([start])))) or self.starts

    def in_order(self) -> tuple[Step, ...]:
        """All steps, each before those that follow from it."""
        return tuple(_preorder(self.starts))


def in_order_of_events(context: Context, symbols: Mapping[int, Symbol]) -> tuple[ContextItem, ...]:
    """The items as :func:`read_flow` orders them, and nothing more."""
    return _tell_events(context, _calls(context, symbols, _Places(context.items), _happens)).items()


def read_flow(context: Context, symbols: Mapping[int, Symbol], ways: Mapping[int, int] | None = None) -> Flow:
    """The events among the items. ``symbols`` are both ends of the edges of ``context.flow``; an edge with an unknown end is left out.
    ``ways`` counts the callers of a symbol in the whole repository.
    """
    places = _Places(context.items)
    calls = _calls(context, symbols, places, _happens)
    reads = _calls(context, symbols, places, _reads)
    uses = _calls(context, symbols, places, _uses)
    deprecated = {symbol.id for symbol in symbols.values() if symbol.modifiers & Modifier.DEPRECATED}
    old = frozenset(item.id for item in context.items if item.symbol_id in deprecated)
    return replace(_tell_events(context, calls), reads=reads, uses=uses, deprecated=old, ways=ways or {})


def _tell_events(context: Context, calls: tuple[Call, ...]) -> Flow:
    told_of = events_of(calls)
    taking_part = {call.source.id for call in told_of} | {call.target.id for call in told_of}
    members = [item for item in context.items if item.id in taking_part]
    stories = _stories(members, told_of)
    told = {step.item.id for step in _preorder(stories)}
    return Flow(calls, stories, tuple(item for item in context.items if item.id not in told))


def events_of(calls: Sequence[Call]) -> list[Call]:
    """What stories are made of: what runs, and from there what is handed on as a function and nothing else calls. Who only lists functions begins
    nothing.
    """
    running = [call for call in calls if call.leads]
    taking_part = {item.id for call in running for item in (call.source, call.target)}
    called = {call.target.id for call in running}
    return [call for call in calls if call.leads or (call.source.id in taking_part and call.target.id not in called)]


class _Places:
    """Finds the item that shows a symbol: its own, or the one whose lines hold it (closures, members of small types)."""

    def __init__(self, items: Sequence[ContextItem]) -> None:
        self._own: dict[int, list[ContextItem]] = {}
        self._by_path: dict[str, list[ContextItem]] = {}
        self._around: dict[tuple[str, int], ContextItem | None] = {}
        for item in items:
            if item.symbol_id is not None:
                self._own.setdefault(item.symbol_id, []).append(item)
            self._by_path.setdefault(item.path, []).append(item)

    def of(self, symbol: Symbol, line: int) -> ContextItem | None:
        """``line`` chooses among the parts of an oversize symbol."""
        own = self._own.get(symbol.id, [])
        if len(own) == 1:
            return own[0]
        if own:
            return next((item for item in own if holds(item, line)), own[0])
        place = (symbol.path, line)
        if place not in self._around:
            around = [item for item in self._by_path.get(symbol.path, []) if holds(item, line)]
            self._around[place] = min(around, key=lambda item: (item.end - item.start, item.id), default=None)
        return self._around[place]


def holds(item: ContextItem, line: int) -> bool:
    """Whether a line of its file is among the lines of the item; of a description none is, which only speaks of them."""
    return not is_description(item) and any(run.start <= line <= run.end for run in item.runs)


def _calls(context: Context, symbols: Mapping[int, Symbol], places: _Places, counts: Callable[[Edge, Symbol], bool]) -> tuple[Call, ...]:
    found: dict[tuple[str, str, int, int], Call] = {}
    for edge in context.flow:
        source, target = symbols.get(edge.source), symbols.get(edge.target)
        if source is None or target is None or not counts(edge, target):
            continue
        caller, callee = places.of(source, edge.line), places.of(target, target.line)
        if edge.kind is EdgeKind.OVERRIDE:  # who calls what is overridden may run what overrides it
            source, target, caller, callee = target, source, callee, caller
        if caller is None or callee is None or caller.id == callee.id:
            continue
        certain = edge.confidence >= CERTAIN and edge.kind not in POSSIBLE
        declared = source.doc if edge.kind in POSSIBLE else ""
        site = target.path if edge.kind is EdgeKind.OVERRIDE else source.path
        name, verb = target.qualified or target.name, _verb(edge, target)
        call = Call(caller, callee, site, edge.line, edge.column, name, certain, edge, source.id, target.id, declared, verb)
        key = (caller.id, callee.id, edge.line, edge.column)
        if key not in found or edge.confidence > found[key].edge.confidence:
            found[key] = call
    order = {item.id: position for position, item in enumerate(context.items)}
    return tuple(sorted(found.values(), key=lambda call: (order[call.source.id], call.line, call.column, order[call.target.id])))


def _happens(edge: Edge, target: Symbol) -> bool:
    """Reading a stored property is no event; running a computed one is, and a function as a value may become one."""
    if edge.kind is not EdgeKind.ACCESS:
        return edge.kind in EVENTS
    return target.kind.is_callable or bool(target.modifiers & Modifier.COMPUTED) or target.kind is SymbolKind.PROCEDURE


def _verb(edge: Edge, target: Symbol) -> Verb:
    if edge.kind is not EdgeKind.ACCESS:
        return Verb.CALLS
    return Verb.READS if target.modifiers & Modifier.COMPUTED or target.kind is SymbolKind.SUBSCRIPT else Verb.REFERS


def _reads(edge: Edge, target: Symbol) -> bool:
    return edge.kind is EdgeKind.ACCESS and not _happens(edge, target)


def _uses(edge: Edge, _: Symbol) -> bool:
    return edge.kind not in POSSIBLE


class Standing(enum.IntEnum):
    """How near an item is to the subject itself."""

    SUBJECT = 0
    DEMONSTRATION = 1
    TEST = 2


def standing(item: ContextItem) -> Standing:
    if any(part.name in PUSHED_DOWN for part in item.parts):
        return Standing.TEST
    return Standing.DEMONSTRATION if _shows_use(item.path) else Standing.SUBJECT


@functools.lru_cache(maxsize=4096)
def _shows_use(path: str) -> bool:
    """Asked for every call of every story about the same few files."""
    return bool(DEMONSTRATIONS.search(path))


def _stories(items: Sequence[ContextItem], calls: Sequence[Call]) -> tuple[Step, ...]:
    """Depth first from where things begin, callees in the order of their call sites, every item once.

    The subject is told before its demonstrations and tests, and as if these did not call it: otherwise each would begin with its example.
    """
    told: set[str] = set()
    stories: list[Step] = []
    after: dict[str, list[Call]] = {}
    near = {item.id: standing(item) for item in items}
    for level in Standing:
        for call in calls:
            if near[call.source.id] is level and near[call.target.id] <= level:
                after.setdefault(call.source.id, []).append(call)
        called = {call.target.id for some in after.values() for call in some}
        members = [item for item in items if near[item.id] is level and (item.id in called or item.id in after)]
        for start in _beginnings([item for item in members if item.id not in called], after):
            stories += _tell(start, None, 0, after, told)
        # What is left lies on cycles that nothing outside leads into: begin where most follows.
        worth = {item.id: _worth(item, after) for item in members if item.id not in told}
        while rest := [item for item in members if item.id not in told]:
            stories += _tell(max(rest, key=lambda item: (worth[item.id], -item.start)), None, 0, after, told)
    return tuple(stories)


def _beginnings(roots: Sequence[ContextItem], after: Mapping[str, Sequence[Call]]) -> list[ContextItem]:
    """Files in the order of the best that begins in them, and within a file the order of the text: life cycles are written in it."""
    best: dict[tuple[str, str], float] = {}
    for root in roots:
        place = (root.repository, root.path)
        best[place] = max(best.get(place, 0.0), _worth(root, after))
    return sorted(roots, key=lambda root: (-best[root.repository, root.path], root.repository, root.path, root.start))


def _worth(start: ContextItem, after: Mapping[str, Sequence[Call]]) -> float:
    """The scores of all that can be reached, faded by the number of calls to it."""
    counted, passed = {start.id}, {(start.id, 0)}
    level: list[tuple[ContextItem, Call | None]] = [(start, None)]
    factor, total = 1.0, max(start.score, 0.0)
    while level and len(counted) < FARTHEST:
        factor *= FADING
        following: list[tuple[ContextItem, Call | None]] = []
        for item, by in level:
            for call in _following(item, by, after):
                if not call.leads or (call.target.id, call.callee) in passed:
                    continue
                passed.add((call.target.id, call.callee))
                following.append((call.target, call))
                if call.target.id not in counted:
                    counted.add(call.target.id)
                    total += factor * max(call.target.score, 0.0)
        level = following
    return round(total, 6)


def _following(item: ContextItem, by: Call | None, after: Mapping[str, Sequence[Call]]) -> list[Call]:
    """What an item does when it is reached by a call. A protocol shows many requirements; what may run is what implements the one that was called."""
    return [call for call in after.get(item.id, ()) if call.edge.kind not in POSSIBLE or by is None or call.caller == by.callee]


def _tell(item: ContextItem, by: Call | None, depth: int, after: Mapping[str, Sequence[Call]], told: set[str], *, far: int = 0) -> list[Step]:
    """The step of an item with what follows; beyond the deepest level steps continue beside their parent.

    Of an item that was told before, only what may run for this call and was not told yet.
    """
    again = item.id in told
    told.add(item.id)
    below = depth if again else min(depth + 1, DEEPEST - 1)
    following: list[Step] = []
    for call in _following(item, by, after) if far < FARTHEST else ():
        if not again or (call.edge.kind in POSSIBLE and call.target.id not in told):
            following += _tell(call.target, call, below, after, told, far=far + 1)
    if again:
        return following
    if depth + 1 >= DEEPEST:
        return [Step(item, by, depth), *following]
    return [Step(item, by, depth, tuple(following))]


def _preorder(steps: Iterable[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from _preorder(step.steps)
