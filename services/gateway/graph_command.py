"""``exegesis graph``: each question to the call graph as the JSON and the text of its answer, in a table by its name on the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from typing import Final

from services.gateway import documents, render
from services.gateway.api import Gateway

Shown = tuple[object, str]
"""For programs, and for people."""


def _callers(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.callers(asked.project, asked.symbol)
    text = render.relations(found, show="source", nothing=f"Nothing in the project is known to call {asked.symbol}.")
    return {"callers": [documents.relation_document(each) for each in found]}, text


def _impact(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.impact(asked.project, asked.symbol)
    text = render.relations(found, show="source", nothing=f"Nothing in the project is known to call {asked.symbol}.")
    return {"impact": [documents.relation_document(each) for each in found]}, text


def _callees(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.callees(asked.project, asked.symbol)
    text = render.relations(found, show="target", nothing=f"{asked.symbol} is not known to call anything in the project.")
    return {"callees": [documents.relation_document(each) for each in found]}, text


def _path(asked: Namespace, gateway: Gateway) -> Shown:
    ways = gateway.path(asked.project, asked.source, asked.target)
    document = {"paths": [[documents.relation_document(each) for each in way] for way in ways]}
    return document, render.paths(ways, asked.source, asked.target)


def _hubs(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.hubs(asked.project)
    return {"hubs": [documents.hub_document(each) for each in found]}, render.hubs(found)


def _only_through(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.only_through(asked.project, asked.symbol)
    return documents.only_through_document(found), render.only_through(found, asked.symbol)


def _always_with(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.always_with(asked.project, asked.symbol)
    return {"always_with": [documents.companion_document(each) for each in found]}, render.companions(found, asked.symbol)


def _cycles(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.cycles(asked.project)
    return {"cycles": [documents.cycle_document(each) for each in found]}, render.cycles(found)


def _dead_ends(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.dead_ends(asked.project)
    text = render.symbols(found, nothing="Something leads to every function of the project, as far as can be known.")
    return {"dead_ends": [documents.symbol_document(each) for each in found]}, text


def _entry_points(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.entry_points(asked.project)
    return {"entry_points": [documents.entry_point_document(each) for each in found]}, render.entry_points(found)


def _map(asked: Namespace, gateway: Gateway) -> Shown:
    found = gateway.map(asked.project)
    text = render.modules_as_mermaid(found) if asked.mermaid else render.modules(found)
    return {"modules": [documents.module_document(each) for each in found]}, text


QUESTIONS: Final[Mapping[str, Callable[[Namespace, Gateway], Shown]]] = {
    "callers": _callers,
    "callees": _callees,
    "impact": _impact,
    "path": _path,
    "hubs": _hubs,
    "only-through": _only_through,
    "always-with": _always_with,
    "cycles": _cycles,
    "dead-ends": _dead_ends,
    "entry-points": _entry_points,
    "map": _map,
}
