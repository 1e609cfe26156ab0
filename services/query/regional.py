"""Words that are spelled one way on one side of the Atlantic and another way on the other: ``behaviour`` in a question, ``behavior`` in the code.

A table of endings, both ways. It knows no words: a word is only taken for the other spelling of another where the repository has that one and not the
word itself, which what is no word at all never passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from exegesis.terms import stem, term_id, words
from services.query.corpus import Corpus


class Ending(NamedTuple):
    """Two spellings of one ending; each may stand for the other."""

    one: str
    other: str
    follows: str = ""
    """What may stand behind it up to the end of the word, as a regular expression; anything where it is empty."""
    least: int = 0
    """Letters that stand before it, so that other words are left alone: ``four`` is not ``for``, ``filled`` not ``filed``."""


_SUFFIX: Final = "(?:e[ds]?|ers?|ing|ations?|able)"
ENDINGS: Final[tuple[Ending, ...]] = (
    Ending("our", "or", "(?:s|ed|ing|al|able|ful|less|ite|ation|ers?)?", 3),  # colour
    Ending("is", "iz", _SUFFIX),  # normalise
    Ending("ys", "yz", _SUFFIX),  # analyse
    Ending("ll", "l", "(?:ed|ing|ers?|able)", 4),  # cancelled
    Ending("tre", "ter", "s?"),  # centre
    Ending("ogue", "og", "s?"),  # catalogue
    Ending("ence", "ense", "[sd]?"),  # licence
    Ending("grey", "gray"),
    Ending("artefact", "artifact"),
)


def _pattern(ending: Ending, spelled: str) -> re.Pattern[str]:
    before = f"(?<=[a-z]{{{ending.least}}})" if ending.least else ""
    return re.compile(f"{before}{spelled}(?={ending.follows}$)" if ending.follows else spelled)


_TABLE: Final = tuple(
    (_pattern(ending, spelled), other) for ending in ENDINGS for spelled, other in ((ending.one, ending.other), (ending.other, ending.one))
)
SHORTEST: Final = 4


def other_spellings(word: str) -> Iterator[str]:
    """How a word in small letters might be spelled elsewhere; most of what is given is no word."""
    if len(word) >= SHORTEST and word.isalpha():
        for ending, other in _TABLE:
            if match := ending.search(word):
                yield f"{word[: match.start()]}{other}{word[match.end() :]}"


def as_code_spells(text: str, corpora: Sequence[Corpus]) -> str:
    """The text with words that no repository has in the spelling that one of them has."""
    others = {word: tuple(other_spellings(word)) for word in dict.fromkeys(word for word in words(text) if word.islower())}
    asked = {term: term_id(stem(term)) for word, spellings in others.items() if spellings for term in (word, *spellings)}
    if not asked:
        return text
    known = frozenset[int]().union(*(_known(corpus, sorted(asked.values())) for corpus in corpora))
    for word, spellings in others.items():
        found = next((spelling for spelling in spellings if asked[spelling] in known), None)
        if found is not None and asked[word] not in known:
            text = re.sub(rf"\b{re.escape(word)}\b", found, text)
    return text


def _known(corpus: Corpus, terms: Sequence[int]) -> frozenset[int]:
    """Those that the repository has; none where its graph is too slow to be asked."""
    nothing: Mapping[int, tuple[int, int]] = {}
    return frozenset(corpus.hurry.ask(lambda: corpus.graph.vocabulary(corpus.pin, terms), nothing))
