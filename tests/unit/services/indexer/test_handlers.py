"""The jobs of a run: leases, answers, and which of them are kept for good."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.system_clock import SystemClock
from exegesis.model import RunState
from services.indexer.handlers import BatchParser, Plan, load_plan, parse, save_plan
from services.indexer.parse_process import Unparsed
from services.indexer.pool import PROGRAM, ParserPool

COUNTING = f"""
{PROGRAM.removesuffix("serve()").rstrip()}
import ctypes, os
def parse(root, file):
    with open(os.path.join(root, "parsed"), "a") as log:
        log.write(file.path + "\\n")
    if file.path == "deadly":
        ctypes.string_at(0)
    return {{"good": b"fFACTS", "skipped": b"sbinary", "failed": b"xchanged", "words": b"wFACTS"}}[file.path]
serve(parse)
"""
FILES = [Unparsed(name, "1", "") for name in ("good", "skipped", "failed", "words", "deadly")]
ANSWERS = {"good": b"fFACTS", "skipped": b"sbinary", "failed": b"xchanged", "words": b"wFACTS", "deadly": b"dparser crashed (SIGSEGV)"}


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqliteCatalog]:
    made = SqliteCatalog(tmp_path / "catalog.db", SystemClock())
    yield made
    made.close()


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[SqliteCache]:
    made = SqliteCache(tmp_path / "cache.db")
    yield made
    made.close()


@pytest.fixture
def parsers() -> Iterator[ParserPool]:
    with ParserPool(workers=1, program=COUNTING) as pool:
        yield pool


def parsed(tmp_path: Path) -> list[str]:
    log = tmp_path / "parsed"
    names = log.read_text().split() if log.exists() else []
    log.unlink(missing_ok=True)
    return names


def plan_of(run: str, root: Path) -> Plan:
    return Plan("r", run, str(root), {file.path: file for file in FILES})


def test_answers_are_kept_unless_the_next_run_may_get_another(cache: SqliteCache, parsers: ParserPool, tmp_path: Path) -> None:
    """Facts, skips, faults of a language and deaths are functions of content; any other failure counts for its run only."""
    staying = threading.Event()
    assert parse(plan_of("one", tmp_path), FILES, cache, parsers, leaving=staying) == ANSWERS
    assert parsed(tmp_path) == ["good", "skipped", "failed", "words", "deadly", "deadly"], "a crash is tried once more alone"
    assert parse(plan_of("one", tmp_path), FILES, cache, parsers, leaving=staying) == ANSWERS
    assert parsed(tmp_path) == []
    assert parse(plan_of("two", tmp_path), FILES, cache, parsers, leaving=staying) == ANSWERS
    assert parsed(tmp_path) == ["failed"]


def test_what_another_parser_failed_at_is_tried_again(cache: SqliteCache, parsers: ParserPool, tmp_path: Path) -> None:
    """Also within the same run, and also what the other one died of, or found words alone in; what it made of good files stays."""
    staying = threading.Event()
    parse(plan_of("one", tmp_path), FILES, cache, parsers, leaving=staying)
    parsed(tmp_path)
    with ParserPool(workers=1, program=COUNTING, version="mended") as mended:
        parse(plan_of("one", tmp_path), FILES, cache, mended, leaving=staying)
    assert parsed(tmp_path) == ["failed", "words", "deadly", "deadly"]


def test_another_digest_is_another_file(cache: SqliteCache, parsers: ParserPool, tmp_path: Path) -> None:
    """An answer is found by everything that it depends on."""
    staying = threading.Event()
    parse(plan_of("one", tmp_path), FILES[:1], cache, parsers, leaving=staying)
    parse(plan_of("one", tmp_path), [Unparsed("good", "2", "")], cache, parsers, leaving=staying)
    assert parsed(tmp_path) == ["good", "good"]


def test_a_plan_is_found_by_its_run_only(catalog: SqliteCatalog, tmp_path: Path) -> None:
    """A message of a run whose place another has taken finds nothing to do."""
    plan = plan_of("one", tmp_path)
    assert load_plan(catalog, "r", "one") is None
    save_plan(catalog, plan)
    assert load_plan(catalog, "r", "one") == plan
    assert load_plan(catalog, "r", "two") is None


def test_a_job_delivered_twice_is_done_once(catalog: SqliteCatalog, cache: SqliteCache, parsers: ParserPool, tmp_path: Path) -> None:
    """The second delivery finds the batch done; both say that it is finished."""
    run, _ = catalog.start_run("r", "inputs")
    save_plan(catalog, plan_of(run, tmp_path))
    catalog.plan(run, [["good", "skipped"]])
    finished: list[int] = []
    handle = BatchParser(catalog, cache, parsers, owner="me", finished=finished.append, leaving=threading.Event())
    handle(repository="r", run=run, number=0)
    assert catalog.batches(run)[0].state is RunState.DONE
    handle(repository="r", run=run, number=0)
    assert finished == [0, 0]
    assert parsed(tmp_path) == ["good", "skipped"]


def test_leaving_keeps_what_was_parsed_and_leaves_the_batch_unfinished(
    catalog: SqliteCatalog, cache: SqliteCache, parsers: ParserPool, tmp_path: Path
) -> None:
    """An interrupted batch is due again, and costs only what it had not done."""
    run, _ = catalog.start_run("r", "inputs")
    save_plan(catalog, plan_of(run, tmp_path))
    catalog.plan(run, [["good", "skipped"]])
    leaving = threading.Event()
    leaving.set()
    BatchParser(catalog, cache, parsers, owner="me", finished=lambda _number: None, leaving=leaving)(repository="r", run=run, number=0)
    assert catalog.batches(run)[0].state is not RunState.DONE
    leaving.clear()
    parsed(tmp_path)
    BatchParser(catalog, cache, parsers, owner="me", finished=lambda _number: None, leaving=leaving)(repository="r", run=run, number=0)
    assert parsed(tmp_path) == ["skipped"]
    assert catalog.batches(run)[0].state is RunState.DONE
