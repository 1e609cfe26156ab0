"""Words that are spelled one way on one side of the Atlantic and another way on the other: ``behaviour`` in a question, ``behavior`` in the code.

A table of endings, both ways. It knows no words: a word is only taken for the other spelling of another where the repository has that one and not the
word itself, which what is no word at all never passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from exegesis.terms import stem, term_id, words
from services.query.corpus import Corpus

_REST: Final = r"(?=s?$|ed$|ing$|al$|able$|ful$|less$|ite$|ation$|er$|ers$)"
ENDINGS: Final[tuple[tuple[str, str], ...]] = (
    (rf"(?<=[a-z]{{3}})our{_REST}", rf"(?<=[a-z]{{3}})or{_REST}"),  # colour, and neither four nor for
    (r"is(?=e[ds]?$|ers?$|ing$|ations?$|able$)", r"iz(?=e[ds]?$|ers?$|ing$|ations?$|able$)"),  # normalise
    (r"ys(?=e[ds]?$|ers?$|ing$|able$)", r"yz(?=e[ds]?$|ers?$|ing$|able$)"),  # analyse
    (r"(?<=[a-z]{4})ll(?=ed$|ing$|ers?$|able$)", r"(?<=[a-z]{4})l(?=ed$|ing$|ers?$|able$)"),  # cancelled, and neither filled nor filed
    (r"tre(?=s?$)", r"ter(?=s?$)"),  # centre
    (r"ogue(?=s?$)", r"og(?=s?$)"),  # catalogue
    (r"ence(?=s?$|d$)", r"ense(?=s?$|d$)"),  # licence
    (r"grey", r"gray"),
    (r"artefact", r"artifact"),
)
"""What stands for what, each as a regular expression over a word in small letters; what is looked ahead for stays."""

_AROUND: Final = re.compile(r"\(\?<?=.*?\)(?=[a-z]|$)")
_TABLE: Final = tuple((re.compile(one), _AROUND.sub("", other)) for pair in ENDINGS for one, other in (pair, pair[::-1]))
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
