"""The process that links a share of the files: it reads a draft that was lent, and sends back the links of each file.

The request is a frame of JSON: where the draft is, and the paths. The answers are ``READY``, when everything has been read and the draft may be
written again, then a frame of JSON for each file, and ``DONE``.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from exegesis.model import Edge, EdgeKind, Tier, Unresolved
from exegesis.ports import GraphReader
from exegesis.processes import read_frame, write_frame
from services.graph.change import contexts_of
from services.graph.link import Links
from services.graph.linker import Linker

READY, DONE = b"ready", b"done"

_KINDS = {kind.value: kind for kind in EdgeKind}
_TIERS = {tier.value: tier for tier in Tier}


def serve(opener: str) -> None:
    """Answer one request. ``opener`` names the function, as ``module:name``, that opens what was lent for reading."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end up among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent decides what it means
    gc.disable()  # everything is needed to the end, which is near
    module, _, name = opener.partition(":")
    opened = getattr(import_module(module), name)
    request = read_frame(requests)
    if request is None:
        return
    place, paths = json.loads(request)
    reader: GraphReader = opened(place)
    links = Linker(reader, contexts_of(reader), paths).links()
    reader.close()
    write_frame(answers, READY)
    for path, found in links:
        write_frame(answers, encode(path, found))
    write_frame(answers, DONE)


def request(place: str, paths: Sequence[str]) -> bytes:
    return json.dumps((place, list(paths))).encode("ascii")


def encode(path: str, links: Links) -> bytes:
    edges = [(e.source, e.target, e.kind.value, e.rule, e.tier.value, e.confidence, e.line, e.column) for e in links.edges]
    unresolved = [(u.source, u.name, u.line, u.column, u.candidates, u.external) for u in links.unresolved]
    return json.dumps((path, edges, unresolved, sorted(links.consulted)), separators=(",", ":")).encode("ascii")


def decode(answer: bytes) -> tuple[str, Links]:
    """The path and the links that :func:`encode` was given."""
    path, edges, unresolved, consulted = json.loads(answer)
    return path, Links(tuple(map(_edge, edges)), tuple(Unresolved(*each) for each in unresolved), frozenset(consulted))


def _edge(stored: Sequence[Any]) -> Edge:
    source, target, kind, rule, tier, confidence, line, column = stored
    return Edge(source, target, _KINDS[kind], rule, _TIERS[tier], confidence, line, column)
