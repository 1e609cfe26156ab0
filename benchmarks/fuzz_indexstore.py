"""Reading mutated index stores: no crash, no hang, no unbounded memory.

    python benchmarks/fuzz_indexstore.py [STORE...] [--minutes 5] [--findings FOLDER] [--seed 1]

Seeds are the units and records of the stores, and those of the sample that the tests hold, plain and compressed. Each is mutated (bits, bytes, pieces
taken out, put in and moved, lengths replaced; compressed ones inside of their compression as well) and read, and whatever comes of it goes the way
that indexing takes: compared with a text, made facts of, packed for the cache and back. An input may take ``SECONDS`` of processor, and the process
``MEMORY``. An input that raises, takes longer, or needs more is written to the folder of findings.

Where ``atheris`` is installed (``pip install atheris``; it is no dependency of the project), inputs that reach new code become seeds themselves.
Prints executions and the slowest input; exits with 1 if there are findings.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

SAMPLE = ROOT / "tests" / "fixtures" / "swift-store"

SECONDS = 2.0
"""Of processor for one input. Seeds of 100 KB take 30 ms; what grows faster than its input shows here."""
MEMORY = 2 << 30
"""Of address space. A record of the largest size that is read takes a tenth of it."""
LARGEST_SEED = 200_000
"""Bytes; larger seeds make few executions and no new code."""

_EDGES = (0, 1, 0x7F, 0x80, 0xFF)
"""Bytes at which something changes: signs, continuation bits."""
_COMPRESSED, _COMPRESSED_HEAD = b"CIDX", 9

RECORD, UNIT = b"R", b"U"
"""First byte of an input, which says as what the rest is read: a mutated magic would make everything noise."""


@dataclass(slots=True)
class Account:
    executions: int = 0
    slowest: float = 0.0
    """Seconds of processor."""
    findings: list[str] = field(default_factory=list)
    """What went wrong, each with its input's name."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="*", type=Path, metavar="STORE")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--findings", type=Path, default=Path("build/fuzz-indexstore"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    seeds = list(seeds_of([SAMPLE / "store", SAMPLE / "compressed-store", *options.stores]))
    if importlib.util.find_spec("atheris") is not None:
        fuzz_by_coverage(seeds, options.minutes, options.findings, options.seed)
        return
    found = fuzz(seeds, use, random.Random(options.seed), until(options.minutes * 60), options.findings)
    print(f"{found.executions:,} executions, the slowest {found.slowest:.2f} s, {len(found.findings)} findings")
    for finding in found.findings:
        print(finding)
    raise SystemExit(bool(found.findings))


