"""Every ``EXEGESIS_*`` variable, read once and documented where it is declared.

Nothing else reads them, apart from ``EXEGESIS_DEBUG``, which the command must know even where settings cannot be read. What has a standard name
(``OTEL_*``, ``XDG_CACHE_HOME``, ``PATH``) keeps it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
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


def _setting(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process. ``EXEGESIS_MODEL_URL`` sets ``model_url``, and so on."""

    home: str = _setting("", "Folder of indexes and caches; the user's cache folder when empty.")
    embedder: str = _setting("bundled", "`bundled` (granite-embedding-30m-english, no network) or `none`.")
    embedder_address: str = _setting(
        "", "Where a text-embeddings-inference server answers, such as http://tei:80; then it embeds, and not the bundled model."
    )
    embedder_model: str = _setting("jinaai/jina-embeddings-v2-base-code", "The model that this server must serve.")
    embedder_revision: str = _setting("", "Commit of that model; empty to accept whichever is served.")
    embedder_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    reranker_address: str = _setting(
        "", "Where a text-embeddings-inference server serves a cross-encoder; then it compares the best results of a list with the question."
    )
    reranker_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    catalog_address: Secret = _setting(Secret(), "PostgreSQL database of the catalog, postgresql://user:password@host/database; empty for a file.")
    graph_store: str = _setting(
        "files",
        "Where finished graphs are kept: in `files` of the graph service, or in the `database` of the catalog, from which any graph service answers.",
    )
    chunks_address: str = _setting("", "Where a Qdrant server answers, such as http://qdrant:6333; empty to keep the chunk index in files.")
    chunks_key: Secret = _setting(Secret(), "Key for that server, where it wants one.")
    queue_address: Secret = _setting(
        Secret(),
        "Redis-compatible broker of the queue, such as redis://valkey:6379/0; then workers index. Empty to index in the process that is asked.",
    )
    lease_seconds: float = _setting(45.0, "After which a worker that says nothing is taken for dead, and another one goes on with its work.")
    poll_seconds: float = _setting(300.0, "Between two looks of the beat at whether a repository has changed; 0 for none.")
    git_protocols: str = _setting("https", "How workers may fetch repositories, separated by commas: `https`, `ssh`, `http`, `file`.")
    git_hosts: str = _setting("", "The only hosts that they may be fetched from, separated by commas; empty for every public one by https.")
    git_netrc: str = _setting("", "File with user and password of such hosts, as curl reads it.")
    git_ssh_key: str = _setting("", "File of the private key that opens such hosts by ssh.")
    git_ssh_known_hosts: str = _setting("", "File of the keys of such hosts, as ssh keeps it.")
    git_mib: int = _setting(4096, "Largest copy of one repository.")
    git_seconds: float = _setting(1800.0, "Longest time that one fetch may take.")
    workers: int = _setting(0, "Processes that parse and threads that embed; 0 means one per core.")
    model_url: str = _setting("", "Base address of an OpenAI-compatible endpoint, such as http://localhost:11434/v1; empty for extractive answers.")
    model: str = _setting("", "Name of the language model at that endpoint.")
    model_key: Secret = _setting(Secret(), "Key for that endpoint, where it wants one.")
    model_seconds: float = _setting(120.0, "Longest time that one answer of the language model may take.")
    rewrite: bool = _setting(False, "1 lets the language model name words of the code that a question is also searched for; one call more each.")
    rewrite_seconds: float = _setting(5.0, "Longest time that a question waits for such words; past it it is searched as it is put.")
    model_output_tokens: int = _setting(2_000, "Longest answer of the language model.")
    describe_tokens: int = _setting(
        0, "Tokens that the language model may read and write in one index run to describe large types, files and modules; 0 for none of its words."
    )
    graph_address: str = _setting("", "Where the graph service listens, host:port or unix:/path; empty to keep the graph in this process.")
    query_address: str = _setting(
        "", "Where the query service listens, likewise; several, with commas, share the work. Empty to answer in this process."
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
    values: dict[str, Any] = {}
    for declared in fields(Settings):
        written = environment.get(PREFIX + declared.name.upper())
        if written is not None and written != "":
            values[declared.name] = _read(declared.name, declared.default, written)
    settings = Settings(**values)
    if settings.embedder not in {"bundled", "none"}:
        raise UsageError(f"EXEGESIS_EMBEDDER is {settings.embedder!r}", hint="Set it to bundled (the model that comes along) or none.")
    if settings.graph_store not in {"files", "database"}:
        raise UsageError(f"EXEGESIS_GRAPH_STORE is {settings.graph_store!r}", hint="Set it to files or database.")
    if settings.graph_store == "database" and not settings.catalog_address:
        raise UsageError("EXEGESIS_GRAPH_STORE is database, and there is none.", hint="Name it in EXEGESIS_CATALOG_ADDRESS.")
    for name in ("embedder_address", "reranker_address", "chunks_address"):
        address = getattr(settings, name)
        if address and (not address.startswith(("http://", "https://")) or "@" in address):
            # The address itself is not repeated: it may hold a password.
            raise UsageError(
                f"{PREFIX}{name.upper()} is not an http address without user and password",
                hint=f"Give the base address, and a key in {PREFIX}{name.upper().removesuffix('ADDRESS')}KEY.",
            )
    if not settings.model_seconds > 0:  # also what is no number at all, written "nan"
        raise UsageError(f"EXEGESIS_MODEL_SECONDS is {settings.model_seconds:g}", hint="Set it to a number of seconds above 0, such as 120.")
    if not settings.rewrite_seconds > 0:
        raise UsageError(f"EXEGESIS_REWRITE_SECONDS is {settings.rewrite_seconds:g}", hint="Set it to a number of seconds above 0, such as 5.")
    if not settings.lease_seconds >= 1:
        raise UsageError(f"EXEGESIS_LEASE_SECONDS is {settings.lease_seconds:g}", hint="Set it to a number of seconds from 1 on, such as 45.")
    if not settings.poll_seconds >= 0:
        raise UsageError(f"EXEGESIS_POLL_SECONDS is {settings.poll_seconds:g}", hint="Set it to a number of seconds, or to 0 for no polling.")
    unknown_protocols = sorted({name.strip() for name in settings.git_protocols.split(",")} - {"https", "ssh", "http", "file"})
    if unknown_protocols:
        raise UsageError(f"EXEGESIS_GIT_PROTOCOLS names {unknown_protocols[0]!r}", hint="Choose from https, ssh, http and file.")
    if settings.model_output_tokens < 1:
        raise UsageError(f"EXEGESIS_MODEL_OUTPUT_TOKENS is {settings.model_output_tokens}", hint="Set it to 1 or more, such as 2000.")
    if settings.describe_tokens < 0:
        raise UsageError(f"EXEGESIS_DESCRIBE_TOKENS is {settings.describe_tokens}", hint="Set it to 0 or more, such as 200000.")
    if not 0 <= settings.workers <= MOST_WORKERS:
        raise UsageError(
            f"EXEGESIS_WORKERS is {settings.workers}", hint=f"Set it to 0 (one per core) or to a number of processes up to {MOST_WORKERS}."
        )
    if settings.queue_address and not settings.queue_address.value.startswith(BROKERS):  # nor is this one repeated
        raise UsageError("EXEGESIS_QUEUE_ADDRESS is not the address of a Redis-compatible broker", hint="Write it as redis://host:6379/0.")
    if settings.query_address and not settings.query_address.strip(", "):
        raise UsageError(f"EXEGESIS_QUERY_ADDRESS is {settings.query_address!r}", hint="Write host:port or unix:/path; several with commas.")
    if settings.git_mib < 1:
        raise UsageError(f"EXEGESIS_GIT_MIB is {settings.git_mib}", hint="Set it to 1 or more, such as 4096.")
    if not settings.git_seconds > 0:
        raise UsageError(f"EXEGESIS_GIT_SECONDS is {settings.git_seconds:g}", hint="Set it to a number of seconds above 0, such as 1800.")
    if settings.model_url and not settings.model_url.startswith(("http://", "https://")):
        raise UsageError(
            "EXEGESIS_MODEL_URL is not an http address", hint="Give the base address of the endpoint, such as http://localhost:11434/v1."
        )
    return settings


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
