"""Where in the course of events something stands, told by its name: what begins before what is told afterwards, settings last. Pure."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from exegesis.model import ContextItem
from services.query.telling.names import base_name, owner_of, split_name


class Phase(IntEnum):
    START = 0
    COURSE = 1
    CALLBACK = 2
    """Told by somebody else that something has happened, or asked to decide."""
    SETTINGS = 3


STARTING: Final = frozenset(
    {
        *("start", "begin", "load", "main", "run", "open", "connect", "launch", "boot", "login", "resume", "subscribe", "perform", "request"),
        *("create", "make", "prepare", "authorize", "send", "execute", "enqueue", "schedule", "setup"),
    }
)
"""First words of names of what sets something going."""

ANSWERING: Final = frozenset(
    {
        *("handle", "did", "on", "receive", "received", "decide", "complete", "completed", "finish", "finished", "fail", "failed", "callback"),
        *("process", "end", "close", "stop", "dispose", "cleanup", "teardown", "cancel", "deinit"),
    }
)
"""First words of names of what runs afterwards."""

_FIRST: Final = frozenset({"viewDidLoad", "applicationDidFinishLaunching", "onCreate", "componentDidMount", "didMount"})
"""Hooks that say "did" and are where life begins."""

_SETTINGS: Final = ("Configuration", "Settings", "Options", "Config", "Preferences")


def is_hook(item: ContextItem) -> bool:
    """Whether the system calls it where life begins."""
    return base_name(item.symbol) in _FIRST or item.symbol == "main"


def phase_of(item: ContextItem) -> Phase:
    """The phase that a name tells; ``COURSE`` where it tells none."""
    if owner_of(item.symbol).endswith(_SETTINGS) or item.symbol.endswith(_SETTINGS):
        return Phase.SETTINGS
    name = base_name(item.symbol)
    if name in _FIRST:
        return Phase.START
    words = [word.lower() for word in split_name(name)]
    labels = [split_name(label) for label in item.symbol.partition("(")[2].rstrip(")").split(":")]
    if (words and words[0] in ANSWERING) or "did" in words or any(len(label) > 1 and label[0] in {"did", "decide"} for label in labels):
        return Phase.CALLBACK
    return Phase.START if words and words[0] in STARTING else Phase.COURSE
