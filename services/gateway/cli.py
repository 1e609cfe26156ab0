"""The ``exegesis`` command: each command asks the gateway and prints what it says. Answers on standard output, everything else on standard error."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from exegesis.errors import ExegesisError, UsageError
from services.gateway import arguments as command_line
from services.gateway import streams

if TYPE_CHECKING:
    from exegesis.model import Answer
    from exegesis.settings import Settings
    from services.assembly import Assembly
    from services.gateway.api import Asked, Gateway

ANSWERED: Final = 0
FAILED: Final = 1
INTERRUPTED: Final = 130

LONGEST_COMPLAINT: Final = 2_000
"""Characters of a message. Messages quote what they are about, and a question may be a hundred times longer than a screen."""


def run(written: Sequence[str]) -> int:
    """Run one command line; returns the exit code."""
    try:
        streams.prepare()
        signal.signal(signal.SIGTERM, _interrupt)
        code = _run(command_line.parse(written))
        sys.stdout.flush()
    except ExegesisError as error:
        _complain(error.message, error.hint)
        return error.exit_code
    except KeyboardInterrupt:
        _complain("interrupted", "Nothing is lost: the next run continues where this one stopped.")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        streams.give_up_output()
        return ANSWERED
    except OSError as error:  # a disk that is full, a folder that may not be written
        if _wants_traceback():
            raise
        _complain(f"{_place_of(error)}{error.strerror or error}", "`exegesis doctor` checks the folder of indexes.")
        return FAILED
    except Exception as error:  # the last line of defence: a person never sees a traceback unless they ask for it
        if _wants_traceback():
            raise
        _complain(f"unexpected {type(error).__name__}: {error}", "This is a fault of Exegesis. EXEGESIS_DEBUG=1 shows where it happened.")
        return FAILED
    return code


def _run(arguments: Namespace) -> int:
    from exegesis.settings import read_settings
    from exegesis.telemetry import start_exporting
    from services.assembly import Assembly

    settings = read_settings(os.environ)
    if arguments.command == "doctor":
        from services.gateway import doctor

        return doctor.run(settings, as_json=arguments.json)
    # What a command builds lives until it ends; looking for garbage every 700 objects costs a sixth of linking.
    gc.set_threshold(200_000, 50, 50)
    gc.enable()  # importing is over, for the most part
    if arguments.command == "serve" and arguments.service == "worker":
        return _serve_worker(arguments, settings)  # forks, and so comes before anything that owns a thread or a connection
    flush = start_exporting()
    assembly = Assembly(settings)
    try:
        if arguments.command == "serve":
            return _SERVE.get(arguments.service, _serve)(arguments, assembly)
        if arguments.command == "token":
            from services.gateway import token_command

            return token_command.run(arguments, assembly)
        with contextlib.ExitStack() as opened:
            return COMMANDS[arguments.command](arguments, _gateway(assembly, getattr(arguments, "server", None), opened))
    finally:
        assembly.close()
        flush()


def _start_logging() -> None:
    import logging

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("exegesis").setLevel(logging.INFO)  # ours alone: an HTTP client says whole addresses, and a key may be part of one


def _serve(arguments: Namespace, assembly: Assembly) -> int:
    from exegesis.rpc.address import Address, read_address
    from exegesis.rpc.server import run as serve

    def announce(address: Address) -> None:
        print(f"{arguments.service} service listening at {address}", file=sys.stderr, flush=True)

    _start_logging()
    listen = read_address(arguments.listen or command_line.LISTEN[arguments.service], source="--listen")
    if not listen.is_private:
        print(f"warning: whoever reaches {listen} can read every index: keep it inside a private network", file=sys.stderr)
    serve(assembly.host(arguments.service), listen, reflection=assembly.settings.reflection, announce=announce)
    return ANSWERED


def _serve_gateway(arguments: Namespace, assembly: Assembly) -> int:
    from exegesis.rpc.address import read_address
    from services.gateway.server import Doors
    from services.gateway.server import run as serve

    def announce(doors: Doors) -> None:
        beside = f", HTTP at {doors.http}" if doors.http else ""
        print(f"gateway listening at {doors.grpc}{beside}", file=sys.stderr, flush=True)

    _start_logging()
    listen = read_address(arguments.listen or command_line.LISTEN["gateway"], source="--listen")
    http = None if arguments.http == "none" else read_address(arguments.http, source="--http")
    serve(assembly, Doors(listen, http, is_open=arguments.open), announce=announce)
    return ANSWERED


def _serve_worker(arguments: Namespace, settings: Settings) -> int:
    from services.assembly import perform_jobs

    _start_logging()

    def announce(processes: int) -> None:
        print(f"worker performing jobs of {', '.join(arguments.queues)}, {processes} at a time", file=sys.stderr, flush=True)

    perform_jobs(settings, arguments.queues, announce=announce)
    return ANSWERED


def _serve_beat(_arguments: Namespace, assembly: Assembly) -> int:
    from services.assembly import pulse_of

    _start_logging()
    stopping = threading.Event()
    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, lambda *_: stopping.set())
    beat = assembly.beat
    print("beat running", file=sys.stderr, flush=True)
    beat.run(stopping, pulse=pulse_of(assembly.settings))
    return ANSWERED


_SERVE: Final[Mapping[str, Callable[[Namespace, Assembly], int]]] = {"gateway": _serve_gateway, "beat": _serve_beat}
"""Services that are served in a way of their own."""


def _gateway(assembly: Assembly, server: str | None, opened: contextlib.ExitStack) -> Gateway:
    """The gateway that a command asks: the one at the address of ``server`` or of the settings, or else one of its own. Commands that only make
    sense on the machine of the index have no ``server``.
    """
    written = server or (assembly.settings.server if server is not None else "")
    if written:
        from exegesis.rpc.address import read_address
        from services.gateway.elsewhere import reach

        return opened.enter_context(contextlib.closing(reach(assembly.settings, read_address(written, source="--server or EXEGESIS_SERVER"))))
    from services.gateway.local import LocalGateway

    return LocalGateway(assembly.catalog, assembly.indexer, assembly.graph, lambda: assembly.query)


# ------------------------------------------------------------------------------------------------------------- commands


def _index(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import documents, render
    from services.gateway.progress import ProgressPrinter
    from services.indexer.api import IndexOptions

    options = IndexOptions(
        arguments.include_dependencies,
        embed=not arguments.no_embed,
        index_store=command_line.index_store_of(arguments),
        describe=not arguments.no_describe,
    )
    if arguments.watch:
        if len(arguments.paths) != 1:
            raise UsageError("--watch takes one PATH.", hint="Start one command per folder.")
        with ProgressPrinter() as progress:
            gateway.watch(arguments.paths[0], options, progress, cancelled=threading.Event())
        return ANSWERED
    reports: list[documents.Document] = []
    for path in arguments.paths:
        with ProgressPrinter() as progress:
            report = gateway.index(path, options, progress)
        if arguments.json:
            reports.append(documents.report_document(report))
        else:
            sys.stdout.write(render.index_report(report))
    if arguments.json:
        _print_json(reports[0] if len(reports) == 1 else {"projects": reports})
    return ANSWERED


def _explain(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import documents, render

    asked = _asked(arguments, arguments.question, gateway)
    found = _listen(asked, gateway)
    if arguments.trace:
        sys.stderr.write(render.trace(found.stages, found.context))
    if arguments.json:
        _print_json(documents.answer_document(found, _project_names(asked)))
    else:
        sys.stdout.write(render.answer(found, diagram=arguments.diagram))
    return ANSWERED


def _listen(asked: Asked, gateway: Gateway) -> Answer:
    """Follow an explanation to its end. What a model writes streams to a terminal's standard error; the verified whole is the answer."""
    from exegesis.model import Finished, StageStarted, TextDelta, Warned
    from services.gateway.render import is_caveat, visible

    watching = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    stop = threading.Event()
    streamed = False
    try:
        for event in gateway.explain(asked, cancelled=stop):
            match event:
                case Warned(message) if not is_caveat(message):  # the answer begins with it
                    print(f"warning: {visible(message)}", file=sys.stderr)
                case StageStarted(name) if watching:
                    print(f"\r\x1b[K{name} ...", end="", file=sys.stderr, flush=True)
                case TextDelta(text) if watching and asked.options.use_model:
                    print(("" if streamed else "\r\x1b[K") + visible(text), end="", file=sys.stderr, flush=True)
                    streamed = True
                case Finished(answer):
                    if watching:
                        print("\n" if streamed else "\r\x1b[K", end="", file=sys.stderr, flush=True)
                    return answer
                case _:
                    pass
    except BaseException:
        stop.set()
        raise
    raise AssertionError("an explanation ends with Finished")


