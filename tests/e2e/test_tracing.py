"""Spans leave the process by OTLP, as one tree, when the standard variables ask for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import Run
from tests.fakes.collector import Collector, collecting

STAGES = {"retrieval", "symbol-mapping", "graph-traversal", "ranking", "context-composition", "generation"}


@pytest.fixture
def collector() -> Iterator[tuple[Collector, str]]:
    """A collector on loopback and its address."""
    with collecting() as made:
        yield made


def test_an_explanation_is_one_trace_with_a_span_per_stage(exegesis: Run, collector: tuple[Collector, str]) -> None:
    """The stages are children of the question's span, and the answer bears the trace's identifier."""
    kept, address = collector
    done = exegesis("explain", "How does a token get refreshed?", "--json", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert done.returncode == 0, done.stderr
    roots = [span for span in kept.spans if span.name == "explain"]
    assert len(roots) == 1
    children = {span.name for span in kept.spans if span.parent_span_id == roots[0].span_id}
    assert children >= STAGES
    assert json.loads(done.stdout)["trace_id"] == roots[0].trace_id.hex()


def test_an_index_run_is_one_trace_with_a_span_per_stage(exegesis: Run, collector: tuple[Collector, str], tmp_path: Path) -> None:
    """Each stage is inside of the run, and tells how much it took in and gave out."""
    kept, address = collector
    (tmp_path / "a.swift").write_text('func greet() { print(name()) }\nfunc name() -> String { "you" }\n')
    done = exegesis("index", str(tmp_path), "--no-embed", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert done.returncode == 0, done.stderr
    run = next(span for span in kept.spans if span.name == "index")
    inside = {span.name: span for span in kept.spans if span.trace_id == run.trace_id and span.span_id != run.span_id}
    assert set(inside) == {"walk", "parse", "link", "upsert", "activate", "describe"}
    assert {attribute.key: attribute.value.int_value for attribute in inside["link"].attributes} == {"exegesis.items.in": 2, "exegesis.items.out": 1}


def test_spans_hold_no_text_of_question_or_code(exegesis: Run, collector: tuple[Collector, str]) -> None:
    """Counts and identifiers only."""
    kept, address = collector
    exegesis("explain", "How does a token get refreshed?", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert kept.spans
    said = " ".join(str(span) for span in kept.spans)
    assert "refreshed" not in said
    assert "usableCredential" not in said


def test_spans_of_what_is_refused_say_so_and_no_more(exegesis: Run, collector: tuple[Collector, str]) -> None:
    """The error quotes the question and names of the code; the span has its kind."""
    kept, address = collector
    done = exegesis("explain", "How are walruses teleported by quantum dishwashers?", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT=address)
    assert done.returncode == 3
    (root,) = (span for span in kept.spans if span.name == "explain")
    assert root.status.message == "NothingRelevant"
    assert "walrus" not in " ".join(map(str, kept.spans))


def test_a_collector_that_is_down_costs_an_answer_nothing(exegesis: Run) -> None:
    """The answer comes, and the process ends in time."""
    done = exegesis("explain", "How does a token get refreshed?", "--json", "--no-dense", OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 0
    assert json.loads(done.stdout)["answer"]
