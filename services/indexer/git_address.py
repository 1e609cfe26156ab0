"""Where a repository may be fetched from: addresses are read and judged here, before any process starts.

An address comes from whoever may register repositories, and is hostile input all the same: git takes some for options and some for programs to run,
and others would let a stranger look into the network that the worker stands in.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from exegesis.errors import Unavailable, UsageError

PROTOCOLS: Final = ("https", "ssh", "http", "file")
_PORTS: Final = {"https": 443, "ssh": 22, "http": 80}

_SHORT: Final = re.compile(r"(?P<user>[A-Za-z0-9_][A-Za-z0-9._-]*)@(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*):(?P<path>[^:/][^:]*)")
"""``git@host:owner/name``, as people copy it."""
_UNSEEN: Final = re.compile(r"[\x00-\x20\x7f-\xa0]")
_HOST: Final = re.compile(r"(?!-)[A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
_USER: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
_PATH: Final = re.compile(r"/[^\x00-\x20\x7f?#\\]+")


@dataclass(frozen=True, slots=True)
class Remote:
    """An address that may be handed to git."""

    url: str
    protocol: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """For people, and as code hosts call it: ``owner/name``."""
        return self.path.strip("/").removesuffix(".git")


def is_remote(written: str) -> bool:
    """Whether somebody means an address, and not a folder."""
    return "://" in written or "::" in written or _SHORT.fullmatch(written) is not None


def read_remote(written: str, *, protocols: Collection[str], hosts: Collection[str]) -> Remote:
    """An address that may be fetched from. Raises ``UsageError``; the message names at most the host, because the rest may hold a password.

    Args:
        written: What somebody wrote.
        protocols: Those that are allowed.
        hosts: The only hosts that are allowed; empty for any by https.

    """
    if _UNSEEN.search(written):  # some of which the parser of addresses would drop without a word
        raise _refused("holds characters that no address has")
    short = _SHORT.fullmatch(written)
    if short:
        written = f"ssh://{short['user']}@{short['host']}/{short['path']}"
    try:
        parts = urlsplit(written)
        port = parts.port
    except ValueError:
        raise _refused("is not an address") from None
    protocol = parts.scheme
    if protocol not in PROTOCOLS or not written.startswith(f"{protocol}://"):
        raise _refused("is not an address of a protocol that is known")
    if protocol not in protocols:
        raise _refused(f"is of a protocol ({protocol}) that is not allowed")
    if not _PATH.fullmatch(parts.path) or parts.query or parts.fragment or "//" in parts.path or "/../" in f"{parts.path}/" or "/-" in parts.path:
        raise _refused("does not name a repository as it should")
    if protocol == "file":
        if parts.netloc:
            raise _refused("names a host, which a file has none of")
        return Remote(f"file://{parts.path}", protocol, "", 0, parts.path)
    user, at, place = parts.netloc.rpartition("@")
    if at and (protocol != "ssh" or not _USER.fullmatch(user)):
        raise _refused("holds user or password, which belong into EXEGESIS_GIT_NETRC")
    host = (parts.hostname or "").lower()
    if not _HOST.fullmatch(f"[{host}]" if ":" in host else host) or (port is None and place.rstrip("0123456789").endswith(":")):
        raise _refused("does not name a host as it should")
    if host not in hosts and (hosts or protocol != "https"):
        raise _refused(f"is at a host ({host}) that is not allowed")
    shown = f"[{host}]" if ":" in host else host
    number = port or _PORTS[protocol]
    beside = "" if number == _PORTS[protocol] else f":{number}"
    return Remote(f"{protocol}://{f'{user}@' if at else ''}{shown}{beside}{parts.path}", protocol, host, number, parts.path)


def place_of(remote: Remote, *, hosts: Collection[str]) -> str:
    """The network address that a host has now, so that git need not ask again and be told another. Empty where git may look for itself.

    A host that is not named in the settings must be a public one, whatever its name says. Raises ``UsageError``, ``Unavailable``.
    """
    if remote.protocol == "file" or remote.host in hosts:
        return ""
    try:
        found = socket.getaddrinfo(remote.host, remote.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unavailable(f"The host {remote.host} is not found.", hint="Check the address, and the network.") from None
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    for address in addresses:
        if not _is_public(address):
            raise _refused(f"is at a host ({remote.host}) inside of a private network, which is not named in EXEGESIS_GIT_HOSTS")
    return addresses[0]


def _is_public(address: str) -> bool:
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed.sixtofour or parsed
    return parsed.is_global and not parsed.is_multicast


def _refused(why: str) -> UsageError:
    return UsageError(
        f"This address {why}.",
        hint="Give it as https://host/owner/name.git. EXEGESIS_GIT_PROTOCOLS and EXEGESIS_GIT_HOSTS say what is allowed.",
    )