def _outline(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import documents, render

    found = gateway.outline(_asked(arguments, arguments.question, gateway))
    _warn([warning for warning in found.warnings if not render.is_caveat(warning)])
    if arguments.trace:
        sys.stderr.write(render.trace(found.stages, found.context))
    if arguments.json:
        _print_json(documents.outline_document(arguments.question, found))
    else:
        sys.stdout.write("".join(f"{render.visible(said)}\n\n" for said in render.caveats(found.warnings)) + render.outline(found.nodes))
    return ANSWERED


def _search(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import documents, render

    found = gateway.search(_asked(arguments, arguments.query, gateway))
    _warn(found.warnings)
    if arguments.trace:
        sys.stderr.write(render.trace(found.stages, None, found.results, found.files))
    if arguments.json:
        _print_json(documents.search_document(found))
    else:
        sys.stdout.write(render.results(found.results))
    return ANSWERED


def _describe(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import documents, render
    from services.gateway.progress import ProgressPrinter

    with ProgressPrinter() as progress:
        gateway.prepare([arguments.project], progress)
    found = gateway.describe(arguments.project, arguments.about)
    if arguments.json:
        _print_json({"descriptions": [documents.description_document(each) for each in found]})
    else:
        sys.stdout.write(render.descriptions(found))
    return ANSWERED


def _graph(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway.graph_command import QUESTIONS
    from services.gateway.progress import ProgressPrinter

    with ProgressPrinter() as progress:
        gateway.prepare([arguments.project], progress, index_store=command_line.index_store_of(arguments))
    document, text = QUESTIONS[arguments.graph_question](arguments, gateway)
    if arguments.json:
        _print_json(document)
    else:
        sys.stdout.write(text)
    return ANSWERED


def _eval(arguments: Namespace, gateway: Gateway) -> int:
    from services.gateway import evaluate

    return evaluate.run(arguments, gateway)


def _status(arguments: Namespace, gateway: Gateway) -> int:
    from exegesis.model import FileStatus
    from services.gateway import documents, render

    found = gateway.status(arguments.project)
    asked = [status.repository.id for status in found if arguments.files and status.head]
    left_out = {
        repository: [file for file in gateway.files(repository) if file.status is not FileStatus.INDEXED or file.reason] for repository in asked
    }
    if arguments.json:
        _print_json(documents.status_document(found, left_out))
    else:
        sys.stdout.write(render.statuses(found, left_out))
    return ANSWERED


def _remove(arguments: Namespace, gateway: Gateway) -> int:
    gateway.remove(arguments.project)
    print("removed", file=sys.stderr)
    return ANSWERED


COMMANDS: Final[Mapping[str, Callable[[Namespace, Gateway], int]]] = {
    "index": _index,
    "explain": _explain,
    "outline": _outline,
    "search": _search,
    "describe": _describe,
    "graph": _graph,
    "eval": _eval,
    "status": _status,
    "remove": _remove,
}


# --------------------------------------------------------------------------------------------------------------- pieces


def _asked(arguments: Namespace, text: str, gateway: Gateway) -> Asked:
    """The question, once its projects are indexed."""
    from services.gateway.api import Asked
    from services.gateway.progress import ProgressPrinter

    projects = tuple(arguments.project) or (".",)
    if not text.strip():
        raise UsageError("The question is empty.", hint='Ask something, such as "How does a token get refreshed?".')
    with ProgressPrinter() as progress:
        gateway.prepare(projects, progress, include_dependencies=arguments.include_dependencies, index_store=command_line.index_store_of(arguments))
    return Asked(text, projects, command_line.options_of(arguments))


def _project_names(asked: Asked) -> str:
    return ", ".join(os.path.basename(os.path.abspath(project)) for project in asked.projects)  # noqa: PTH100, PTH119 - "." and names alike


def _warn(warnings: Sequence[str]) -> None:
    from services.gateway.render import visible

    for warning in warnings:
        print(f"warning: {visible(warning)}", file=sys.stderr)


def _print_json(document: object) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=not streams.takes_every_character(), indent=2) + "\n")


def _complain(message: str, hint: str) -> None:
    from services.gateway.render import visible

    try:
        sys.stdout.flush()
    except OSError:
        streams.give_up_output()
    shown = message if len(message) <= LONGEST_COMPLAINT else f"{message[:LONGEST_COMPLAINT]} ..."
    with contextlib.suppress(OSError):  # nobody can be told
        print(f"exegesis: {visible(shown)}", file=sys.stderr)
        if hint:
            print(f"  {visible(hint)}", file=sys.stderr)


def _place_of(error: OSError) -> str:
    return f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""


def _wants_traceback() -> bool:
    from exegesis.settings import is_debugging

    return is_debugging(os.environ)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
