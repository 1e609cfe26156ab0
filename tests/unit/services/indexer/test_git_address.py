"""Addresses that repositories may be fetched from, and the many that they may not."""

from __future__ import annotations

import pytest

from exegesis.errors import Unavailable, UsageError
from services.indexer.git_address import PROTOCOLS, Remote, is_remote, place_of, read_remote


def read(written: str, *, protocols: tuple[str, ...] = ("https",), hosts: tuple[str, ...] = ()) -> Remote:
    return read_remote(written, protocols=protocols, hosts=hosts)


@pytest.mark.parametrize(
    ("written", "url", "name"),
    [
        ("https://github.com/owner/name", "https://github.com/owner/name", "owner/name"),
        ("https://github.com/owner/name.git", "https://github.com/owner/name.git", "owner/name"),
        ("https://GitLab.example.org:8443/a/b/c.git", "https://gitlab.example.org:8443/a/b/c.git", "a/b/c"),
        ("https://github.com:443/owner/name", "https://github.com/owner/name", "owner/name"),
    ],
)
def test_an_address_is_read(written: str, url: str, name: str) -> None:
    """As git gets it, and as people call it."""
    assert is_remote(written)
    assert (read(written).url, read(written).name) == (url, name)


def test_the_short_form_is_ssh() -> None:
    """With the user that code hosts have, and only where both protocol and host are allowed."""
    written = "git@github.com:owner/name.git"
    assert is_remote(written)
    assert read(written, protocols=("ssh",), hosts=("github.com",)).url == "ssh://git@github.com/owner/name.git"
    with pytest.raises(UsageError, match="protocol"):
        read(written)
    with pytest.raises(UsageError, match="host"):
        read(written, protocols=("ssh",))


@pytest.mark.parametrize(
    "written",
    [
        "ext::sh -c touch% /tmp/x",
        "fd::17/foo",
        "file:///etc",
        "http://github.com/owner/name",
        "git://github.com/owner/name",
        "ssh://github.com/owner/name",
        "ssh://-oProxyCommand=touch/x",
        "https://-oProxyCommand=x/owner/name",
        "--upload-pack=touch /tmp/x",
        "https://user:secret@github.com/owner/name",
        "https://secret@github.com/owner/name",
        "https://github.com/",
        "https://github.com",
        "https:///owner/name",
        "https://github.com/owner/name?x=y",
        "https://github.com/owner/name#x",
        "https://github.com/owner/../../name",
        "https://github.com/owner/--upload-pack=x",
        "https://github.com/owner/na me",
        "https://github.com/owner/na\nme",
        "https://github.com:99999/owner/name",
        "https://github.com:/owner/name",
        "https://git hub.com/owner/name",
        "https://github.com\\@127.0.0.1/owner/name",
        "https://[::1/owner",
        "HTTPS://github.com/owner/name",
        "https://ġithub.com/owner/name",
        "",
    ],
)
def test_what_is_no_such_address_is_refused_without_repeating_it(written: str) -> None:
    """It may hold a password, or words that somebody wants in our log."""
    with pytest.raises(UsageError) as raised:
        read(written)
    assert "secret" not in raised.value.message + raised.value.hint
    assert "touch" not in raised.value.message


def test_only_hosts_that_are_named_are_allowed_where_some_are() -> None:
    """Letter case does not matter."""
    assert read("https://GIT.example.org/a/b", hosts=("git.example.org",)).host == "git.example.org"
    with pytest.raises(UsageError, match=r"github\.com"):
        read("https://github.com/a/b", hosts=("git.example.org",))
    assert read("file:///srv/git/a.git", protocols=PROTOCOLS).path == "/srv/git/a.git"
    with pytest.raises(UsageError):
        read("file://elsewhere/srv/git/a.git", protocols=PROTOCOLS)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "169.254.169.254", "10.1.2.3", "192.168.0.1", "localhost", "[::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"],
)
def test_a_host_inside_of_the_network_is_refused(host: str) -> None:
    """Whatever it is called; nothing is asked of it."""
    with pytest.raises((UsageError, Unavailable)):
        place_of(read(f"https://{host}/a/b"), hosts=())


def test_a_host_that_is_named_may_be_inside() -> None:
    """Whoever runs the workers has said so."""
    assert place_of(read("https://localhost/a/b", hosts=("localhost",)), hosts=("localhost",)) == ""


@pytest.mark.parametrize("written", [".", "/srv/project", "../a", "name", "owner/name", "a:b", "../a@b:c", "a@b:/c", ""])
def test_a_folder_is_no_address(written: str) -> None:
    """People name both in the same place."""
    assert not is_remote(written)
