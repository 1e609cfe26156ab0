"""Whether a team's installation composes the contexts that one process composes, byte for byte.

    python benchmarks/same_context.py SWIFT MARKDOWN [--questions 5]

Copies both folders, makes commits of them, and serves a third repository, the example's sources, bare over HTTP. Then runs what `make up` runs, in a
folder that is deleted afterwards, registers all three over gRPC and watches their progress. The same questions are asked over gRPC and HTTP, and one
of each repository by the command with `--server`; and all of them again of an index that one process makes of the same commits. Messages are compared
as bytes, and so is what the command prints, without the identifier of a repository that is fetched: it follows from its address.

Exit code 0 if nothing differs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import httpx
from google.protobuf import json_format

HOUSE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HOUSE))  # for `deploy` and the git host, which are no part of the distribution

from benchmarks.over_the_queue import WORDS, Installation, installation  # noqa: E402 - after the line above, as all of these
from exegesis.model import Question  # noqa: E402
from exegesis.settings import read_settings  # noqa: E402
from exegesis.v1 import gateway_pb2, gateway_pb2_grpc, model_pb2, query_pb2  # noqa: E402
from exegesis.wire import to_message  # noqa: E402
from services.assembly import Assembly  # noqa: E402
from services.gateway.tokens import Grants, mint  # noqa: E402
from services.graph.api import Pin  # noqa: E402
from tests.fakes.git_http import commit_all, git_host  # noqa: E402

FIXED = ("What is this project for?", "How are errors handled?")
"""Asked of every repository, besides questions about what most of it refers to."""


SAME, DIFFERENT = "the same to the byte", "different"


@dataclass(frozen=True, slots=True)
class Kept:
    """A repository in one of the two installations."""

    id: str
    commit: str


@dataclass(frozen=True, slots=True)
class Doors:
    """A repository over there and here, and how it is reached."""

    far: Kept
    here: Kept
    folder: Path
    made: Installation
    token: str

    @property
    def shown(self) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self.token}")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("swift", type=Path)
    parser.add_argument("markdown", type=Path)
    parser.add_argument("--questions", type=int, default=5, metavar="N", help="about each repository (%(default)s)")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as opened:
        scratch = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        sources = {path.resolve().name: path for path in (arguments.swift, arguments.markdown)} | {
            "bare": HOUSE / "examples" / "swift-oauth" / "Sources"
        }
        for name, source in sources.items():
            shutil.copytree(source, scratch / name, ignore=shutil.ignore_patterns(".git"), symlinks=True)
            commit_all(scratch / name)
        host = opened.enter_context(git_host(scratch / "host"))
        reach = {"EXEGESIS_GIT_PROTOCOLS": "http", "EXEGESIS_GIT_HOSTS": "127.0.0.1"}
        made = opened.enter_context(installation(scratch / "up", doors=True, queries=2, **reach))
        token = _token(made)
        near = {"EXEGESIS_HOME": str(scratch / "near"), "EXEGESIS_EMBEDDER": "none"}
        alone = opened.enter_context(contextlib.closing(Assembly(read_settings(near))))
        stub = gateway_pb2_grpc.GatewayStub(opened.enter_context(grpc.insecure_channel(made.address)))
        wrong = 0
        for name in sources:
            far = _register(stub, token, name, host.publish(scratch / name, name) if name == "bare" else str(scratch / name))
            done = alone.indexer.index(str(scratch / name), WORDS, lambda _: None)
            doors = Doors(far, Kept(done.repository.id, done.generation.commit), scratch / name, made, token)
            questions = _questions(alone, Pin(done.repository.id, done.generation.id), arguments.questions)
            compared = [*_asked(stub, doors, alone, questions), _printed(doors, near, questions[0])]
            wrong += _tell(name, doors, compared)
    return min(1, wrong)


def _tell(name: str, doors: Doors, compared: Sequence[tuple[str, str]]) -> int:
    """Prints what was found; returns how much is wrong."""
    found = Counter(verdict for _, verdict in compared)
    print(f"  at commit {doors.here.commit[:12]}: " + ", ".join(f"{number} {verdict}" for verdict, number in sorted(found.items())))
    wrong = [f"{name} {what}" for what, verdict in compared if verdict == DIFFERENT]
    wrong += [f"{name}: commit {doors.far.commit}"] if doors.far.commit != doors.here.commit else []
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return len(wrong)


def _token(made: Installation) -> str:
    with contextlib.closing(Assembly(read_settings(made.settings))) as assembly:
        written, record = mint("same-context", Grants(admin=True), now=assembly.clock.now(), seconds=None, per_minute=100_000)
        assembly.tokens.add(record)
    return written


def _register(stub: gateway_pb2_grpc.GatewayStub, token: str, name: str, place: str) -> Kept:
    started, phases = time.monotonic(), dict[str, None]()
    asked = gateway_pb2.IndexRepositoryRequest(project=place)
    for event in stub.IndexRepository(asked, metadata=[("authorization", f"Bearer {token}")], timeout=1_800):
        if event.WhichOneof("event") == "progress":
            phases[event.progress.phase] = None
    report = event.report
    print(f"{name}: {report.generation.chunks} chunks in {time.monotonic() - started:.1f} s, seen on the way: {', '.join(phases)}", flush=True)
    return Kept(report.repository.id, report.generation.commit)


def _questions(alone: Assembly, pin: Pin, count: int) -> list[str]:
    names = dict.fromkeys(hub.symbol.name.partition("(")[0] for hub in alone.graph.hubs(pin, limit=count))
    return [f"How is {name} used?" for name in names][: max(0, count - len(FIXED))] + list(FIXED)


def _asked(stub: gateway_pb2_grpc.GatewayStub, doors: Doors, alone: Assembly, questions: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each question at each door, and whether the context is that of one process."""
    for text in questions:
        expected = to_message(alone.query.compose(Question(text, (doors.here.id,))).context, model_pb2.Context)
        over_grpc = stub.Compose(gateway_pb2.Asked(text=text, projects=[doors.far.id]), metadata=doors.shown, timeout=120).context
        body = {"text": text, "projects": [doors.far.id]}
        answer = httpx.post(f"{_http(doors.made)}/v1/compose", json=body, headers=dict(doors.shown), timeout=120, trust_env=False)
        over_http = json_format.Parse(answer.text, query_pb2.Composition()).context
        for door, context in (("gRPC", over_grpc), ("HTTP", over_http)):
            if doors.far.id != doors.here.id:
                for item in (*context.items, *expected.items):
                    item.repository = ""
            yield f"over {door}: {text}", _verdict(context, expected)


