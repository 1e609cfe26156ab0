"""Questions about the whole that call a repository by its name: "How is Redux structured?" asks what "How is this project structured?" asks.

The rules of :mod:`services.query.sides` know words that stand for the whole. A name stands for it too, but may as well stand for a type of that name,
or only say where something is asked about ("How does Flask match a URL?"). So the name gives way to those words only where the question then asks for
the whole, and did not before; and where a declaration bears the name, only if the question says what it wants of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from exegesis.model import Question, Symbol
from services.query.corpus import Corpus
from services.query.intent import read_question

_WHOLE: Final = "this project"
_SHORTEST: Final = 3
_AS_A_WHOLE: Final = re.compile(
    r"\b(?:architecture|overview|big picture|structured?|organi[sz](?:ed|ation)|layout|laid out|divided|modules|packages|parts|components|layers"
    r"|subsystems|entry points?|depend\w*)\b",
    re.IGNORECASE,
)
"""What is said of a whole, whatever bears its name."""
_KIND: Final = r"(?:\s+(?:code ?base|repository|repo|project|package|library|framework|app(?:lication)?))?"
_NO_MORE: Final = r"(?![\w`/(-]|\.\w|['’]s)"
"""The name ends here: what belongs to it is no whole."""


def with_whole_for_its_name(question: Question, corpora: Sequence[Corpus], names: Mapping[str, str]) -> Question:
    """The question with words for the whole in place of its name, where that makes it one about the whole. ``names`` say how people call the
    repositories.
    """
    called = sorted({form for corpus in corpora for form in forms_of(names.get(corpus.repository, ""))}, key=len, reverse=True)
    if not called or read_question(question.text, question.options).sides:
        return question
    named = re.compile(rf"(?<![\w.`/-])(?:the\s+)?(?P<name>{'|'.join(map(re.escape, called))}){_KIND}{_NO_MORE}", re.IGNORECASE)
    match = named.search(question.text)
    if match is None:
        return question
    asked = replace(question, text=named.sub(_WHOLE, question.text))
    if not read_question(asked.text, asked.options).sides:
        return question
    return asked if _AS_A_WHOLE.search(question.text) or not _is_declared(match["name"], corpora) else question


def forms_of(name: str) -> Iterable[str]:
    """How people call what is registered as ``owner/name``, ``Name.swift`` or ``name@1a2b3c4``."""
    plain = name.rpartition("/")[2].partition("@")[0].removesuffix(".git")
    without = re.sub(r"\.(?:swift|js|ts|py|go|rs)$", "", plain, flags=re.IGNORECASE)
    return {form for form in (plain, without) if len(form) >= _SHORTEST}


def _is_declared(name: str, corpora: Sequence[Corpus]) -> bool:
    nothing: Sequence[Symbol] = ()
    found = (corpus.hurry.ask(partial(corpus.graph.symbols_named, corpus.pin, [name]), nothing) for corpus in corpora)
    return any(symbol.name == name for symbols in found for symbol in symbols)
