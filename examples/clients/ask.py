"""Asks a gateway a question and prints the answer while it is written.

    export EXEGESIS_TOKEN=exg_...        # from: exegesis token create me --read my-project
    python examples/clients/ask.py 127.0.0.1:7600 "How does a token get refreshed?" my-project

All it needs is grpcio and the stubs of ``proto/exegesis/v1/gateway.proto``; other languages make theirs from the same file.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc

from exegesis.v1 import gateway_pb2, gateway_pb2_grpc

PATIENCE = 300.0
"""Seconds for the whole answer. The gateway, and the language model behind it, stop when they are over."""


def main(arguments: Sequence[str]) -> int:
    if len(arguments) < 2:
        print(f"usage: {sys.argv[0]} ADDRESS QUESTION [PROJECT ...]", file=sys.stderr)
        return 2
    address, question, *projects = arguments
    token = os.environ.get("EXEGESIS_TOKEN", "")
    certificate = os.environ.get("EXEGESIS_SERVER_CA", "")
    channel = connect(address, certificate)
    stub = gateway_pb2_grpc.GatewayStub(channel)
    events = stub.Explain(
        gateway_pb2.Asked(text=question, projects=projects),
        metadata=[("authorization", f"Bearer {token}")],
        timeout=PATIENCE,
    )
    try:
        for event in events:
            follow(event)
    except grpc.RpcError as failure:
        print(f"{failure.code().name}: {failure.details()}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        events.cancel()  # reaches the language model within a second
        return 130
    finally:
        channel.close()
    return 0


def connect(address: str, certificate: str) -> grpc.Channel:
    """In the clear on one's own machine; elsewhere through TLS, trusting the authority in the file ``certificate``."""
    if not certificate:
        return grpc.insecure_channel(address)
    return grpc.secure_channel(address, grpc.ssl_channel_credentials(Path(certificate).read_bytes()))


def follow(event: Any) -> None:
    """Stages on standard error; the text is provisional until ``finished`` repeats all of it, verified."""
    match event.WhichOneof("event"):
        case "stage_finished":
            report = event.stage_finished.report
            print(f"{report.name}: {report.items_out} in {report.ms:.0f} ms", file=sys.stderr)
        case "warned":
            print(f"warning: {event.warned.message}", file=sys.stderr)
        case "finished":
            answer = event.finished.answer
            print(answer.text)
            for citation in answer.citations:
                print(f"[{citation.id}] {citation.path}:{citation.start}-{citation.end}")
        case _:
            pass


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
