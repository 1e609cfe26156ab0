"""Every ``EXEGESIS_*`` variable, read once and documented where it is declared.

Nothing else reads them. What has a standard name (``OTEL_*``, ``XDG_CACHE_HOME``, ``PATH``) keeps it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from exegesis.errors import UsageError

PREFIX: Final = "EXEGESIS_"

MOST_WORKERS: Final = 1_024
"""Processes: more than any machine has cores, and fewer than what takes it down when a digit slips."""

BROKERS: Final = ("redis://", "rediss://", "redis+socket://", "sentinel://")
"""How addresses of brokers begin that speak the protocol of Redis; what begins otherwise is looked for on some other port of this machine."""


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A value that never shows in logs, errors or representations."""

    value: str = ""

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return "Secret(set)" if self.value else "Secret(unset)"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class _Check:
    """What a value must be, and what is said where it is not."""

    holds: Callable[[Any], bool]
    hint: str
    """``{key}`` stands for the variable of the key that belongs to an address."""
    problem: str = ""
    """In place of the value, which may hold a password."""


def _setting(default: Any, meaning: str, check: _Check | None = None) -> Any:
    return field(default=default, metadata={"meaning": meaning, "check": check})


def _one_of(*names: str, hint: str) -> _Check:
    return _Check(lambda written: written in names, hint)


def _seconds(example: int, *, least: float = 0.0) -> _Check:
    """Above 0, unless ``least`` says from where on."""
    if least:
        return _Check(lambda number: number >= least, f"Set it to a number of seconds from {least:g} on, such as {example}.")
    return _Check(lambda number: number > 0, f"Set it to a number of seconds above 0, such as {example}.")


def _at_least(least: int, example: int) -> _Check:
    return _Check(lambda number: number >= least, f"Set it to {least} or more, such as {example}.")


_HTTP: Final = _Check(
    lambda address: address.startswith(("http://", "https://")) and "@" not in address,
    "Give the base address, such as http://host:8080, and a key in {key}.",
    "is not an http address without user and password",
)


_PROTOCOLS: Final = frozenset({"https", "ssh", "http", "file"})


