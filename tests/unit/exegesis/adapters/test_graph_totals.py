"""Totals of a generation against the same counted one by one."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from exegesis.adapters.graph_codec import pack_names
from exegesis.adapters.graph_totals import VOCABULARY, holders, in_degrees, lexicon_of
from exegesis.terms import pack

NAMES = tuple(f"name{number}" for number in range(40))


def test_the_vocabulary_counts_chunks_and_files() -> None:
    """Each term has the number of chunks and of files it is in, in however many fields, wherever the chunks of a file stand."""
    dice = random.Random(1)
    chunks = [(dice.randrange(6), {(dice.choice((0, 7, 2**32 - 1, dice.randrange(9))), dice.randrange(3)) for _ in range(5)}) for _ in range(60)]
    ordinals = {file: ordinal for ordinal, file in enumerate(dict.fromkeys(file for file, _ in chunks))}
    in_chunks = Counter(term for _, terms in chunks for term in {term for term, _ in terms})
    in_files = Counter(term for _, term in {(file, term) for file, terms in chunks for term, _ in terms})

    lexicon = lexicon_of([pack(Counter(terms)) for _, terms in chunks], [ordinals[file] for file, _ in chunks])

    found = np.frombuffer(lexicon.vocabulary, dtype=VOCABULARY).tolist()
    assert found == [(term, in_chunks[term], in_files[term]) for term in sorted(in_chunks)]
    assert (lexicon.statistics.chunks, lexicon.statistics.files) == (60, len(ordinals))


def test_no_chunks_have_no_vocabulary() -> None:
    """A repository without text is no special case for whoever reads its totals."""
    assert lexicon_of([], []).vocabulary == b""


def test_in_degrees_count_each_other_file_once() -> None:
    """However many names of a file another one says, it counts once; the file itself does not, and names of three files say nothing."""
    dice = random.Random(2)
    definitions = [(file, dice.choice(NAMES)) for file in range(12) for _ in range(4)]
    said = {file: set(dice.sample(NAMES, 6)) for file in range(3, 15)}
    definers = {name: {file for file, own in definitions if own == name} for name in NAMES}
    meetings = {(owner, file) for name, owners in definers.items() if len(owners) < 3 for owner in owners for file in said if name in said[file]}

    found = in_degrees(definitions, [(file, pack_names(names)) for file, names in said.items()])

    assert found == Counter(owner for owner, file in meetings if owner != file)


def test_holders_are_the_files_that_hold_a_wanted_name() -> None:
    """Files without names stand between others without shifting whose names are whose."""
    packed = [
        (10, pack_names([])),
        (11, pack_names(["one", "two"])),
        (12, pack_names([])),
        (13, pack_names(["two", "three"])),
        (14, pack_names(["four"])),
    ]
    assert holders(packed, ["two"]) == {11, 13}
    assert holders(packed, ["four", "nobody"]) == {14}
    assert holders(packed, ["nobody"]) == holders([], ["two"]) == holders(packed, []) == set()
