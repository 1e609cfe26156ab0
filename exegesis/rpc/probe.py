"""Whether a service can be used, for those who restart it: ``python -m exegesis.rpc.probe 127.0.0.1:7602`` ends with 0 or 1.

An address is asked for its health over gRPC, ``http://`` or ``https://`` for a page that says yes, and of ``file:`` the pulse is felt: whether it was
touched a moment ago. A certificate is not looked at: who probes is on the same machine and sends nothing.
"""

from __future__ import annotations

import ssl
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS: Final = 4.0
PULSE_SECONDS: Final = 45.0
"""Without a touch after which a file has no pulse: it is touched every ten, and a busy machine may be late."""

_FILE: Final = "file:"


def is_well(place: str) -> bool:
    if place.startswith(_FILE):
        return _beats(Path(place.removeprefix(_FILE)))
    return _says_yes(place) if place.startswith(("http://", "https://")) else _serves(place)


def _serves(address: str) -> bool:
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def _beats(file: Path) -> bool:
    try:
        return time.time() - file.stat().st_mtime < PULSE_SECONDS
    except OSError:
        return False


def _says_yes(url: str) -> bool:
    unchecked = ssl.create_default_context()
    unchecked.check_hostname = False
    unchecked.verify_mode = ssl.CERT_NONE
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=unchecked))
    try:
        with direct.open(url, timeout=SECONDS) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def main(arguments: Sequence[str]) -> int:
    return 0 if len(arguments) == 1 and is_well(arguments[0]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