def _names_protocols(written: str) -> bool:
    return {name.strip() for name in written.split(",")} <= _PROTOCOLS


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process. ``EXEGESIS_MODEL_URL`` sets ``model_url``, and so on."""

    home: str = _setting("", "Folder of indexes and caches; the user's cache folder when empty.")
    embedder: str = _setting(
        "bundled",
        "`bundled` (granite-embedding-30m-english, no network) or `none`.",
        _one_of("bundled", "none", hint="Set it to bundled (the model that comes along) or none."),
    )
    embedder_address: str = _setting(
        "", "Where a text-embeddings-inference server answers, such as http://tei:80; then it embeds, and not the bundled model.", _HTTP
    )
    embedder_model: str = _setting("jinaai/jina-embeddings-v2-base-code", "The model that this server must serve.")
    embedder_revision: str = _setting("", "Commit of that model; empty to accept whichever is served.")
    embedder_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    reranker_address: str = _setting(
        "", "Where a text-embeddings-inference server serves a cross-encoder; then it compares the best results of a list with the question.", _HTTP
    )
    reranker_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    catalog_address: Secret = _setting(Secret(), "PostgreSQL database of the catalog, postgresql://user:password@host/database; empty for a file.")
    graph_store: str = _setting(
        "files",
        "Where finished graphs are kept: in `files` of the graph service, or in the `database` of the catalog, from which any graph service answers.",
        _one_of("files", "database", hint="Set it to files or database."),
    )
    chunks_address: str = _setting("", "Where a Qdrant server answers, such as http://qdrant:6333; empty to keep the chunk index in files.", _HTTP)
    chunks_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    queue_address: Secret = _setting(
        Secret(),
        "Redis-compatible broker of the queue, such as redis://valkey:6379/0; then workers index. Empty to index in the process that is asked.",
        _Check(
            lambda secret: secret.value.startswith(BROKERS), "Write it as redis://host:6379/0.", "is not the address of a Redis-compatible broker"
        ),
    )
    lease_seconds: float = _setting(
        45.0, "After which a worker that says nothing is taken for dead, and another one goes on with its work.", _seconds(45, least=1.0)
    )
    poll_seconds: float = _setting(
        300.0,
        "Between two looks of the beat at whether a repository has changed; 0 for none.",
        _Check(lambda number: number >= 0, "Set it to a number of seconds, or to 0 for no polling."),
    )
    git_protocols: str = _setting(
        "https",
        "How workers may fetch repositories, separated by commas: `https`, `ssh`, `http`, `file`.",
        _Check(_names_protocols, "Choose from https, ssh, http and file."),
    )
    git_hosts: str = _setting("", "The only hosts that they may be fetched from, separated by commas; empty for every public one by https.")
    git_netrc: str = _setting("", "File with user and password of such hosts, as curl reads it.")
    git_ssh_key: str = _setting("", "File of the private key that opens such hosts by ssh.")
    git_ssh_known_hosts: str = _setting("", "File of the keys of such hosts, as ssh keeps it.")
    git_mib: int = _setting(4096, "Largest copy of one repository.", _at_least(1, 4096))
    git_seconds: float = _setting(1800.0, "Longest time that one fetch may take.", _seconds(1800))
    workers: int = _setting(
        0,
        "Processes that parse and threads that embed; 0 means one per core.",
        _Check(lambda number: 0 <= number <= MOST_WORKERS, f"Set it to 0 (one per core) or to a number of processes up to {MOST_WORKERS}."),
    )
    model_url: str = _setting(
        "", "Base address of an OpenAI-compatible endpoint, such as http://localhost:11434/v1; empty for extractive answers.", _HTTP
    )
    model: str = _setting("", "Name of the language model at that endpoint.")
    model_key: Secret = _setting(Secret(), "Key for that endpoint, where it wants one.")
    model_seconds: float = _setting(120.0, "Longest time that one answer of the language model may take.", _seconds(120))
    rewrite: bool = _setting(False, "1 lets the language model name words of the code that a question is also searched for; one call more each.")
    rewrite_seconds: float = _setting(5.0, "Longest time that a question waits for such words; past it it is searched as it is put.", _seconds(5))
    model_output_tokens: int = _setting(2_000, "Longest answer of the language model.", _at_least(1, 2000))
    describe_tokens: int = _setting(
        0,
        "Tokens that the language model may read and write in one index run to describe large types, files and modules; 0 for none of its words.",
        _at_least(0, 200_000),
    )
    graph_address: str = _setting("", "Where the graph service listens, host:port or unix:/path; empty to keep the graph in this process.")
    query_address: str = _setting(
        "",
        "Where the query service listens, likewise; several, with commas, share the work. Empty to answer in this process.",
        _Check(lambda written: bool(written.strip(", ")), "Write host:port or unix:/path; several with commas."),
    )
    server: str = _setting("", "Where a gateway listens that commands ask, host:port; empty to answer from indexes of this machine.")
    token: Secret = _setting(Secret(), "Token that commands show to this gateway.")
    server_ca: str = _setting("", "File (PEM) of the authority that signed the certificate of this gateway; empty for those that everybody knows.")
    server_clear: bool = _setting(False, "1 lets commands show their token to a gateway on another machine without TLS.")
    reflection: bool = _setting(False, "1 lets whoever reaches a service ask it which calls it offers, as grpcurl does.")
    tls_certificate: str = _setting("", "File (PEM) of the certificate chain that the gateway shows; empty to serve without TLS.")
    tls_key: str = _setting("", "File (PEM) of the key of that certificate.")
    tls_clients: str = _setting("", "File (PEM) of the authority whose clients alone may connect; empty to let all connect and show a token.")
    tls_elsewhere: bool = _setting(False, "1 says that a proxy in front of the gateway speaks TLS, so that the gateway itself need not.")
    github_webhook_secret: Secret = _setting(Secret(), "What GitHub signs its webhooks with; without it the gateway takes none of them.")
    gitlab_webhook_secret: Secret = _setting(Secret(), "What GitLab signs its webhooks with, or sends along; likewise.")
    audit_log: str = _setting("", "File that the gateway appends a line of JSON to for every call; standard error when empty.")
    pulse: str = _setting("", "File that a worker and the beat touch every ten seconds while they live, for whoever restarts them; empty for none.")
    debug: bool = _setting(False, "1 shows tracebacks of unexpected errors.")

    @property
    def folder(self) -> Path:
        """Where everything is kept. Raises ``UsageError`` where that depends on a home folder and there is none."""
        cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        try:
            return Path(self.home or f"{cache}/exegesis").expanduser().absolute()
        except RuntimeError:
            raise UsageError(f"{self.home or cache} names a home folder that does not exist.", hint="Set EXEGESIS_HOME to a folder.") from None


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from environment variables. Raises ``UsageError`` for a value that cannot be read; unknown names are left to :func:`unknown`."""
    values = {
        declared.name: _checked(declared, written) for declared in fields(Settings) if (written := environment.get(PREFIX + declared.name.upper()))
    }
    settings = Settings(**values)
    if settings.graph_store == "database" and not settings.catalog_address:
        raise UsageError("EXEGESIS_GRAPH_STORE is database, and there is none.", hint="Name it in EXEGESIS_CATALOG_ADDRESS.")
    return settings


