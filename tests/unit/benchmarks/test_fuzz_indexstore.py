"""The fuzzer of index stores: a bounded run, and that it would find something."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from benchmarks.fuzz_indexstore import RECORD, SAMPLE, fuzz, mutated, seeds_of, use

SEEDS = list(seeds_of([SAMPLE / "store", SAMPLE / "compressed-store"]))


@pytest.mark.parametrize("seed", [1, 2])
def test_mutated_stores_are_read_without_harm(seed: int, tmp_path: Path) -> None:
    """Units and records, plain and compressed, changed at random: nothing is raised and nothing takes long."""
    found = fuzz(SEEDS, use, random.Random(seed), range(150), tmp_path)
    assert found.findings == []
    assert found.executions == 150


def test_what_is_found_is_kept(tmp_path: Path) -> None:
    """A reader that cannot bear every input is found out, and the input is there to try again."""

    def read(content: bytes) -> None:
        if content[1:5] != b"IDXR":
            raise ValueError(content[1:5])

    found = fuzz([RECORD + b"IDXR" + bytes(40)], read, random.Random(1), range(50), tmp_path)
    assert found.findings
    name = found.findings[0].partition(":")[0]
    with pytest.raises(ValueError, match="b'"):
        read((tmp_path / name).read_bytes())


def test_a_reader_that_hangs_is_stopped(tmp_path: Path) -> None:
    """An input that takes more than its time is a finding, not the end of the run."""

    def read(_: bytes) -> None:
        while True:
            pass

    found = fuzz(SEEDS[:1], read, random.Random(1), range(1), tmp_path)
    assert [finding.partition(": ")[2] for finding in found.findings] == ["TimeoutError: takes more than 2 s"]


def test_compressed_seeds_are_mutated_inside() -> None:
    """Otherwise nearly all of them would be no more than broken compression."""
    seed = next(content[1:] for content in SEEDS if content[1:5] == b"CIDX")
    whole = 0
    for number in range(40):
        content = mutated(seed, random.Random(number))
        try:
            whole += zlib.decompress(content[9:]) != zlib.decompress(seed[9:])
        except zlib.error:
            continue
    assert whole > 20
