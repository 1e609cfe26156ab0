from __future__ import annotations

import pytest

from exegesis.errors import UsageError
from exegesis.rpc.address import read_address
from services.gateway.exposure import check_exposure


@pytest.mark.parametrize("listen", ["127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/run/exegesis"])
@pytest.mark.parametrize("is_open", [True, False])
def test_on_this_machine_anything_goes(listen: str, is_open: bool) -> None:  # noqa: FBT001 - a parameter of a test
    """Without tokens, without TLS."""
    check_exposure(read_address(listen, source="test"), is_open=is_open, has_tokens=False, is_encrypted=False)


@pytest.mark.parametrize("listen", ["0.0.0.0:1", "[::]:1", "10.0.0.5:1", "gateway.example:1"])
@pytest.mark.parametrize(
    ("is_open", "has_tokens", "is_encrypted", "words"),
    [(True, True, True, "--open"), (False, False, True, "no token yet"), (False, True, False, "in the clear")],
)
def test_elsewhere_it_takes_tokens_and_encryption(listen: str, is_open: bool, has_tokens: bool, is_encrypted: bool, words: str) -> None:  # noqa: FBT001 - as above
    """Each missing one is named."""
    with pytest.raises(UsageError, match=words):
        check_exposure(read_address(listen, source="test"), is_open=is_open, has_tokens=has_tokens, is_encrypted=is_encrypted)


def test_with_both_it_may_listen_anywhere() -> None:
    """As a team needs it."""
    check_exposure(read_address("0.0.0.0:7600", source="test"), is_open=False, has_tokens=True, is_encrypted=True)
