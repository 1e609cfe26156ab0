"""What a graph generation knows only as a whole: vocabulary, average lengths and in-degrees. Pure functions over packed columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exegesis.adapters.graph_codec import name_hash
from exegesis.bm25f import average_lengths, lengths
from exegesis.ports import LexicalStatistics
from exegesis.terms import unpack

VOCABULARY = np.dtype([("term", "<u4"), ("chunks", "<u4"), ("files", "<u4")])
"""One term and the number of chunks and of files that contain it."""

LEAST_NAME = 4
MOST_DEFINERS = 2
"""A name counts towards a file's in-degree from this many letters on and if at most this many files define it: shorter and commoner names
say nothing about which file is meant."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    vocabulary: bytes
    """Records of :data:`VOCABULARY`, ascending by term."""
    statistics: LexicalStatistics


def lexicon_of(packed: Sequence[bytes], files: Sequence[int]) -> Lexicon:
    """From the packed terms of every chunk and, beside each, the ordinal of its file (0, 1, ... without gaps)."""
    records = unpack(packed)
    sizes = np.array([len(blob) // records.dtype.itemsize for blob in packed], dtype=np.int64)
    chunk_of_record = np.repeat(np.arange(len(packed), dtype=np.int64), sizes)
    file_of_chunk = np.array(files, dtype=np.int64)
    file_of_record = np.repeat(file_of_chunk, sizes)
    file_count = int(file_of_chunk.max()) + 1 if len(files) else 0
    terms = records["term"]

    # Within a chunk records are ordered by term, so a term's further fields directly follow its first.
    first = np.ones(len(records), dtype=bool)
    first[1:] = (terms[1:] != terms[:-1]) | (chunk_of_record[1:] != chunk_of_record[:-1])
    return Lexicon(
        _vocabulary_of(terms[first].astype(np.int64), file_of_record[first]).tobytes(),
        LexicalStatistics(
            chunks=len(packed),
            files=file_count,
            chunk_lengths=average_lengths(lengths(records, chunk_of_record, len(packed))),
            file_lengths=average_lengths(lengths(records, file_of_record, file_count)),
        ),
    )


def _vocabulary_of(terms: npt.NDArray[np.int64], files: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
    """From one entry for each chunk and term of it, ``files`` being ordinals below 2**31. One sort serves both counts."""
    entries = np.sort((terms << 31) | files)
    in_order = entries >> 31
    starts = np.flatnonzero(begins_run(in_order))
    files_before = np.cumsum(begins_run(entries))
    vocabulary = np.empty(len(starts), dtype=VOCABULARY)
    vocabulary["term"] = in_order[starts]
    vocabulary["chunks"] = np.diff(starts, append=len(entries))
    vocabulary["files"] = np.diff(files_before[starts], append=files_before[-1] + 1 if len(entries) else 0)
    return vocabulary


def begins_run(ascending: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.bool_]:
    """Where a value differs from the one before. ``np.unique`` of half a million values takes thirty times as long as sorting them."""
    begins = np.ones(len(ascending), dtype=bool)
    np.not_equal(ascending[1:], ascending[:-1], out=begins[1:])
    return begins


def look_up(vocabulary: npt.NDArray[np.void], terms: Iterable[int]) -> Mapping[int, tuple[int, int]]:
    """Chunks and files of each of the terms that the vocabulary holds."""
    wanted = np.unique(np.array([term for term in terms if 0 <= term < 1 << 32], dtype=np.uint32))
    if not len(wanted) or not len(vocabulary):
        return {}
    places = np.minimum(np.searchsorted(vocabulary["term"], wanted), len(vocabulary) - 1)
    found = vocabulary[places]
    return {
        int(term): (int(chunks), int(files)) for (term, chunks, files), asked in zip(found.tolist(), wanted.tolist(), strict=True) if term == asked
    }


def in_degrees(definitions: Iterable[tuple[int, str]], mentions: Iterable[tuple[int, bytes]]) -> Mapping[int, int]:
    """For each defining file the number of other files that mention one of its names; files that nobody mentions are left out.

    ``definitions`` are (file, name); ``mentions`` are (file, packed name hashes) of the files that count, which tests do not.
    """
    definers: dict[str, set[int]] = {}
    for file, name in definitions:
        if len(name) >= LEAST_NAME:
            definers.setdefault(name, set()).add(file)
    telling = sorted((name_hash(name), file) for name, files in definers.items() if len(files) <= MOST_DEFINERS for file in files)
    hashes = np.array([each for each, _ in telling], dtype=np.uint32)
    owners = np.array([file for _, file in telling], dtype=np.int64)
    listed = [(file, packed) for file, packed in mentions if packed]
    if not telling or not listed:
        return {}
    said = np.frombuffer(b"".join(packed for _, packed in listed), dtype="<u4")
    speakers = np.repeat([file for file, _ in listed], [len(packed) // said.itemsize for _, packed in listed])
    starts = np.searchsorted(hashes, said)
    pairs = []
    for offset in range(int(np.diff(np.flatnonzero(begins_run(hashes)), append=len(hashes)).max())):  # definers of one hash: two, or a little more
        places = np.minimum(starts + offset, len(hashes) - 1)
        meant = (hashes[places] == said) & (owners[places] != speakers)
        pairs.append(np.stack((owners[places[meant]], speakers[meant])))
    meetings = np.concatenate(pairs, axis=1)
    owner, speaker = meetings[:, np.lexsort((meetings[1], meetings[0]))]
    distinct = owner[begins_run(owner) | begins_run(speaker)]
    firsts = np.flatnonzero(begins_run(distinct))
    return dict(zip(distinct[firsts].tolist(), np.diff(firsts, append=len(distinct)).tolist(), strict=True))


def holders(packed: Sequence[tuple[int, bytes]], wanted: Iterable[str]) -> set[int]:
    """The files, each given with its packed name hashes, that hold one of the wanted names; perhaps one more, see :func:`name_hash`."""
    asked = np.array(sorted({name_hash(name) for name in wanted}), dtype=np.uint32)
    held = np.frombuffer(b"".join(names for _, names in packed), dtype="<u4")
    if not len(asked) or not len(held):
        return set()
    hits = np.flatnonzero(asked[np.minimum(np.searchsorted(asked, held), len(asked) - 1)] == held)
    ends = np.cumsum([len(names) // held.itemsize for _, names in packed])
    return {packed[place][0] for place in np.searchsorted(ends, hits, side="right").tolist()}
