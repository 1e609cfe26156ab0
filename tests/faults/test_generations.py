"""What a crash, a rewritten history, a full disk or another embedding model does to an index: the head answers, or a whole new one does.

Faults 13, 14, 15, 17, 23 and 30.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_catalog import SqliteCatalog
from exegesis.adapters.system_clock import SystemClock
from exegesis.errors import EmbedderMismatch
from exegesis.model import FileStatus, Generation, Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions, IndexReport
from tests.fakes.qdrant_rest import qdrant_rest
from tests.fakes.tei_server import TeiServer, tei_server

HOUSE = Path(__file__).resolve().parents[2]
WORDS = IndexOptions(embed=False)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect", "ignore:Local mode performs exact"),
]


def write(folder: Path, version: str, files: int = 6) -> None:
    """Files that all say which version they are of."""
    folder.mkdir(exist_ok=True)
    for number in range(files):
        body = f'print("{version}")\n    renewSession{(number + 1) % files}()'
        text = f"/// Renews the session of {version}.\nfunc renewSession{number}() {{\n    {body}\n}}\n"
        (folder / f"Session{number}.swift").write_text(text, "utf-8")


def index(assembly: Assembly, folder: Path, options: IndexOptions = WORDS) -> IndexReport:
    return assembly.indexer.index(str(folder), options, lambda _: None)


def text_of(assembly: Assembly, repository: str) -> str:
    """All code that a question gets."""
    composed = assembly.query.compose(Question("How is the session renewed?", (repository,), Options(dense=False)))
    return "".join(item.text for item in composed.context.items)


# ---- crashes


class Crash(BaseException):
    """The process ends here."""


class CrashingCatalog(SqliteCatalog):
    """Ends the process just before a generation becomes the head, as often as it is told to."""

    crashes = 0

    def activate(self, run: str, generation: Generation) -> bool:
        if self.crashes > 0:
            self.crashes -= 1
            raise Crash
        return super().activate(run, generation)


class CrashingAssembly(Assembly):
    """With such a catalog."""

    def __init__(self, settings: Settings, catalog: CrashingCatalog) -> None:
        super().__init__(settings)
        self.__dict__["catalog"] = catalog


@pytest.fixture(params=["files", "server"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """With the chunk index in files, or on a server."""
    home = str(tmp_path / "home")
    if request.param == "files":
        yield Settings(home=home, embedder="none", workers=1)
        return
    with qdrant_rest() as server:
        yield Settings(home=home, embedder="none", workers=1, chunks_address=server.url)


def test_a_crash_before_the_head_moves_leaves_the_old_one(settings: Settings, tmp_path: Path) -> None:
    """Fault 14: everything is written, and nobody reads it; the next run makes the head, and what the crash left is collected."""
    project = tmp_path / "project"
    write(project, "one")
    (tmp_path / "home").mkdir()
    catalog = CrashingCatalog(tmp_path / "home" / "catalog.db", SystemClock())
    with contextlib.closing(CrashingAssembly(settings, catalog)) as assembly:
        first = index(assembly, project)
        repository = first.repository.id
        write(project, "two")
        for _ in range(2):
            catalog.crashes = 1
            with pytest.raises(Crash):
                index(assembly, project)
            assert assembly.catalog.head(repository) == first.generation
            assert '"two"' not in text_of(assembly, repository)
        made = index(assembly, project)
        assert '"one"' not in text_of(assembly, repository)
        known = {generation.id for generation in assembly.catalog.generations(repository)}
        assert made.generation.id in known
        assert set(assembly.graph.stored(repository)) <= known
        assert set(assembly.chunk_index.generations(repository)) <= known


def test_a_question_reads_one_generation(settings: Settings, tmp_path: Path) -> None:
    """Fault 15: while the head moves again and again, no answer has words of two versions, and none fails."""
    project = tmp_path / "project"
    write(project, "version-0")
    with contextlib.closing(Assembly(settings)) as assembly:
        repository = index(assembly, project).repository.id
        over, wrong, answers = threading.Event(), list[object](), list[int]()

        def ask() -> None:
            while not over.is_set():
                try:
                    text = text_of(assembly, repository)
                except Exception as error:  # noqa: BLE001 - told below
                    wrong.append(error)
                    return
                versions = {number for number in range(9) if f'"version-{number}"' in text}
                if len(versions) != 1:
                    wrong.append(versions)
                answers.append(min(versions))

        asking = threading.Thread(target=ask)
        asking.start()
        for number in range(1, 6):
            write(project, f"version-{number}")
            index(assembly, project)
        over.set()
        asking.join(30)
        assert wrong == []
        assert answers == sorted(answers)
        assert len(answers) > 5


# ---- history


@pytest.mark.skipif(shutil.which("git") is None, reason="it is about commits")
def test_a_rewritten_history_costs_what_differs(tmp_path: Path) -> None:
    """Fault 13: the commit that was indexed is gone for good; only what is new is parsed and embedded, and the head names the new commit."""
    project = tmp_path / "project"
    write(project, "one", files=9)

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
        return subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    with (
        tei_server() as served,
        contextlib.closing(
            Assembly(Settings(home=str(tmp_path / "home"), workers=1, embedder_address=served.url, embedder_model=served.model))
        ) as assembly,
    ):
        first = index(assembly, project, IndexOptions())
        served.asked.clear()
        (project / "Session0.swift").write_text("func other() {}\n", "utf-8")
        (project / "Session1.swift").unlink()
        git("add", "--all")
        git("commit", "--quiet", "--amend", "-m", "rewritten")
        git("reflog", "expire", "--expire=now", "--all")
        git("gc", "--quiet", "--prune=now")
        made = index(assembly, project, IndexOptions())
        assert made.generation.coverage.dense == 1.0
        assert all("other" in text for texts in served.asked for text in texts)
        assert made.generation.commit.startswith(git("rev-parse", "HEAD")[: len(made.generation.commit)])
        assert made.generation.commit != first.generation.commit
        assert (made.changed, made.removed) == (1, 1)


# ---- what is hostile or too large


@pytest.mark.parametrize("number_of_files", [1_000, pytest.param(1_000_000, marks=pytest.mark.endurance)])
def test_a_repository_of_absurd_size_is_bounded_in_time_and_disk(tmp_path: Path, number_of_files: int) -> None:
    """Fault 23: a gigabyte of nothing, links out of the repository, names that are no text, and very many files: counted, with reasons."""
    project = tmp_path / "project"
    write(project, "one")
    with (project / "huge.swift").open("wb") as huge:
        huge.truncate(1 << 30)
    (project / "passwords.swift").symlink_to("/etc/passwd")
    (project / "up").symlink_to("../..")
    (Path(os.fsdecode(os.fsencode(project) + b"/\xff\xfe.swift"))).write_text("func f() {}\n", "utf-8")
    (project / ".gitmodules").write_text('[submodule "x"]\n\tpath = x\n\turl = file:///etc\n', "utf-8")
    for thousand in range(number_of_files // 1_000):
        folder = project / f"data{thousand}"
        folder.mkdir()
        (folder / "0.bin").write_bytes(b"\0\1\2")
        for number in range(1, 1_000):
            (folder / f"{number}.bin").hardlink_to(folder / "0.bin")  # a million files without a million blocks
    with contextlib.closing(Assembly(Settings(home=str(tmp_path / "home"), embedder="none", workers=1))) as assembly:
        started = time.monotonic()
        made = index(assembly, project)
        assert time.monotonic() - started < 30 + number_of_files / 500
        coverage = made.generation.coverage
        assert coverage.seen == coverage.indexed + sum(number for _, number in coverage.skipped) + len(coverage.failed)
        assert coverage.seen > number_of_files
        status = {file.path: file.status for file in assembly.indexer.files(made.repository.id)}
        assert status["huge.swift"] is FileStatus.SKIPPED
        assert status["passwords.swift"] is not FileStatus.INDEXED
        assert "root:" not in text_of(assembly, made.repository.id)
    kept = sum(file.stat().st_blocks * 512 for file in (tmp_path / "home").rglob("*") if file.is_file())
    assert kept < (20 << 20) + 1_000 * number_of_files


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv[1:] = sys.argv[2:]
from exegesis.__main__ import main
sys.exit(main())
"""
"""A disk on which no file grows beyond so many bytes."""


