"""One of several query services is killed while all of them answer: the others go on, and whoever lost an answer is told so.

Not in the list of faults, but what several of them are for.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import grpc
import pytest

from exegesis.settings import Settings
from exegesis.v1 import gateway_pb2, model_pb2
from services.assembly import Assembly
from services.gateway.tokens import Grants
from tests.fakes.gateway import Served, gateway, token
from tests.fakes.openai_server import Exchange, Script, endpoint, event, piece
from tests.fakes.three_repositories import three_repositories

pytestmark = pytest.mark.slow

HOUSE = Path(__file__).resolve().parents[2]
READERS = 6
ASKED = gateway_pb2.Asked(text="How is the session token renewed?", projects=["alpha"])


@contextmanager
def query_service(home: Path, log: Path, model: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A process that answers, and where it listens."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("EXEGESIS_", "OTEL_"))}
    told = {"EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none", "EXEGESIS_MODEL_URL": model, "EXEGESIS_MODEL": "any", "PYTHONPATH": str(HOUSE)}
    command = [sys.executable, "-m", "exegesis", "serve", "query", "--listen", "127.0.0.1:0"]
    with log.open("wb") as out:
        process = subprocess.Popen(command, env={**own, **told}, stdout=out, stderr=out)
    try:
        deadline = time.monotonic() + 60
        while not (found := re.search(r"listening at (\S+)", log.read_text("utf-8"))):
            assert time.monotonic() < deadline, log.read_text("utf-8")
            time.sleep(0.05)
        yield process, found[1]
    finally:
        process.kill()
        process.wait()


def writes_when(may: threading.Event) -> Script:
    """A model that has begun, and goes on when it may."""

    def script(exchange: Exchange) -> None:
        exchange.start()
        exchange.write(event(piece("The token is renewed [E1].")))
        may.wait(60)
        exchange.write(event(piece(finish="stop")) + b"data: [DONE]\n\n")

    return script


def explained(served: Served, shown: str) -> model_pb2.Event | grpc.RpcError:
    """The last event of an answer, or what it failed with."""
    last = model_pb2.Event()
    try:
        for each in served.stub(shown).Explain(ASKED, timeout=60):
            last = each
    except grpc.RpcError as error:
        return error
    return last


def test_a_query_service_that_is_killed_costs_its_own_answers_only(tmp_path: Path) -> None:
    """Those end with an error that says what happened and that trying again helps; the answers of the other one, and the next question, do not."""
    first, _ = three_repositories(tmp_path)
    first.close()
    home, may = tmp_path / "home", threading.Event()
    with contextlib.ExitStack() as opened:
        model = opened.enter_context(endpoint(writes_when(may)))
        doomed, one = opened.enter_context(query_service(home, tmp_path / "one", model.url))
        _, other = opened.enter_context(query_service(home, tmp_path / "other", model.url))
        assembly = opened.enter_context(closing(Assembly(Settings(home=str(home), embedder="none", workers=1, query_address=f"{one},{other}"))))
        served = opened.enter_context(gateway(assembly))
        shown = token(assembly, Grants(admin=True))
        with ThreadPoolExecutor(READERS) as readers:
            answers = [readers.submit(explained, served, shown) for _ in range(READERS)]
            deadline = time.monotonic() + 60
            while len(model.requests) < READERS:
                assert time.monotonic() < deadline
                time.sleep(0.02)
            doomed.kill()
            doomed.wait()
            may.set()
            outcomes = [answer.result(60) for answer in answers]
        lost = [outcome for outcome in outcomes if isinstance(outcome, grpc.RpcError)]
        ended = [outcome for outcome in outcomes if isinstance(outcome, model_pb2.Event)]
        assert len(lost) == len(ended) == READERS // 2
        assert {last.WhichOneof("event") for last in ended} == {"finished"}
        for error in lost:
            assert error.code() is grpc.StatusCode.UNAVAILABLE
            assert "does not answer" in error.details()
        after = explained(served, shown)
        assert isinstance(after, model_pb2.Event)
        assert after.WhichOneof("event") == "finished"
