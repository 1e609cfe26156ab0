"""Settings are read once, and a value that cannot be meant is refused in words."""

from __future__ import annotations

import pytest

from exegesis.errors import UsageError
from exegesis.settings import Settings, read_settings


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