def test_a_full_disk_ends_a_run_and_leaves_the_head(tmp_path: Path) -> None:
    """Fault 30: with a message and exit code 1; what was indexed before answers, and the next run with room takes it up. Nothing half-made stays."""
    project, home = tmp_path / "project", tmp_path / "home"
    write(project, "one")
    environment = {**os.environ, "EXEGESIS_HOME": str(home), "EXEGESIS_EMBEDDER": "none", "PYTHONPATH": str(HOUSE)}
    with contextlib.closing(Assembly(Settings(home=str(home), embedder="none", workers=1))) as assembly:
        first = index(assembly, project)
    write(project, "two", files=400)
    command = [sys.executable, "-c", LIMITED, str(200 << 10), "index", str(project), "--no-embed"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    with contextlib.closing(Assembly(Settings(home=str(home), embedder="none", workers=1))) as assembly:
        repository = first.repository.id
        assert assembly.catalog.head(repository) == first.generation
        assert '"one"' in text_of(assembly, repository)
        made = index(assembly, project)
        assert '"two"' in text_of(assembly, repository)
        known = {generation.id for generation in assembly.catalog.generations(repository)}
        assert made.generation.id in known
        assert set(assembly.graph.stored(repository)) <= known


# ---- another model


def test_a_server_that_restarts_as_another_model_writes_no_vector(tmp_path: Path) -> None:
    """Fault 17: the run that computes vectors fails and says why; the head without vectors goes on answering."""
    project = tmp_path / "project"
    write(project, "one")
    with tei_server() as served:
        other = TeiServer(model="sentence-transformers/other", dimensions=384)
        settings = Settings(home=str(tmp_path / "home"), workers=1, embedder_address=served.url, embedder_model=served.model)
        with contextlib.closing(Assembly(settings)) as assembly:
            index(assembly, project)
            served.model = other.model
            with pytest.raises(EmbedderMismatch) as raised:
                index(assembly, project, IndexOptions())
            assert raised.value.status == "FAILED_PRECONDITION"
            repository = assembly.indexer.locate(str(project)).id
            head = assembly.catalog.head(repository)
            assert head is not None
            assert (head.embedder, head.coverage.dense) == ("", 0.0)
            assert '"one"' in text_of(assembly, repository)
