"""What every token store promises."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_tokens import SqliteTokens
from exegesis.ports import TokenRecord, TokenStore

RECORD = TokenRecord("0123456789abcdef", "a bot \u2614", b"\x00" * 32, ("read:alpha-1", "metrics"), 10.0, 20.5, 60)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TokenStore]:
    made = SqliteTokens(tmp_path / "tokens.db")
    yield made
    made.close()


def test_a_token_is_found_as_it_was_added(store: TokenStore) -> None:
    """Every field of it; one that never expires too."""
    forever = replace(RECORD, id="f" * 16, expires=None, created=5.0)
    store.add(RECORD)
    store.add(forever)
    assert store.find(RECORD.id) == RECORD
    assert list(store.all()) == [forever, RECORD]
    assert store.find("nobody") is None


def test_revoking_twice_keeps_the_first_time(store: TokenStore) -> None:
    """And revoking what is not there says so."""
    store.add(RECORD)
    assert store.revoke(RECORD.id, 12.0)
    assert store.revoke(RECORD.id, 13.0)
    assert not store.revoke("nobody", 13.0)
    found = store.find(RECORD.id)
    assert found is not None
    assert found.revoked == 12.0


def test_use_is_noted(store: TokenStore) -> None:
    """So that tokens nobody uses can be found and revoked."""
    store.add(RECORD)
    store.mark_used(RECORD.id, 15.0)
    assert store.find(RECORD.id) == replace(RECORD, used=15.0)


def test_what_one_process_revokes_another_sees_at_once(tmp_path: Path) -> None:
    """The command that revokes is not the gateway that accepts."""
    command, gateway = SqliteTokens(tmp_path / "tokens.db"), SqliteTokens(tmp_path / "tokens.db")
    command.add(RECORD)
    assert gateway.find(RECORD.id) == RECORD
    command.revoke(RECORD.id, 11.0)
    found = gateway.find(RECORD.id)
    assert found is not None
    assert found.revoked == 11.0
    command.close()
    gateway.close()


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    """Digests are no secrets, and who may do what is nobody else's business."""
    SqliteTokens(tmp_path / "tokens.db").close()
    assert stat.S_IMODE((tmp_path / "tokens.db").stat().st_mode) == 0o600
