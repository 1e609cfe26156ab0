"""Text as terms: how identifiers and prose are cut into the units that lexical search counts.

A *word* is an identifier or a number. Its *parts* are what camelCase, underscores and digits separate; each part, stemmed, is a term, and a word of
several parts is a term as a whole too, so that ``statusCode`` is found by "status", by "codes" and by itself. Parts that only mean something
together (``O`` and ``Auth`` and ``2``, ``IP`` and ``v6``) are a *unit* and also a term of their own, because people write "oauth" and "IPv6".

Stemming is Porter2 (M. Porter, "The English (Porter2) stemming algorithm", 2001). On eleven repositories splitting identifiers is worth .067 of
NDCG@10, stemming .037 and whole words .012.

Terms are stored as 32-bit hashes: a sparse index wants integers, and a vocabulary of 200,000 words has about five colliding pairs.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

import Stemmer

from exegesis.model import Chunk, Field

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Records = npt.NDArray[np.void]

Counts = Mapping[tuple[int, Field], int]

_RECORD = struct.Struct("<IBH")
"""Term, field and count: seven bytes, a third of what a row of a table would take."""

RECORD_FIELDS = (("term", "<u4"), ("field", "u1"), ("count", "<u2"))
"""The same record as numpy names it."""

_MOST = 0xFFFF
"""Counts saturate here; BM25F has long saturated before."""

_ASCII_WORD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*|\d+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CONTRACTION = re.compile(r"\b(\w+?)(n['’]t|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)

_CACHED_WORDS = 1 << 17
"""Distinct words kept with their terms: 430,000 lines of Swift have about 60,000."""

Unit = tuple[str, ...]
"""What a person would call one word of an identifier, in all the ways it may be written: stems, never empty."""


# -------------------------------------------------------------------------------------------------------------- identifiers


def words(text: str) -> list[str]:
    """Identifiers and numbers in the order of the text."""
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def stem(part: str) -> str:
    """Porter2 stem of a lower-case part."""
    found: str = _stemmer().stemWord(part)
    return found


@functools.lru_cache(maxsize=_CACHED_WORDS)
def units_of(word: str) -> tuple[Unit, ...]:
    """The units of a word: ``OAuth2Client`` has ``("oauth2", "oauth", "auth")`` and ``("client",)``.

    A one-letter part belongs to the part after it, digits to the letters before them. One-letter units count only if they are the whole word.
    """
    groups = _groups(word)
    alone = len(groups) == 1 and len(groups[0]) == 1
    return tuple(unit for unit in map(_spellings, groups) if unit and (len(unit[0]) > 1 or (alone and unit[0].isalpha())))


@functools.lru_cache(maxsize=_CACHED_WORDS)
def terms_of(word: str) -> tuple[str, ...]:
    """All terms of a word, those of its parts first."""
    parts = [part for _, part in _parts(word)]
    if len(parts) < 2:
        return tuple(stem(part) for part in parts if len(part) > 1 or part.isalpha())
    terms = [stem(part) for part in parts if len(part) > 1]
    for term in (bare(word).lower(), *(spelling for unit in units_of(word) for spelling in unit)):
        if term not in terms:
            terms.append(term)
    return tuple(terms)


def bare(word: str) -> str:
    """An identifier without the signs that mark it as private, internal or a member (``_request``, ``$ZodType``, ``num_data_``)."""
    return word.strip("_$") or word


@functools.lru_cache(maxsize=1 << 14)
def folded(name: str) -> str:
    """A name as all its spellings have it: :func:`bare`, in lower case. Every question asks this of the names of all that it finds."""
    return bare(name).lower()


def spoken(text: str) -> str:
    """Identifiers as a person would say them, for models that know words: ``DataRequest`` is "data request"."""
    return " ".join("".join(group) for word in words(text) for group in _groups(word))


def term_id(term: str) -> int:
    """The 32-bit number that stands for a term in every index, the same on every machine."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def _groups(word: str) -> list[list[str]]:
    """Parts that form one unit together: a one-letter part with what follows it, letters with the digits behind them."""
    groups: list[list[str]] = []
    end = -1
    for start, part in _parts(word):
        touches = start == end
        after_one_letter = touches and len(groups[-1]) == 1 and len(groups[-1][0]) == 1 and groups[-1][0].isalpha()
        digits_after_letters = touches and part.isdecimal() and not groups[-1][-1].isdecimal()
        if digits_after_letters or (after_one_letter and not part.isdecimal()):
            groups[-1].append(part)
        else:
            groups.append([part])
        end = start + len(part)
    return groups


def _parts(word: str) -> list[tuple[int, str]]:
    """Parts in lower case with the offsets where they start; the rules for upper and lower case hold in every alphabet."""
    shape = word if word.isascii() else "".join(_shape(letter) for letter in word)
    return [(match.start(), word[match.start() : match.end()].lower()) for match in _PART.finditer(shape)]


def _shape(letter: str) -> str:
    if letter.isdecimal():
        return "0"
    if letter.isupper():
        return "A"
    return "a" if letter.isalnum() else "_"


def _spellings(parts: list[str]) -> Unit:
    """A unit of lower-case parts in all its spellings, longest first: whole, without digits, and its longer parts."""
    letters = [part for part in parts if not part.isdecimal()]
    whole = "".join(parts) if len(parts) > 1 else stem(parts[0])
    spellings = [whole, stem("".join(letters)), *(stem(part) for part in letters if len(part) > 1)]
    return tuple(dict.fromkeys(spelling for spelling in spellings if len(spelling) > 1 or (len(parts) == 1 and spelling)))


