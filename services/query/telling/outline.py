"""The steps of an answer as a tree of places: S1, S1.1, ... in the order in which they happen.

From the flow where no model is set; otherwise from the model as JSON of ``outline.schema.json``, with one repair attempt, and then from the flow
after all. Whoever wrote it, every node's place is verified against the evidence.
"""

from __future__ import annotations

import functools
import json
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, Final

from exegesis.errors import ModelUnavailable
from exegesis.model import Context, ContextItem, OutlineNode, Place
from exegesis.ports import LanguageModel
from services.query.flow import Flow, Standing, Step, standing
from services.query.telling.extractive import other_matches, story_of
from services.query.telling.markup import make_safe
from services.query.telling.names import owner_of, title_from_name
from services.query.telling.prompt import outline_messages, repair_messages
from services.query.telling.prose import is_prose
from services.query.telling.quoting import without_marks
from services.query.telling.things import TYPES, Part, parts_of, settings_last, taking_part
from services.query.telling.threads import Story, choose_steps, preorder
from services.query.telling.wording import first_sentence, plain, shorten, statement

MOST_TOP_NODES: Final = 12
"""Steps on the first level; more is a list of files, not an outline."""

MOST_STEPS: Final = 16
"""Steps of an outline that is made from the calls."""

FEWEST_NODES: Final = 8
"""An outline with fewer steps also names what else the question finds."""

MOST_APART: Final = 3
"""Types that take part, after the events."""

LEVELS: Final = 3
"""Of an outline that is made from the calls: deeper steps stand beside the one they follow from."""

MOST_NODES: Final = 60
"""Of an outline that a model writes."""

DEEPEST: Final = 6
LONGEST_TITLE: Final = 90


@dataclass(frozen=True, slots=True)
class Outline:
    nodes: tuple[OutlineNode, ...]
    model: str = ""
    warnings: tuple[str, ...] = ()


def outline_from_flow(flow: Flow, story: Story | None = None) -> tuple[OutlineNode, ...]:
    """The threads of the subject in their order, then the types that take part.

    Demonstrations are steps only where there is nothing else; of what is too much, the ends that matter least are left out.
    ``story`` is that of the flow, if it has been read already.
    """
    items = [item for item in flow.items() if not is_prose(item)]
    story = story or story_of(flow, items)
    chosen = choose_steps(story, MOST_STEPS)
    told = [step.item for step in preorder(chosen)]
    known = {item.id for item in told}
    room = max(FEWEST_NODES - len(told), 0)
    others = [_place_node(item) for item in other_matches(items, known, story)[:room]] if told else []
    stories = [*(node for step in chosen for node in _nodes(step, 1)), *others]
    apart = [_place_node(item) for item in _things(items, told, story.weights, flow)]
    return number_nodes(_told_apart(_prune([*stories[: MOST_TOP_NODES - len(apart)], *apart])))


def _things(items: Sequence[ContextItem], told: Sequence[ContextItem], weights: Mapping[str, float], flow: Flow) -> list[ContextItem]:
    """The types that take part in the steps, settings last; where there are no steps, the best matches."""
    known = {item.id for item in told}
    left = [item for item in items if standing(item) is Standing.SUBJECT and item.id not in known]
    if told:
        parts = parts_of(left, told, flow)
        near = [item for item in left if item.place is Place.ANCHOR or parts.get(item.id) is Part.READ]
        types = [item for item in taking_part(near, told, flow) if item.kind in TYPES]
        return settings_last(types[:MOST_APART], told, flow)
    return sorted((item for item in left if item.place is Place.ANCHOR), key=lambda item: -weights[item.id])[:MOST_TOP_NODES]


def write_outline(
    question: str,
    context: Context,
    flow: Flow,
    model: LanguageModel | None,
    *,
    fence: str,
    max_tokens: int,
    cancelled: threading.Event | None = None,
) -> Outline:
    """Ask the model, if there is one; its trouble becomes a warning, never a missing outline."""
    if model is None:
        return Outline(outline_from_flow(flow, story_of(flow, context.items, question)))
    asked = outline_messages(question, context, outline_schema(), fence=fence, budget=context.budget)
    problem = ""
    try:
        written = model.complete_json(asked, outline_schema(), max_tokens=max_tokens)
        nodes, problem = read_outline(written, context)
        if problem and not (cancelled is not None and cancelled.is_set()):
            written = model.complete_json(repair_messages(asked, written, problem), outline_schema(), max_tokens=max_tokens)
            nodes, problem = read_outline(written, context)
    except ModelUnavailable as error:
        problem = error.message
        nodes = ()
    if nodes:
        return Outline(nodes, model.name)
    why = problem or "none of its places is in the evidence"
    nodes = outline_from_flow(flow, story_of(flow, context.items, question))
    return Outline(nodes, warnings=(f"The language model gave no usable outline ({why}); this one is taken from the calls.",))


@functools.cache
def outline_schema() -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(resources.files("services.query.telling").joinpath("outline.schema.json").read_text("utf-8"))
    return schema


