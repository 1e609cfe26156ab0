"""The flow as a Mermaid diagram. Every arrow is an edge of the graph, and the comment above it names its call site.

A sequence diagram where the events pass between a few types, a flowchart otherwise. The text is stable: same context, same diagram.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from exegesis.model import ContextItem
from services.query.flow import Call, Flow
from services.query.telling.extractive import story_of
from services.query.telling.names import base_name
from services.query.telling.threads import Story, choose_steps, preorder

MOST_ARROWS: Final = 40
"""What still can be read on one page."""

MOST_STEPS: Final = 20
MOST_PARTICIPANTS: Final = 8

_PLAIN: Final = re.compile(r"[A-Za-z0-9_ .,:/?!+\-]")
LONGEST_LABEL: Final = 80


def draw_flow(flow: Flow, story: Story | None = None) -> str:
    """Mermaid source; empty when there are no events to draw. ``story`` is that of the flow, if it has been read already."""
    calls = _in_order(flow, story or story_of(flow, flow.items()))[:MOST_ARROWS]
    if not calls:
        return ""
    owners = list(dict.fromkeys(owner_of(item) for call in calls for item in (call.source, call.target)))
    return _sequence(calls, owners) if 1 < len(owners) <= MOST_PARTICIPANTS else _flowchart(calls)


def owner_of(item: ContextItem) -> str:
    """The type whose part an item is, or its file for what stands alone."""
    name = item.symbol.partition("(")[0]
    return name.rpartition(".")[0] or (name if item.kind in {"class", "struct", "enum", "actor"} else item.path.rpartition("/")[2])


def escape_label(text: str) -> str:
    """A label in which nothing can end it or mean something to Mermaid: all but plain characters become entity codes."""
    cut = text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
    safe = "".join(letter if _PLAIN.match(letter) else f"#{ord(letter)};" for letter in " ".join(cut.split()))
    return re.sub(r"\bend\b", "#101;nd", safe, flags=re.IGNORECASE)  # the one word that ends a block of Mermaid


def _in_order(flow: Flow, story: Story) -> list[Call]:
    """Calls among the steps that matter most, in the order in which the steps happen, each pair once."""
    steps = list(preorder(choose_steps(story, MOST_STEPS)))
    told = {step.item.id for step in steps}
    ways = [step.by for step in steps if step.by is not None]  # through types and forwards, which are no steps of their own
    shown = told | {call.source.id for call in ways}
    calls: dict[tuple[str, str], Call] = {}
    for step in steps:
        if step.by is not None and step.by.source.id not in told:
            calls.setdefault((step.by.source.id, step.item.id), step.by)
        for call in flow.calls_from(step.item):
            known = calls.get((call.source.id, call.target.id))
            if call.target.id in shown and (known is None or (call.runs and not known.runs)):
                calls[call.source.id, call.target.id] = call
    return list(calls.values())


def _sequence(calls: Sequence[Call], owners: Sequence[str]) -> str:
    names = {owner: f"P{number}" for number, owner in enumerate(owners, start=1)}
    lines = ["sequenceDiagram", *(f"    participant {names[owner]} as {escape_label(owner)}" for owner in owners)]
    for call in calls:
        arrow = "->>" if call.certain and call.runs else "-->>"
        source, target = names[owner_of(call.source)], names[owner_of(call.target)]
        said = f"{escape_label(base_name(call.name))}#40;#41;" if call.runs else escape_label(f"{call.verb} {base_name(call.name)}")
        lines += [f"    %% {_site(call)}", f"    {source}{arrow}{target}: {said} {escape_label(_place(call))}"]
    return "\n".join(lines) + "\n"


def _flowchart(calls: Sequence[Call]) -> str:
    items = {item.id: item for call in calls for item in (call.source, call.target)}
    lines = ["flowchart TD", *(f'    {item.id}["{escape_label(item.symbol or item.path)}"]' for item in items.values())]
    for call in calls:
        arrow = "-->" if call.certain and call.runs else "-.->"
        label = escape_label(_place(call) if call.runs else f"{call.verb} {_place(call)}")
        lines += [f"    %% {_site(call)}", f'    {call.source.id} {arrow}|"{label}"| {call.target.id}']
    return "\n".join(lines) + "\n"


def _place(call: Call) -> str:
    return f"{call.path.rpartition('/')[2]}:{call.line}"


def _site(call: Call) -> str:
    """The whole call site; braces would open a directive."""
    return re.sub(r"[^\w./+\- ]", "_", call.path) + f":{call.line}"