def _verdict(one: model_pb2.Context, other: model_pb2.Context) -> str:
    is_same = one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True)
    return SAME if is_same else DIFFERENT


def _printed(doors: Doors, near: Mapping[str, str], text: str) -> tuple[str, str]:
    """Whether the command that asks the gateway prints the context that the one prints which has the index."""
    contexts = []
    for told, known in (({"EXEGESIS_SERVER": doors.made.address, "EXEGESIS_TOKEN": doors.token}, doors.far.id), (near, str(doors.folder))):
        command = [sys.executable, "-m", "exegesis", "explain", text, "--project", known, "--json", "--no-llm"]
        environment = {**_clean(), "EXEGESIS_HOME": str(doors.folder.parent / "client"), **told, "PYTHONPATH": str(HOUSE)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=300)
        contexts.append(json.dumps(json.loads(done.stdout)["context"]))
    one, other = contexts[0].replace(doors.far.id, "*"), contexts[1].replace(doors.here.id, "*")
    return f"by the command: {text}", SAME if one == other else DIFFERENT


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("EXEGESIS_")}


def _http(made: Installation) -> str:
    return next(f"http://{found[1]}" for line in made.said if (found := re.search(r"gateway listening at .* HTTP at ([^\s,]+)", line)))


if __name__ == "__main__":
    sys.exit(main())
