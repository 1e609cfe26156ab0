"""Whether a service can be used, for those who restart it: ``python -m exegesis.rpc.probe 127.0.0.1:7602`` ends with 0 or 1.

An address is asked for its health over gRPC; ``http://`` or ``https://`` for a page that says yes. A certificate is not looked at: who probes is on
the same machine and sends nothing.
"""

from __future__ import annotations

import ssl
import sys
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

SECONDS: Final = 4.0


def is_well(place: str) -> bool:
    return _says_yes(place) if place.startswith(("http://", "https://")) else _serves(place)


def _serves(address: str) -> bool:
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


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
