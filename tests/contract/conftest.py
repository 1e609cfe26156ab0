"""Servers that several suites share; each is started when the first test asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.postgres_server import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server
