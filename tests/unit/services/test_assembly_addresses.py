"""Addresses choose a team's servers, and without them nothing of a team's installation is even loaded."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from exegesis.errors import UsageError
from exegesis.settings import Settings, read_settings
from services.assembly import Assembly
from tests.fakes.qdrant_rest import qdrant_rest
from tests.fakes.tei_server import tei_server

TEAM = ("amqp", "celery", "kombu", "psycopg", "qdrant_client", "redis")

ASK = """
import sys
from exegesis.__main__ import main
sys.argv[1:] = ["explain", "how is money counted", "--project", sys.argv[1], "--no-llm"]
try:
    main()
except SystemExit:
    pass
print([name for name in TEAM if name in sys.modules], file=sys.stderr)
"""


def test_the_embedded_shape_loads_nothing_of_a_teams(tmp_path: Path) -> None:
    """A folder is indexed and a question answered without a client library of any server."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "money.swift").write_text("/// Counts money.\nfunc countMoney(coins: [Int]) -> Int { coins.reduce(0, +) }\n")
    command = [sys.executable, "-c", f"TEAM = {TEAM!r}\n{ASK}", str(tmp_path / "project")]
    environment = {"EXEGESIS_HOME": str(tmp_path / "home"), "EXEGESIS_EMBEDDER": "none", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=Path(__file__).parents[3])
    assert "countMoney" in done.stdout
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_addresses_choose_the_servers(tmp_path: Path) -> None:
    """The embedder asks the one address, the chunk index the other, and the collection is that of the embedder's model."""
    with tei_server() as tei, qdrant_rest() as qdrant:
        settings = Settings(
            home=str(tmp_path), embedder_address=tei.url, embedder_model="sentence-transformers/all-MiniLM-L6-v2", chunks_address=qdrant.url
        )
        with closing(Assembly(settings)) as assembly:
            assert assembly.embedder is not None
            vector = assembly.embedder.embed(["one"], tokens=64)[0]
            draft = assembly.chunk_index.draft("r", "g", basis=None, dimensions=len(vector))
            draft.discard()
        assert tei.asked == [["one"]]
        assert ("PUT", f"/collections/{qdrant.local.get_collections().collections[0].name}") in qdrant.asked


@pytest.mark.parametrize("name", ["EXEGESIS_EMBEDDER_ADDRESS", "EXEGESIS_RERANKER_ADDRESS", "EXEGESIS_CHUNKS_ADDRESS"])
@pytest.mark.parametrize("written", ["tei:80", "http://ann:hunter2@tei:80"])
def test_an_address_that_is_none_or_holds_a_password_is_refused(name: str, written: str) -> None:
    """Addresses are shown to people; passwords have settings of their own."""
    with pytest.raises(UsageError, match=name) as refused:
        read_settings({name: written})
    assert "hunter2" not in refused.value.message + refused.value.hint


def test_the_address_of_the_catalog_never_shows() -> None:
    """It holds the password of the database."""
    assert "hunter2" not in repr(read_settings({"EXEGESIS_CATALOG_ADDRESS": "postgresql://ann:hunter2@db/x"}))
