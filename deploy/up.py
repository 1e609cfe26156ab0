"""``make up``: every service as a process of this machine, with the servers that wheels bring. One log, one Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from deploy import wheels
from deploy.programs import USER, Places, servers, services
from deploy.supervise import Say, Supervisor
from exegesis.errors import ExegesisError, Unavailable
from exegesis.settings import read_settings
from services.assembly import Assembly
from services.gateway.arguments import DAYS, LISTEN, LISTEN_HTTP, PER_MINUTE
from services.gateway.tokens import Grants, is_live, mint

if TYPE_CHECKING:
    from typing import TextIO

_COLOURS: Final = (36, 33, 35, 32, 34, 31, 96, 93)
"""Of the names of programs on a terminal; errors are not told by colour, so red is one of them."""

_NAMES: Final = 11
"""Characters of the longest name."""

_MOST_QUERIES: Final = 4
"""Processes that answer questions unless told otherwise: one for each core, a quarter of a gigabyte each."""


def main(written: Sequence[str]) -> int:
    arguments = _parser().parse_args(written)
    stopping, hurried = threading.Event(), threading.Event()

    def told(_signal: int, _frame: object) -> None:
        (hurried if stopping.is_set() else stopping).set()

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the last one when the terminal is closed
        signal.signal(each, told)
    try:
        with _sockets() as sockets, _alone(arguments.folder):
            return _run(Places(arguments.folder, sockets, arguments.listen, arguments.http, arguments.queries), arguments.workers, stopping, hurried)
    except ExegesisError as error:
        print(f"up: {error.message}\n  {error.hint}", file=sys.stderr)
        return 1


def _run(places: Places, workers: int, stopping: threading.Event, hurried: threading.Event) -> int:
    prepare(places)
    programs = [*servers(places), *services(places, workers=workers)]
    supervisor = Supervisor(programs, _log(sys.stdout, [program.name for program in programs]), stopping)
    try:
        supervisor.start()
        if not stopping.is_set():
            _welcome(places)
        supervisor.keep()
    finally:
        supervisor.end(hurried)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make up", description="Runs every service on this machine until Ctrl-C.")
    here = Path(".up").absolute()
    parser.add_argument("--folder", type=lambda written: Path(written).absolute(), default=here, help="keeps everything (%(default)s)")
    parser.add_argument("--listen", default=LISTEN["gateway"], help="where the gateway answers over gRPC (%(default)s)")
    parser.add_argument("--http", default=LISTEN_HTTP, help="and over HTTP (%(default)s)")
    half = max(1, (os.cpu_count() or 2) // 2)
    parser.add_argument("--workers", type=int, default=half, metavar="N", help="processes of each of the two workers (%(default)s)")
    most = min(os.cpu_count() or 1, _MOST_QUERIES)
    parser.add_argument("--queries", type=_positive, default=most, metavar="N", help="processes that answer questions (%(default)s)")
    return parser


def _positive(written: str) -> int:
    number = int(written)
    if number < 1:
        raise ValueError
    return number


def prepare(places: Places) -> None:
    """Folders, and an empty database where there is none."""
    places.home.mkdir(parents=True, exist_ok=True)
    places.queue.mkdir(exist_ok=True)
    (places.sockets / "sql").mkdir()
    identity = wheels.somebody()
    if not (places.database / "PG_VERSION").exists():
        places.database.mkdir(exist_ok=True)
        if identity:
            shutil.chown(places.database, identity["user"], identity["group"])
        options = ["-U", USER, "--auth=trust", "-E", "UTF8", "--locale=C"]  # trust: its socket is in a folder of ours alone
        command = [str(wheels.postgres("initdb")), "-D", str(places.database), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **identity)
        if done.returncode != 0:
            raise Unavailable("There is no database, and none can be made.", hint=done.stderr.strip())
    if identity:
        shutil.chown(places.sockets / "sql", identity["user"], identity["group"])
        places.sockets.chmod(0o711)
        (places.sockets / "sql").chmod(0o700)


@contextmanager
def _sockets() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="exegesis-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Raises ``Unavailable`` where another installation runs in this folder."""
    import fcntl

    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unavailable(f"Another installation runs in {folder}.", hint="Stop it, or give another --folder.") from None
        yield


def _log(out: TextIO, names: Sequence[str]) -> Say:
    """Lines with the name of who says them, in its colour on a terminal that has some."""
    colours = {name: _COLOURS[number % len(_COLOURS)] for number, name in enumerate(names)}
    is_coloured = out.isatty() and not os.environ.get("NO_COLOR")
    turn = threading.Lock()

    def say(name: str, line: str) -> None:
        prefix = f"{name:>{_NAMES}} |"
        with turn, contextlib.suppress(OSError):  # whoever read along has gone
            out.write(f"\x1b[{colours[name]}m{prefix}\x1b[0m {line}\n" if is_coloured else f"{prefix} {line}\n")
            out.flush()

    return say


def _settings(shared: Mapping[str, str]) -> str:
    """What ``exegesis token`` needs to find the tokens and, for ``--read PROJECT``, the catalog, as a shell takes it."""
    return " ".join(f"{name}={shlex.quote(shared[name])}" for name in ("EXEGESIS_HOME", "EXEGESIS_CATALOG_ADDRESS"))


def _welcome(places: Places) -> None:
    shared = places.environment()
    print(f"\nup: gRPC at {places.grpc}, HTTP at {places.http}; Ctrl-C ends all of it.", file=sys.stderr)
    print(f"    exegesis status --server {places.grpc} asks it, and so does every other command.", file=sys.stderr, flush=True)
    assembly = Assembly(read_settings({**os.environ, **shared}))
    try:
        now = assembly.clock.now()
        if any(is_live(token, now=now) for token in assembly.tokens.all()):
            return
        with _terminal() as terminal:
            if terminal is None:
                print(f"    {_settings(shared)} exegesis token create NAME --admin makes a token", file=sys.stderr, flush=True)
                return
            written, record = mint("first run", Grants(admin=True), now=now, seconds=DAYS * 86_400, per_minute=PER_MINUTE)
            assembly.tokens.add(record)
            terminal.write(f"    a token for everything, shown this once:\n\n    export EXEGESIS_TOKEN={written}\n\n")
            terminal.flush()
    finally:
        assembly.close()


@contextmanager
def _terminal() -> Iterator[TextIO | None]:
    """The terminal itself and not the output, which may be a file; None where nobody sits at one."""
    try:
        terminal = open("/dev/tty", "w", encoding="utf-8")  # noqa: PTH123, SIM115 - closed below
    except OSError:
        yield None
        return
    with terminal:
        yield terminal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
