"""Reasons in words: why a piece of code is in a list or in a context."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from exegesis.model import Chunk, FileRole, Place
from exegesis.terms import units_of, words
from services.query.corpus import has_role
from services.query.expand import Link
from services.query.intent import Intent
from services.query.rank import RankedChunk
from services.query.retrieve import Seeds


def why(seeds: Seeds, ranked: RankedChunk, place: Place | None = None, link: Link | None = None) -> str:
    """One short phrase, the strongest reasons first."""
    chunk, intent = ranked.candidate.chunk, seeds.intent
    defines = any(part.name == "definition" for part in ranked.list_parts)
    reasons: list[str] = []
    if defines:
        reasons.append(f"defines {chunk.name}")
    if place is Place.WHOLE_FILE:
        reasons.append("part of a file shown whole")
    if place is Place.NEIGHBOR:
        reasons.append("stands beside a match")
    if link and link.origin:
        reasons.append(f"{link.verb} {link.origin}")
    if ranked.candidate.landmark > 0:
        reasons.append("a place to begin")
    said = _said(chunk.name, intent)
    if said and not defines:
        reasons.append(f"its name says {said}")
    in_path = _said(chunk.path.rpartition("/")[2].partition(".")[0], intent)
    if in_path and intent.symbol == "":
        reasons.append(f"its file's name says {in_path}")
    if ranked.candidate.lexical > 0 and not reasons:
        reasons.append("its text shares words with the question")
    if ranked.candidate.cosine and not reasons:
        reasons.append("its meaning is near the question")
    if has_role(seeds.corpora[ranked.candidate.repository].role(chunk.path), FileRole.TEST):
        reasons.append("a test")
    return "; ".join(reasons[:3]) or _fallback(chunk)


def _said(name: str, intent: Intent) -> str:
    """Words of a name that the question says, quoted as people write them."""
    asked = intent.terms.loose_stems
    hits = [unit for word in words(name) for unit in units_of(word) if not asked.isdisjoint(unit)]
    spoken = _spoken(intent.terms.words)
    said = (next((spoken[stem] for stem in unit if stem in spoken), "") for unit in hits)
    return ", ".join(dict.fromkeys(f'"{word}"' for word in said if word))


@functools.lru_cache(maxsize=64)
def _spoken(asked: tuple[str, ...]) -> Mapping[str, str]:
    """Stem -> the word of the question that it comes from."""
    return {stem: word for word in reversed(asked) for unit in units_of(word) for stem in unit}


def _fallback(chunk: Chunk) -> str:
    return f"part of {chunk.path.rpartition('/')[2]}"
