"""Certificates: those that a server shows, and whose a caller trusts, read from files that settings name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from exegesis.errors import UsageError


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files in PEM. With ``clients`` only callers whose certificate that authority signed get as far as showing a token."""

    certificate: Path
    key: Path
    clients: Path | None = None

    def credentials(self) -> Any:
        """As gRPC wants them. Raises ``UsageError`` for a file that cannot be read."""
        pair = (_read(self.key), _read(self.certificate))
        authority = _read(self.clients) if self.clients else None
        return grpc.ssl_server_credentials([pair], root_certificates=authority, require_client_auth=authority is not None)


def trusting(authority: str) -> Any:
    """What a caller needs to speak TLS: it believes the authority in that file, or those that everybody knows when there is none."""
    return grpc.ssl_channel_credentials(_read(Path(authority), hint="EXEGESIS_SERVER_CA names the file of the authority.") if authority else None)


def _read(path: Path, *, hint: str = "EXEGESIS_TLS_* name the files of the certificate.") -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", hint=hint) from error
