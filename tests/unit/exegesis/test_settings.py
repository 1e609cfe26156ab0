"""Settings are read once, and a value that cannot be meant is refused in words."""

from __future__ import annotations

import pytest

from exegesis.errors import UsageError
from exegesis.settings import Settings, is_debugging, read_settings


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("EXEGESIS_EMBEDDER", "maxilm"),
        ("EXEGESIS_WORKERS", "-1"),
        ("EXEGESIS_WORKERS", "two"),
        ("EXEGESIS_WORKERS", "99999999999"),
        ("EXEGESIS_QUERY_ADDRESS", " , "),
        ("EXEGESIS_QUEUE_ADDRESS", "valkey:6379"),
        ("EXEGESIS_GIT_MIB", "0"),
        ("EXEGESIS_GIT_SECONDS", "-1"),
        ("EXEGESIS_REWRITE_SECONDS", "inf"),
        ("EXEGESIS_MODEL_URL", "localhost:11434"),
        ("EXEGESIS_MODEL_SECONDS", "nan"),
        ("EXEGESIS_MODEL_SECONDS", "0"),
        ("EXEGESIS_MODEL_OUTPUT_TOKENS", "-5"),
        ("EXEGESIS_DEBUG", "maybe"),
        ("EXEGESIS_LEASE_SECONDS", "0.5"),
        ("EXEGESIS_POLL_SECONDS", "-1"),
        ("EXEGESIS_GIT_PROTOCOLS", "https, ftp"),
        ("EXEGESIS_DESCRIBE_TOKENS", "-1"),
        ("EXEGESIS_CHUNKS_ADDRESS", "qdrant:6333"),
        ("EXEGESIS_GRAPH_STORE", "database"),
        ("EXEGESIS_GRAPH_STORE", "postgres"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused(name: str, written: str) -> None:
    """The message names the variable, and the hint what it takes."""
    with pytest.raises(UsageError, match=name) as refused:
        read_settings({name: written})
    assert refused.value.hint


def test_a_home_folder_that_does_not_exist_is_a_usage_error() -> None:
    """A tilde with a name that nobody has."""
    with pytest.raises(UsageError, match="~nobody-of-this-name"):
        _ = Settings(home="~nobody-of-this-name/x").folder


def test_a_key_never_shows() -> None:
    """Neither the settings nor their parts repeat it."""
    settings = read_settings({"EXEGESIS_MODEL_KEY": "sk-abc"})
    assert "sk-abc" not in f"{settings!r} {settings.model_key}"


@pytest.mark.parametrize("name", ["EXEGESIS_MODEL_URL", "EXEGESIS_EMBEDDER_ADDRESS", "EXEGESIS_RERANKER_ADDRESS", "EXEGESIS_CHUNKS_ADDRESS"])
def test_a_password_in_an_http_address_is_refused_and_not_repeated(name: str) -> None:
    """Addresses are shown, in logs and by `exegesis doctor`; keys have variables of their own, which the hint names."""
    with pytest.raises(UsageError, match=name) as refused:
        read_settings({name: "https://user:hunter2@example.org/v1"})
    assert "hunter2" not in f"{refused.value.message} {refused.value.hint}"
    assert f"{name.rpartition('_')[0]}_KEY" in refused.value.hint


def test_tracebacks_are_asked_for_whatever_else_is_set() -> None:
    """Also where other settings cannot be read, or this one says nothing."""
    assert is_debugging({"EXEGESIS_DEBUG": "1", "EXEGESIS_WORKERS": "two"})
    assert not any(is_debugging({"EXEGESIS_DEBUG": written}) for written in ("0", "", "maybe"))
    assert not is_debugging({})
