"""``exegesis token``: makes, lists and revokes tokens."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from exegesis.errors import NotFound
from exegesis.model import Repository
from services.gateway.access import Reach
from services.gateway.render import visible
from services.gateway.tokens import ALL, Grants, is_live, mint

if TYPE_CHECKING:
    from exegesis.ports import TokenRecord
    from services.assembly import Assembly

_DAY: Final = 86_400.0


def run(arguments: Namespace, assembly: Assembly) -> int:
    match arguments.token_action:
        case "create":
            return _create(arguments, assembly)
        case "list":
            return _list(arguments, assembly)
        case _:
            return _revoke(arguments, assembly)


def _create(arguments: Namespace, assembly: Assembly) -> int:
    known = tuple(assembly.catalog.repositories())
    grants = Grants(_named(arguments.read, known), _named(arguments.index, known), arguments.admin, arguments.metrics)
    seconds = arguments.days * _DAY if arguments.days else None
    written, record = mint(arguments.name, grants, now=assembly.clock.now(), seconds=seconds, per_minute=arguments.per_minute)
    assembly.tokens.add(record)
    if arguments.json:
        sys.stdout.write(json.dumps({**_document(record, assembly.clock.now()), "token": written}, indent=2) + "\n")
        return 0
    print("This is shown once; only a digest of it is kept.", file=sys.stderr)
    sys.stdout.write(f"{written}\n")
    return 0


def _named(projects: Sequence[str], known: tuple[Repository, ...]) -> frozenset[str]:
    """Identifiers of indexed projects. Raises ``NotFound`` for what is none, since a slip would make a token that is refused later."""
    everything = Reach(known, Grants(admin=True))
    folders = {repository.root: repository.id for repository in known}
    return frozenset(project if project == ALL else folders.get(project) or everything.find(project).id for project in projects)


def _list(arguments: Namespace, assembly: Assembly) -> int:
    now = assembly.clock.now()
    tokens = [_document(record, now) for record in assembly.tokens.all()]
    if arguments.json:
        sys.stdout.write(json.dumps({"tokens": tokens}, indent=2) + "\n")
        return 0
    for token in tokens:
        until = f"until {token['expires'][:10]}" if token["expires"] else "for ever"
        used = f"last used {token['used']}" if token["used"] else "never used"
        state = until if token["state"] == "good" else token["state"]
        print(f"{token['id']}  {visible(token['name'])}  {state}  {token['per_minute']}/min  {used}\n    {', '.join(token['scopes'])}")
    if not tokens:
        print("no tokens yet: `exegesis token create`", file=sys.stderr)
    return 0


def _revoke(arguments: Namespace, assembly: Assembly) -> int:
    if not assembly.tokens.revoke(arguments.id, assembly.clock.now()):
        raise NotFound("There is no token of that identifier.", hint="`exegesis token list` shows them.")
    print("revoked", file=sys.stderr)
    return 0


def _document(record: TokenRecord, now: float) -> dict[str, Any]:
    state = "revoked" if record.revoked is not None else "good" if is_live(record, now=now) else "expired"
    return {
        "id": record.id,
        "name": record.name,
        "state": state,
        "scopes": list(record.scopes),
        "created": _time(record.created),
        "expires": _time(record.expires),
        "used": _time(record.used),
        "per_minute": record.per_minute,
    }


def _time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
