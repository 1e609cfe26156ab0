from __future__ import annotations

import pytest

from exegesis.errors import UsageError
from exegesis.rpc.address import host_in, read_address


@pytest.mark.parametrize(
    ("written", "is_private"),
    [
        ("127.0.0.1:7602", True),
        ("localhost:0", True),
        ("[::1]:7602", True),
        ("unix:/run/exegesis/graph.sock", True),
        ("0.0.0.0:7602", False),
        ("[::]:7602", False),
        ("graph:7602", False),
        ("10.1.2.3:7602", False),
    ],
)
def test_places_to_listen_and_to_call(written: str, is_private: bool) -> None:  # noqa: FBT001 - a column of the table
    """Hosts with a port, and sockets; only some of them are for this machine alone."""
    assert read_address(written, source="--listen").is_private is is_private
    assert str(read_address(written, source="--listen")) == written


@pytest.mark.parametrize(
    "written", ["", "graph", "graph:", ":7602", "http://graph:7602", "dns:///graph:7602", "graph:99999", "unix:", "unix:a\0b", "a b:1"]
)
def test_anything_else_is_refused_by_name(written: str) -> None:
    """With the variable or option that holds it."""
    with pytest.raises(UsageError, match="EXEGESIS_GRAPH_ADDRESS"):
        read_address(written, source="EXEGESIS_GRAPH_ADDRESS")


def test_the_port_that_was_taken_replaces_the_one_that_was_asked_for() -> None:
    """A socket keeps its path."""
    assert read_address("[::1]:0", source="").with_port(81).target == "[::1]:81"
    assert read_address("unix:/a", source="").with_port(1).target == "unix:/a"


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("Example.org", "example.org"),
        ("example.org:80", "example.org"),
        ("example.org:", "example.org"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[::1]:7603", "[::1]"),
        ("::1", ""),
        ("[::1", ""),
        ("[::1]x", ""),
        ("a:b", ""),
        ("a:1:2", ""),
        ("user@localhost", ""),
        (" localhost", ""),
        (":80", ""),
        ("", ""),
    ],
)
def test_the_host_that_a_header_asks_for_is_read(written: str, host: str) -> None:
    """A name or an address, with or without a port; empty for what is neither."""
    assert host_in(written) == host


@pytest.mark.parametrize("written", ["https://user:pass/w@rd@host", "user:pass/w@rd@host:7600"])
def test_a_password_in_a_wrong_address_is_not_shown(written: str) -> None:
    """The rest is, so that one sees which address it is."""
    with pytest.raises(UsageError) as refused:
        read_address(written, source="EXEGESIS_SERVER")
    assert "...@host" in refused.value.message
    assert "pass" not in refused.value.message
    assert "w@rd" not in refused.value.message
