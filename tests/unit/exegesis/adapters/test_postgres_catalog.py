"""The catalog on PostgreSQL when the server or the address is not what one would wish."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest

from exegesis.adapters.postgres_catalog import PostgresCatalog
from exegesis.errors import CorruptIndex, Unavailable, UsageError
from exegesis.model import Repository
from tests.fakes.postgres_server import PostgresServer, postgres_server

A = Repository("a-1", "a", "")


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


def test_a_server_that_restarts_is_found_again(server: PostgresServer) -> None:
    """While it is away that is said; afterwards the same catalog goes on, with what was committed."""
    with closing(PostgresCatalog(server.fresh_schema())) as catalog:
        catalog.register(A)
        server.stop()
        with pytest.raises(Unavailable) as raised:
            catalog.repositories()
        assert "EXEGESIS_CATALOG_ADDRESS" in raised.value.hint
        server.start()
        assert list(catalog.repositories()) == [A]


def test_a_transaction_that_fails_leaves_the_connection_usable(server: PostgresServer) -> None:
    """Names that a database cannot hold are refused in words, and the next call works."""
    with closing(PostgresCatalog(server.fresh_schema())) as catalog:
        for name in ("a\0b", "a\udcffb"):
            with pytest.raises(UsageError):
                catalog.head(name)
        assert catalog.head("a") is None


def test_tables_of_another_version_are_refused(server: PostgresServer) -> None:
    """Nothing in them can be trusted to mean what this version thinks it means."""
    address = server.fresh_schema()
    PostgresCatalog(address).close()
    with psycopg.connect(address) as connection:
        connection.execute("UPDATE catalog_version SET version = version + 1")
    with pytest.raises(CorruptIndex, match="another version"):
        PostgresCatalog(address)


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:hunter2@127.0.0.1:9/x", "postgresql://ann:hunter2@[x", "hunter2", "host=127.0.0.1 port=9 password=hunter2 dbname=x"],
)
def test_no_message_holds_a_password(address: str) -> None:
    """Not when nobody listens there, and not when the address cannot be read."""
    with pytest.raises((Unavailable, UsageError)) as raised:
        PostgresCatalog(address)
    assert "hunter2" not in f"{raised.value.message} {raised.value.hint} {raised.value.__cause__}"
