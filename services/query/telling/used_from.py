"""An answer to a question of use: the definition, then from where it is used, group by group, each with the call sites and what they pass. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from exegesis.model import ContextItem, EdgeKind, SymbolKind
from services.query.flow import POSSIBLE, Flow, Standing, Step, standing
from services.query.programs import is_export_list
from services.query.telling.names import base_name
from services.query.telling.sentences import about, cite, clause_of, placed, without_dash
from services.query.telling.things import FUNCTIONS, TYPES
from services.query.telling.trivial import is_trivial
from services.query.telling.usage import TITLES, Kind, Site, Usage, UsedFrom
from services.query.telling.wording import code, deprecation, join_words

MOST_USES: Final[Mapping[Kind, int]] = {Kind.CURRENT: 12, Kind.DEPRECATED: 4, Kind.EXAMPLE: 4, Kind.TEST: 3, Kind.EXPORT: 2}
"""Uses of each group that are told; the number of the others is."""

MOST_OF_ONE_WAY: Final = 5
"""Users of one way (calls, conforms, names, ...) that are told before other ways have had their turn."""

MOST_OF_THE_REST: Final = 8
"""Further users that are cited without a word."""

MOST_SITES: Final = 3
"""Call sites of one user that are quoted."""

MOST_OVERLOADS: Final = 2
MOST_STEPS: Final = 5
"""Of what the definition does itself."""

HOW: Final[Mapping[EdgeKind, str]] = {
    EdgeKind.CALL: "calls it",
    EdgeKind.IMPLICIT: "calls it without naming it",
    EdgeKind.CONSTRUCT: "makes one",
    EdgeKind.ACCESS: "uses it",
    EdgeKind.INHERIT: "builds on it",
    EdgeKind.EXTEND: "extends it",
    EdgeKind.TYPE: "names it",
    EdgeKind.MENTION: "names it",
}
"""How a use is said, by the kind of its edge."""


def definition_of(usage: Usage) -> Iterator[str]:
    """What is used: what it is or does, whether it is deprecated, and what else bears the name."""
    first = usage.definition[0]
    said = about(first) or f"is declared in {code(first.path.rpartition('/')[2])}"
    yield f"{code(first.symbol or first.path)} {said} {cite(first)}."
    if notice := deprecation(first):
        yield f"It is deprecated{notice.rstrip()} {cite(first)}."
    others = [item for item in usage.definition[1:] if item.symbol_id is None or item.symbol_id != first.symbol_id]  # not its own further parts
    if overloads := [item for item in others if item.kind != SymbolKind.PROTOTYPE.value]:  # which only says that there is one
        yield from named_alike(first, overloads, "The name stands for", MOST_OVERLOADS)
    if not usage.used_from:
        yield f"Nothing in the evidence uses it {cite(first)}."


def named_alike(first: ContextItem, others: Sequence[ContextItem], begin: str, most: int) -> Iterator[str]:
    """Overloads by their names; those that are called just the same, where a language writes no labels, by their number."""
    same = [item for item in others if item.symbol == first.symbol]
    if same:
        cited = " ".join(map(cite, same[:most]))
        yield f"It has {'another signature' if len(same) == 1 else f'{len(same)} other signatures'} {cited}."
    if different := [item for item in others if item.symbol != first.symbol]:
        named = [f"{code(item.symbol or item.path)} {cite(item)}" for item in different[:most]]
        more = [f"{len(different) - most} more"] if len(different) > most else []
        yield f"{begin} {join_words([*named, *more])} as well."


def used_from(usage: Usage, flow: Flow) -> str:
    """Sections of users as Markdown; empty without any."""
    sections = []
    for kind, title in TITLES.items():
        uses = usage.of_kind(kind)
        told = _chosen(uses, MOST_USES[kind])
        lines = [f"- {_user(use, usage, flow)}" for use in told]
        if len(uses) > len(told):
            rest = [use for use in uses if use not in told]
            lines.append(f"- {len(rest)} more, such as {' '.join(cite(use.item) for use in rest[:MOST_OF_THE_REST])}.")
        if lines:
            sections.append(f"**{title}**\n\n" + "\n".join(lines))
    return "\n\n".join(sections)


def _chosen(uses: Sequence[UsedFrom], most: int) -> list[UsedFrom]:
    """Some of each way to use it, in their order: twelve that conform to a protocol do not hide who takes it."""
    ways: dict[EdgeKind, int] = {}
    early: list[UsedFrom] = []
    for use in uses:
        how = use.sites[0].how
        ways[how] = ways.get(how, 0) + 1
        if ways[how] <= MOST_OF_ONE_WAY:
            early.append(use)
    chosen = [*early, *(use for use in uses if use not in early)][:most]
    return [use for use in uses if use in chosen]


def what_it_does(usage: Usage, flow: Flow) -> tuple[Step, ...]:
    """The definition and what it calls; of a type only that, since the lead has said what it is."""
    first = usage.definition[0]
    called = {call.target.id: Step(call.target, call, 1) for call in flow.calls_from(first) if call.edge.kind not in POSSIBLE and call.runs}
    steps = [Step(first, None, 0), *(step for step in called.values() if _is_told(step.item))]
    return tuple((steps[1:] if first.kind in TYPES else steps)[:MOST_STEPS])


def _is_told(item: ContextItem) -> bool:
    return standing(item) is not Standing.TEST and item.kind not in TYPES and not is_trivial(item)


def _user(use: UsedFrom, usage: Usage, flow: Flow) -> str:
    """A user with its call sites, what it does, and who calls it."""
    item = use.item
    name = placed(item)
    words = without_dash(clause_of(item)) if item.kind not in TYPES and use.kind is not Kind.TEST else ""
    if words.replace("`", "").lower() == f"calls {base_name(usage.definition[0].symbol)}".lower():
        words = ""  # which the sites say better
    said = f"{name} {_sites(use.sites, usage)}{'; it ' + words if words else ''} {cite(item)}."
    if notice := deprecation(item):
        said += f" It is deprecated{notice.rstrip()} {cite(item)}."
    defined = {one.id for one in usage.definition}
    calls = [call for call in flow.calls_to(item) if call.source.id not in defined and call.edge.kind not in POSSIBLE and call.runs]
    calls = [call for call in calls if not is_export_list(call.source.symbol, call.source.kind, call.source.path)]
    above = list({call.source.id: call for call in calls}.values())[:2]
    if above:
        callers = [f"{code(call.source.symbol or call.source.path)} (line {call.line}) {cite(call.source)}" for call in above]
        said += f" That is called by {join_words(callers)}."
    return said


def _sites(sites: Sequence[Site], usage: Usage) -> str:
    """``calls it at line 12: `resume(with: a)`, and at line 30: `resume(with: b)` ``."""
    first = sites[0]
    how = HOW.get(first.how, "uses it")
    if first.how is EdgeKind.EXTEND and usage.definition[0].kind not in TYPES:
        how = "declares it for others"
    if first.how is EdgeKind.INHERIT and usage.definition[0].kind in TYPES:
        how = "conforms to it" if usage.definition[0].kind == "protocol" else "inherits from it"
    if first.how is EdgeKind.ACCESS and usage.definition[0].kind in FUNCTIONS:
        how = "refers to it"
    if not first.certain:
        how = f"may {' '.join([_INFINITIVE.get(how.partition(' ')[0], 'use'), *how.split()[1:]])}"
    shown = []
    for site in sites[:MOST_SITES]:
        bare = base_name(usage.definition[0].symbol).lower() == site.shown.strip("() ").lower()
        shown.append(f"line {site.line}" + ("" if bare or not site.shown else f": {code(site.shown)}"))
    more = [f"{len(sites) - MOST_SITES} more lines" if len(sites) > MOST_SITES + 1 else "one more line"] if len(sites) > MOST_SITES else []
    return f"{how} at {join_words([*shown, *more])}"


_INFINITIVE: Final[Mapping[str, str]] = {
    "calls": "call",
    "makes": "make",
    "uses": "use",
    "builds": "build",
    "extends": "extend",
    "declares": "declare",
    "names": "name",
    "refers": "refer",
}
