"""Who comes in, and what they may see.

``Door`` asks for a token once per call and computes from it the ``Reach`` of the caller: the repositories that there are for them. Nothing behind the
door knows of any other; whatever filters by repository filters by this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

from exegesis.errors import ExegesisError, Forbidden, NotFound, UsageError
from exegesis.model import Repository
from exegesis.ports import Catalog, Clock, TokenStore
from services.gateway.quotas import Quotas
from services.gateway.tokens import Grants, bearer, check, identifier_in, read_scopes

_USED_EVERY: Final = 60.0
"""Seconds between two notes that a token was used: one write a minute, not one a request."""

_LONGEST_NAME: Final = 200
"""Characters of a name that an error repeats."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What there is for a caller."""

    readable: tuple[Repository, ...]
    grants: Grants

    def find(self, project: str) -> Repository:
        """The readable repository of that identifier or name. One that exists for others only, and one that does not exist, are the same
        ``NotFound``.
        """
        for repository in self.readable:
            if repository.id == project:
                return repository
        named = [repository for repository in self.readable if repository.name == project]
        if len(named) == 1:
            return named[0]
        if named:
            raise UsageError(f"Several repositories have that name: {', '.join(each.id for each in named)}.", hint="Give the identifier.")
        raise NotFound(
            f"There is no repository {project[:_LONGEST_NAME]!r} that you may read.",
            hint="`exegesis status` lists those there are; `--project` names one, else the folder where you are is meant.",
        )

    def choose(self, projects: Sequence[str]) -> tuple[Repository, ...]:
        """Those, each once; all when none is named."""
        return tuple(dict.fromkeys(self.find(project) for project in projects)) if projects else self.readable

    def find_to_index(self, project: str) -> Repository:
        """Raises ``Forbidden`` for one that the caller may only read."""
        repository = self.find(project)
        if not self.grants.indexes(repository.id):
            raise Forbidden(f"This token may read {repository.name}, and not index it.")
        return repository

    def require_admin(self, what: str) -> None:
        if not self.grants.admin:
            raise Forbidden(f"This token may not {what}.")


@dataclass(slots=True)
class Visit:
    """One call of somebody who was let in."""

    reach: Reach
    token: str = ""
    """Identifier of the token."""
    name: str = ""
    """Of the token."""
    asked: tuple[str, ...] = field(default=())
    """Identifiers of the repositories that turned out to be asked about; for the audit log."""

    def find(self, project: str) -> Repository:
        return self.note(self.reach.find(project))

    def choose(self, projects: Sequence[str]) -> tuple[Repository, ...]:
        return tuple(self.note(repository) for repository in self.reach.choose(projects))

    def note(self, repository: Repository) -> Repository:
        self.asked = tuple(dict.fromkeys((*self.asked, repository.id)))
        return repository


class Door:
    """Lets callers in. Usable from several threads.

    Args:
        tokens: Those that are accepted; None lets everybody in who reaches the door, to everything.
        catalog: The repositories that there are.
        clock: Tells when a token expires.

    """

    def __init__(self, tokens: TokenStore | None, catalog: Catalog, clock: Clock) -> None:
        self._tokens = tokens
        self._catalog = catalog
        self._clock = clock
        self._quotas = Quotas()
        self._noted: dict[str, float] = {}

    @property
    def is_open(self) -> bool:
        return self._tokens is None

    def admit(self, authorization: str) -> Visit:
        """The visit of whoever sends this ``authorization`` header. Raises ``Unauthenticated`` or ``QuotaExceeded``."""
        if self._tokens is None:
            return Visit(Reach(tuple(self._catalog.repositories()), Grants(admin=True)), name="everybody")
        written = bearer(authorization)
        now = self._clock.now()
        identifier = identifier_in(written)
        record = check(written, self._tokens.find(identifier) if identifier else None, now=now)
        self._quotas.spend(record.id, now=self._clock.monotonic(), per_minute=record.per_minute)
        if now - self._noted.get(record.id, 0.0) >= _USED_EVERY:
            self._noted[record.id] = now
            self._tokens.mark_used(record.id, now)
        grants = read_scopes(record.scopes)
        readable = tuple(repository for repository in self._catalog.repositories() if grants.reads(repository.id))
        return Visit(Reach(readable, grants), record.id, record.name)

    def claimed(self, authorization: str) -> str:
        """The identifier of the token that a caller shows, accepted or not; for the audit log."""
        try:
            return identifier_in(bearer(authorization))
        except ExegesisError:
            return ""


_current: Final[ContextVar[Visit]] = ContextVar("exegesis-visit")


def current_visit() -> Visit:
    """Raises ``LookupError`` where nobody was let in, so that a way past the door is a failure and not a hole."""
    return _current.get()


@contextmanager
def visiting(visit: Visit) -> Iterator[None]:
    """Everything inside is done for this visit."""
    token = _current.set(visit)
    try:
        yield
    finally:
        _current.reset(token)