def is_debugging(environment: Mapping[str, str]) -> bool:
    """``debug`` alone, for what goes wrong before the others are read, or because they cannot be."""
    declared = next(declared for declared in fields(Settings) if declared.name == "debug")
    try:
        return bool(_checked(declared, environment.get(f"{PREFIX}DEBUG") or "0"))
    except UsageError:
        return False


def unknown(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that look like settings of ours and are none: most often a slip of the pen."""
    known = {PREFIX + declared.name.upper() for declared in fields(Settings)}
    return tuple(sorted(name for name in environment if name.startswith(PREFIX) and name not in known))


def describe() -> tuple[tuple[str, str, str], ...]:
    """Variable, default and meaning of every setting, for ``--help`` and the documentation."""
    return tuple(
        (PREFIX + declared.name.upper(), "" if isinstance(declared.default, Secret) else str(declared.default), declared.metadata["meaning"])
        for declared in fields(Settings)
    )


def _checked(declared: Field[Any], written: str) -> Any:
    value, check = _read(declared.name, declared.default, written), declared.metadata["check"]
    if check is not None and not check.holds(value):
        variable = PREFIX + declared.name.upper()
        shown = f"{value:g}" if isinstance(value, float) else repr(value)
        key = f"{variable.rpartition('_')[0]}_KEY"
        raise UsageError(f"{variable} {check.problem or f'is {shown}'}", hint=check.hint.format(key=key))
    return value


def _read(name: str, default: object, written: str) -> object:
    try:
        if isinstance(default, bool):
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[written.lower()]
        if isinstance(default, int):
            return int(written)
        if isinstance(default, float):
            return _finite(float(written))
    except (KeyError, ValueError):
        wanted = "1 or 0" if isinstance(default, bool) else f"a {'whole ' * isinstance(default, int)}number, such as {default:g}"
        raise UsageError(f"{PREFIX}{name.upper()} is {written!r}", hint=f"Set it to {wanted}.") from None
    return Secret(written) if isinstance(default, Secret) else written


def _finite(number: float) -> float:
    """No clock waits for ever, or for what is no number; who wants the first names a large one. Raises ``ValueError``."""
    if not math.isfinite(number):
        raise ValueError(number)
    return number