def read_outline(written: str, context: Context) -> tuple[tuple[OutlineNode, ...], str]:
    """Verified nodes of what a model wrote, and what is wrong with it (empty for nothing). One of the two is empty, or both."""
    from jsonschema import Draft202012Validator

    try:
        value = json.loads(_braces(written))
    except (ValueError, RecursionError) as error:
        return (), f"not JSON ({str(error)[:200]})"
    try:
        flaw = next(iter(Draft202012Validator(outline_schema()).iter_errors(value)), None)
    except RecursionError:
        return (), "nested too deeply"
    if flaw is not None:
        return (), f"{flaw.json_path}: {flaw.message[:300]}"
    return number_nodes(_prune(_verified(value["nodes"], context))), ""


def number_nodes(nodes: Sequence[OutlineNode], prefix: str = "S") -> tuple[OutlineNode, ...]:
    """The same tree with ids that say where each node stands."""
    numbered = []
    for position, node in enumerate(nodes, start=1):
        identifier = f"{prefix}{position}"
        numbered.append(replace(node, id=identifier, children=number_nodes(node.children, f"{identifier}.")))
    return tuple(numbered)


# --------------------------------------------------------------------------------------------------------- from the flow


def _nodes(step: Step, level: int) -> Iterator[OutlineNode]:
    """The node of a step with those of its steps. Below a start, the only step that follows stands beside it, and on the deepest level all do."""
    node = _place_node(step.item, step.by.declared if step.by else "")
    if level < LEVELS and (level == 1 or len(step.steps) > 1):
        yield replace(node, children=tuple(below for child in step.steps for below in _nodes(child, level + 1)))
    else:
        yield node
        for child in step.steps:
            yield from _nodes(child, level)


def _place_node(item: ContextItem, declared: str = "") -> OutlineNode:
    said = first_sentence(item.doc) if item.kind in TYPES else statement(item, declared).removeprefix("is ") or title_from_name(item)
    words = plain(make_safe(said)).removeprefix("— ").replace("`", "")
    if item.kind in TYPES and words:
        words = f"{item.symbol.rpartition('.')[2]}: {words}"
    title = shorten(words[:1].upper() + words[1:], LONGEST_TITLE) if words else shorten(plain(make_safe(item.symbol)) or item.path, LONGEST_TITLE)
    summary = shorten(without_marks(" ".join(item.signature.split())), 160) if item.kind not in TYPES else ""
    return OutlineNode("", title, item.path, item.start, item.end, item.symbol, summary)


def _told_apart(nodes: Sequence[OutlineNode]) -> tuple[OutlineNode, ...]:
    """Titles that several nodes bear, with the type that each belongs to: wrappers and overloads are named alike."""
    count = Counter(node.title for node in _all(nodes))
    return tuple(_renamed(node, count) for node in nodes)


def _all(nodes: Iterable[OutlineNode]) -> Iterator[OutlineNode]:
    for node in nodes:
        yield node
        yield from _all(node.children)


def _renamed(node: OutlineNode, count: Mapping[str, int]) -> OutlineNode:
    owner = plain(make_safe(owner_of(node.symbol)))
    title = f"{node.title} ({owner})" if count[node.title] > 1 and owner else node.title
    return replace(node, title=shorten(title, LONGEST_TITLE), children=tuple(_renamed(child, count) for child in node.children))


# -------------------------------------------------------------------------------------------------------- from the model


def _braces(written: str) -> str:
    """The JSON object within what was written around it."""
    start, end = written.find("{"), written.rfind("}")
    return written[start : end + 1] if 0 <= start < end else written


def _verified(nodes: Iterable[Mapping[str, Any]], context: Context) -> Iterator[OutlineNode]:
    """Nodes whose place is in the evidence; the children of others take their place."""
    for node in nodes:
        children = tuple(_verified(node["children"], context))
        item = _item_at(node, context)
        if item is None:
            yield from children
            continue
        start, end = max(node["start"], item.start), min(node["end"], item.end)
        title, summary = (
            shorten(plain(make_safe(" ".join(str(node[name]).split()))), limit) for name, limit in (("title", LONGEST_TITLE), ("summary", 300))
        )
        yield OutlineNode("", title or item.symbol, item.path, start, end, item.symbol, summary, children)


def _item_at(node: Mapping[str, Any], context: Context) -> ContextItem | None:
    """The item whose lines the node names; where several overlap, the one that shows its symbol, else the first."""
    start, end = node["start"], node["end"]
    there = [
        item
        for item in context.items
        if item.path == node["path"] and start <= end and any(run.start <= end and start <= run.end for run in item.runs)
    ]
    return next((item for item in there if item.symbol == node["symbol"]), there[0] if there else None)


def _prune(nodes: Iterable[OutlineNode]) -> tuple[OutlineNode, ...]:
    """At most so many nodes and levels, filled in the order of events."""
    return _taken(tuple(nodes)[:MOST_TOP_NODES], 1, iter(range(MOST_NODES)))


def _taken(nodes: Iterable[OutlineNode], level: int, places: Iterator[int]) -> tuple[OutlineNode, ...]:
    """As many as there are places left, each with what is below it before the next."""
    taken = []
    for node in nodes:
        if level > DEEPEST or next(places, None) is None:
            break
        taken.append(replace(node, children=_taken(node.children, level + 1, places)))
    return tuple(taken)
