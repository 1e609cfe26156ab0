"""Words and names in a question as the code spells them. Names as they are declared, where letter case says nothing: RPG and its relatives, and the
names of which the use is asked.

``FTP_BINARYMODE`` falls into other words than ``FTP_binaryMode``, so the same question would be answered from other evidence. A name that is written
in any case becomes the one that is declared, before anything is looked up. Where a language tells names apart by case, that holds only for what a
question of use is about, and only if nothing is declared as it is written and everything else that bears the name is spelled alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from exegesis.model import Modifier, Question, Symbol, SymbolKind
from exegesis.terms import words
from services.query.corpus import Corpus
from services.query.intent import read_question
from services.query.regional import as_code_spells

FOLDED = frozenset({SymbolKind.PROCEDURE, SymbolKind.PROTOTYPE, SymbolKind.SUBROUTINE, SymbolKind.TABLE})
"""Kinds that only languages declare in which letter case says nothing."""

PLAIN = 6
"""Letters from which a word without any mark of code may be a name: shorter ones, such as ``show`` and ``log``, are mostly meant as words."""

_MARKED = re.compile(r"[_\d#$@]|[a-z][A-Z]|^[A-Z]{3,}$")


def with_declared_spelling(question: Question, corpora: Sequence[Corpus]) -> Question:
    """The question with the names it mentions spelled as they are declared, and words as one side of the Atlantic or the other does."""
    question = replace(question, text=as_code_spells(question.text, corpora))
    used = {name.rpartition(".")[2] for name in read_question(question.text, question.options).used}
    asked = tuple(dict.fromkeys(word for word in words(question.text) if _MARKED.search(word) or len(word) >= PLAIN or word in used))
    if not asked:
        return question
    declared: dict[str, list[Symbol]] = {}
    for corpus in corpora:
        named: Sequence[Symbol] = ()
        for symbol in corpus.hurry.ask(partial(corpus.graph.symbols_named, corpus.pin, asked), named):
            declared.setdefault(symbol.name.lower(), []).append(symbol)
    spelled = {
        word: spelling
        for word in asked
        if (spelling := _spelling(found := declared.get(word.lower(), [])) or (_only_spelling(found) if word in used else "")) not in {"", word}
    }
    if not spelled:
        return question
    pattern = re.compile(r"(?<![\w#$@])(?:" + "|".join(map(re.escape, sorted(spelled, key=len, reverse=True))) + r")(?![\w#$@])")
    return replace(question, text=pattern.sub(lambda match: spelled[match.group()], question.text))


def _only_spelling(symbols: Sequence[Symbol]) -> str:
    """How all of them are written; empty where there are several ways."""
    names = {symbol.name for symbol in symbols}
    return names.pop() if len(names) == 1 else ""


def _spelling(symbols: Iterable[Symbol]) -> str:
    """How a name is written where it is defined; empty where another language may mean something else by another case."""
    found = sorted(symbols, key=_rank)
    if not found or any(symbol.kind not in FOLDED for symbol in found):
        return ""
    return found[0].name


def _rank(symbol: Symbol) -> tuple[object, ...]:
    return (symbol.kind is not SymbolKind.PROCEDURE, Modifier.PUBLIC not in symbol.modifiers, symbol.kind is SymbolKind.PROTOTYPE, symbol.name)