@functools.cache
def _stemmer() -> Any:
    # One for all threads: a call holds the interpreter lock from start to end. No cache of its own, ours holds whole words.
    return Stemmer.Stemmer("english", 0)


@functools.lru_cache(maxsize=_CACHED_WORDS)
def term_ids_of(word: str) -> tuple[int, ...]:
    """The numbers of :func:`terms_of`."""
    return tuple(term_id(term) for term in terms_of(word))


# ---------------------------------------------------------------------------------------------------------------- documents


def document_terms(chunk: Chunk) -> dict[tuple[int, Field], int]:
    """How often each term stands in each field of a chunk."""
    counts: dict[tuple[int, Field], int] = {}
    known = counts.get
    for field, text in _fields(chunk):
        for word, times in Counter(words(text)).items():
            for term in term_ids_of(word):
                key = (term, field)
                counts[key] = known(key, 0) + times
    return counts


def pack(counts: Counts) -> bytes:
    """Counts as records of :data:`RECORD_FIELDS`, ordered by term and field."""
    record = _RECORD.pack
    return b"".join([record(term, field, min(_MOST, count)) for (term, field), count in sorted(counts.items())])


def unpack(packed: bytes | Iterable[bytes]) -> Records:
    """Records of one packed chunk, or of several one after the other. Raises ``ValueError`` for bytes that are no records."""
    import numpy as np  # packing, which every parsing process does, needs none of it

    return np.frombuffer(packed if isinstance(packed, bytes) else b"".join(packed), dtype=list(RECORD_FIELDS))


def path_text(path: str) -> str:
    """A path as the path field reads it: folders and file name without its extension."""
    folder, slash, name = path.rpartition("/")
    stem_, dot, _ = name.rpartition(".")
    return f"{folder}{slash}{stem_ if dot and stem_ else name}"


def _fields(chunk: Chunk) -> tuple[tuple[Field, str], ...]:
    return (
        (Field.PATH, path_text(chunk.path)),
        (Field.NAME, chunk.name),
        (Field.ENCLOSING, chunk.enclosing),
        (Field.SIGNATURE, chunk.signature),
        (Field.DOC, chunk.doc),
        (Field.BODY, chunk.text),
    )


# ---------------------------------------------------------------------------------------------------------------- questions


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """A question as search reads it."""

    words: tuple[str, ...]
    """All words, in order, contractions resolved."""
    counts: tuple[tuple[str, int], ...]
    """Terms and how often they occur, stop words of the long lists dropped (all words kept if nothing else is left)."""
    phrases: tuple[str, ...]
    """Neighbouring words run together (``access token``: ``accesstoken``); they count half, where the vocabulary has them."""
    units: tuple[Unit, ...]
    """Distinct units, stop words of the long lists dropped: what file names are matched with."""
    loose_units: tuple[Unit, ...]
    """Distinct units with only the short list dropped: what symbol names are matched with."""
    loose_stems: frozenset[str]
    """All spellings of ``loose_units``."""
    is_empty: bool = False
    """Every word is on a stop list: they are all kept, but only as names can they mean anything."""


def question_terms(text: str) -> QuestionTerms:
    """Read a question.

    Articles, prepositions, question words, auxiliaries and the verbs of conversation say nothing about code, and contractions would be rare and
    therefore heavy terms, so they are dropped. Words that code uses as well (call, case, order, step, first, last) are on no list.
    """
    asked = tuple(words(_CONTRACTION.sub(_expanded, text)))
    said = [word for word in asked if word.lower() not in stop_words("long") and word.lower() not in stop_words("conversation")]
    content = said or list(asked)
    spoken_words = [word for word in asked if word.lower() not in stop_words("short")] or list(asked)
    counts = Counter(term for word in content for term in terms_of(word))
    loose = _distinct(spoken_words)
    return QuestionTerms(
        words=asked,
        counts=tuple(counts.items()),
        phrases=tuple(phrase for phrase in _phrases(asked) if phrase not in counts),
        units=_distinct(content),
        loose_units=loose,
        loose_stems=frozenset(spelling for unit in loose for spelling in unit),
        is_empty=not said,
    )


@functools.cache
def stop_words(name: str) -> frozenset[str]:
    """A list by name: ``short``, ``long`` or ``conversation``, whose words are not searched, and ``general``, the words in which anybody speaks about
    any program: these are searched, but that they occur nowhere says nothing.
    """
    return frozenset(resources.files("exegesis").joinpath(f"stopwords_{name}.txt").read_text("utf-8").split())


def _expanded(contraction: re.Match[str]) -> str:
    """``it's``, ``user's``: the word before the apostrophe; ``doesn't``: nothing, it is an auxiliary whatever it negates."""
    return "" if contraction.group(2)[0] in "nN" else contraction.group(1)


def _phrases(asked: Sequence[str]) -> list[str]:
    short = stop_words("short")
    phrases: dict[str, None] = {}
    for left, right in itertools.pairwise(asked):
        if left.lower() in short or right.lower() in short:
            continue
        joined = (left + right).lower()
        phrases[joined] = None
        if joined.endswith("s"):
            phrases[joined[:-1]] = None
    return list(phrases)


def _distinct(chosen: Iterable[str]) -> tuple[Unit, ...]:
    return tuple(dict.fromkeys(unit for word in chosen for unit in units_of(word)))
