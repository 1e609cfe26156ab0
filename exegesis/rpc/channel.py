"""A connection to a service: limits, patience and retries, the same for all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import grpc
import grpc.experimental

from exegesis.rpc.address import Address
from exegesis.rpc.pages import MESSAGE_BYTES

LIMITS: Final = (("grpc.max_receive_message_length", MESSAGE_BYTES), ("grpc.max_send_message_length", MESSAGE_BYTES))
"""Of both sides."""

_OPTIONS: Final = (
    *LIMITS,
    (grpc.experimental.ChannelOptions.SingleThreadedUnaryStream, 1),  # whoever reads a stream also receives it: no thread for each call
    ("grpc.enable_http_proxy", 0),  # services stand beside each other; a proxy for the world outside is not for them
    ("grpc.keepalive_time_ms", 30_000),  # a peer that vanished without a word is noticed within a minute
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.use_local_subchannel_pool", 1),  # connections of its own: who connects now does not inherit the pause of who tried in vain before
    ("grpc.max_reconnect_backoff_ms", 500),  # less than the retries of a call wait, so that one finds a service that has restarted meanwhile
)

_RETRY: Final = {
    "maxAttempts": 4,
    "initialBackoff": "0.1s",
    "maxBackoff": "1s",
    "backoffMultiplier": 3,
    "retryableStatusCodes": ["UNAVAILABLE"],
}
"""Four attempts within a second or so: longer than a service takes to hand over to its replica, shorter than a person's patience."""

_THROTTLE: Final = {"maxTokens": 20, "tokenRatio": 0.2}
"""Once most calls fail, retries stop: a service that is down is not helped by three times the calls."""


def open_channel(address: Address, *, service: str, retried: Sequence[str], credentials: Any = None) -> grpc.Channel:
    """A channel to one service; connects with the first call. ``retried`` are the methods that may be called twice, since they only read: those are
    tried again when nobody answers. A stream that has begun is never retried. ``credentials`` for one that speaks TLS; None for one that does not.
    """
    config: dict[str, Any] = {"methodConfig": [{"name": [{"service": service, "method": name} for name in retried], "retryPolicy": _RETRY}]}
    config["retryThrottling"] = _THROTTLE
    config["loadBalancingConfig"] = [{"round_robin": {}}]  # over all machines that a name stands for; without it calls stay with the first
    options = [*_OPTIONS, ("grpc.service_config", json.dumps(config))]
    if credentials is not None:
        return grpc.secure_channel(address.target, credentials, options=options)
    return grpc.insecure_channel(address.target, options=options)