def until(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield None


def seeds_of(stores: Iterable[Path]) -> Iterator[bytes]:
    for store in stores:
        for kind, folder in ((UNIT, "units"), (RECORD, "records")):
            for path in sorted((store / "v5" / folder).rglob("*")):
                if path.is_file() and path.stat().st_size <= LARGEST_SEED:
                    yield kind + path.read_bytes()


def fuzz(seeds: Sequence[bytes], read: Callable[[bytes], None], chance: random.Random, rounds: Iterable[object], findings: Path) -> Account:
    """Mutate and read once for each of the rounds. Findings are written into the folder, by their digest."""
    account = Account()
    for _ in rounds:
        seed = chance.choice(seeds)
        content = seed[:1] + mutated(seed[1:], chance)
        account.executions += 1
        started = time.process_time()
        try:
            with limited(SECONDS):
                read(content)
        except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
            name = hashlib.sha256(content).hexdigest()[:12]
            findings.mkdir(parents=True, exist_ok=True)
            (findings / name).write_bytes(content)
            (findings / f"{name}.txt").write_text("".join(traceback.format_exception(error)))
            account.findings.append(f"{name}: {type(error).__name__}: {error}")
        account.slowest = max(account.slowest, time.process_time() - started)
    return account


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises ``TimeoutError`` in what takes longer, in seconds of processor."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"takes more than {seconds:g} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def mutated(content: bytes, chance: random.Random) -> bytes:
    if content.startswith(_COMPRESSED) and chance.random() < 0.7:
        try:
            plain = mutated(zlib.decompress(content[_COMPRESSED_HEAD:]), chance)
        except zlib.error:
            pass  # it was mutated outside before
        else:
            return content[:5] + len(plain).to_bytes(4, "little") + zlib.compress(plain, 1)
    changed = bytearray(content)
    reach = len(changed) if chance.random() < 0.5 else min(len(changed), 700)  # heads of files hold what lengths and layouts there are
    for _ in range(chance.choice((1, 1, 2, 4, 16, 64))):
        if not changed:
            break
        at = chance.randrange(max(min(reach, len(changed)), 1))
        chance.choice(_MUTATIONS)(changed, at, chance)
    return bytes(changed)


def _flip(content: bytearray, at: int, chance: random.Random) -> None:
    content[at] ^= 1 << chance.randrange(8)


def _replace(content: bytearray, at: int, chance: random.Random) -> None:
    content[at] = chance.choice((*_EDGES, chance.randrange(256)))


def _take_out(content: bytearray, at: int, chance: random.Random) -> None:
    del content[at : at + chance.choice((1, 4, 32, len(content)))]


def _put_in(content: bytearray, at: int, chance: random.Random) -> None:
    content[at:at] = bytes(chance.choice((*_EDGES, chance.randrange(256))) for _ in range(chance.choice((1, 4, 64))))


def _move(content: bytearray, at: int, chance: random.Random) -> None:
    size, source = chance.choice((4, 16, 256)), chance.randrange(len(content))
    content[at : at + size] = content[source : source + size]


def _lengthen(content: bytearray, at: int, chance: random.Random) -> None:
    """Lengths of blocks are whole words."""
    at &= ~3
    content[at : at + 4] = chance.choice((0, 1, 1 << 16, 1 << 31, (1 << 32) - 1, chance.getrandbits(12))).to_bytes(4, "little")


_MUTATIONS = (_flip, _flip, _replace, _take_out, _put_in, _move, _lengthen)


def use(content: bytes) -> None:
    """Read an input as its first byte says, and do with it what indexing does. Raises only if something is wrong with the reader."""
    from exegesis.v1 import facts_pb2
    from exegesis.wire.exact import exact_from_message, exact_to_message
    from services.indexer.exact.facts import IndexedFile, calls, definitions, links
    from services.indexer.exact.freshness import measure_freshness
    from services.indexer.exact.indexstore import ProjectIndex, keep_fresh
    from services.indexer.exact.recorded import recorded
    from services.indexer.exact.records import read_record
    from services.indexer.exact.units import read_unit

    kind, content = content[:1], content[1:]
    if kind == UNIT:
        read_unit("it", content)
        read_unit("it", content, system=False)
        return
    record = read_record("it", content)
    file = IndexedFile("it", "M", record)
    source = SOURCE.read_bytes()
    for _ in (*calls([file]), *links([file]), *definitions([file])):
        pass
    measure_freshness(record, source)
    fresh, _ = keep_fresh(ProjectIndex((file,), (), 1, ()), lambda _: source)
    for files in ([file], list(fresh.files)):
        facts = recorded("it", files, is_fresh=True)
        if facts != exact_from_message(facts_pb2.ExactFacts.FromString(exact_to_message(facts).SerializeToString())):
            raise ValueError("The cache gives other facts than it was given.")


SOURCE = SAMPLE / "package" / "Sources" / "Orchard" / "Trees.swift"


def fuzz_by_coverage(seeds: Sequence[bytes], minutes: float, findings: Path, seed: int) -> None:
    """Never returns: libFuzzer ends the process, with 0 if it found nothing."""
    import atheris

    with atheris.instrument_imports(include=["services.indexer.exact", "exegesis.wire.exact"]):
        use(RECORD)
        use(UNIT)
    findings.mkdir(parents=True, exist_ok=True)
    corpus = tempfile.mkdtemp(prefix="fuzz-corpus-")
    for number, content in enumerate(seeds):
        (Path(corpus) / str(number)).write_bytes(content)

    def change(content: bytes, most: int, number: int) -> bytes:
        chance = random.Random(number)
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(content, most))[:most]
        return (content[:1] + mutated(content[1:], chance))[:most]

    limits = [f"-max_total_time={round(minutes * 60)}", f"-timeout={round(SECONDS * 5)}", "-rss_limit_mb=2048", f"-max_len={LARGEST_SEED}"]
    arguments = [sys.argv[0], *limits, f"-seed={seed}", f"-artifact_prefix={findings}/", "-print_final_stats=1", corpus]
    atheris.Setup(arguments, use, custom_mutator=change)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
