"""How a place to listen or to call is written: ``host:port``, ``[::1]:port`` or ``unix:/path/of/socket``."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from exegesis.errors import UsageError

_HOST: Final = r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
_HOST_PORT: Final = re.compile(_HOST + r":(?P<port>[0-9]{1,5})")
_ASKED_FOR: Final = re.compile(_HOST + r"(?::[0-9]{0,5})?")
_CREDENTIALS: Final = re.compile(r"(?<=://).*@|^(?!.*://).*@", re.DOTALL)
"""User and password of an address for another protocol; what is before the last ``@``, but for the scheme, since passwords hold anything."""
_UNIX: Final = "unix:"
_LONGEST_SOCKET: Final = 100
"""Bytes of a socket's path: kernels allow 104 to 108."""


@dataclass(frozen=True, slots=True)
class Address:
    target: str
    """As gRPC wants it."""
    is_private: bool
    """Only processes of this machine reach it."""

    @property
    def is_socket(self) -> bool:
        return self.target.startswith(_UNIX)

    def with_port(self, port: int) -> Address:
        """The same place at another port, as when the system chose one; a socket has none."""
        return self if self.is_socket else Address(f"{self.target.rpartition(':')[0]}:{port}", self.is_private)

    def __str__(self) -> str:
        return self.target


def read_address(written: str, *, source: str) -> Address:
    """The address in ``written``; ``source`` says where it stands. Raises ``UsageError`` for anything else, such as an http address."""
    if written.startswith(_UNIX):
        path = written.removeprefix(_UNIX)
        if not path or "\0" in path or len(path.encode("utf-8", "surrogateescape")) > _LONGEST_SOCKET:
            raise UsageError(f"{source} is {written!r}", hint=f"Write unix: and the path of a socket of at most {_LONGEST_SOCKET} bytes.")
        return Address(written, is_private=True)
    found = _HOST_PORT.fullmatch(written)
    if found is None or int(found["port"]) > 0xFFFF:
        shown = _CREDENTIALS.sub("...@", written)
        raise UsageError(f"{source} is {shown!r}", hint="Write host:port, such as 127.0.0.1:7602, or unix:/path/of/socket.")
    return Address(written, is_private=is_loopback(found["host"]))


def host_in(written: str) -> str:
    """The host that a ``Host`` header asks for, with or without a port, in small letters; empty for what names none."""
    found = _ASKED_FOR.fullmatch(written)
    return found["host"].lower() if found else ""


def is_loopback(host: str) -> bool:
    """Whether this is an address of this machine that nobody else reaches, or its name."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
