"""The client's side of a call: how long it may take, what goes with it, how it is stopped, and what its failure means here."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from exegesis.errors import Cancelled, WireError
from exegesis.rpc.address import Address
from exegesis.rpc.channel import open_channel
from exegesis.rpc.deadline import seconds_for
from exegesis.rpc.failures import error_of, new_id
from exegesis.rpc.identity import REQUEST_ID, current_request
from exegesis.rpc.pages import check_size
from exegesis.rpc.tracing import outgoing
from exegesis.rpc.watch import Watch

M = TypeVar("M", bound=Message)


class Asker:
    """Calls to one service at one address. Usable from several threads.

    Args:
        address: Where it listens.
        service: Its name in the contract, such as ``exegesis.v1.GraphService``.
        stub: The generated stub class.
        seconds: The longest time of each method, all of them.
        retried: Methods that only read.
        credentials: For a service that speaks TLS.
        token: Shown with every call.

    """

    def __init__(
        self,
        address: Address,
        *,
        service: str,
        stub: Any,
        seconds: Mapping[str, float],
        retried: Iterable[str],
        credentials: Any = None,
        token: str = "",
    ) -> None:
        self._channel = open_channel(address, service=service, retried=tuple(retried), credentials=credentials)
        self._shown = (("authorization", f"Bearer {token}"),) if token else ()
        self._stub = stub(self._channel)
        self._seconds = seconds
        self._watch = Watch()
        self._who = f"{service.rpartition('.')[2].removesuffix('Service').lower()} service at {address}"

    def one(self, method: str, request: Message, *, cancelled: threading.Event | None = None) -> Any:
        """The answer to one message. Raises ``Cancelled`` when ``cancelled`` is set before it comes."""
        check_size(request, what="request")
        with self._failures():
            if cancelled is None:
                return getattr(self._stub, method)(request, **self._with(method))
            call = getattr(self._stub, method).future(request, **self._with(method))
            with self._left_in_order(call, cancelled):
                return call.result()

    def send(self, method: str, requests: Iterable[Message]) -> Any:
        """The answer to a stream of messages. Raises ``failures.Broken`` where nobody knows what arrived: only the sender can tell how to go on."""
        with self._failures():
            return getattr(self._stub, method)(iter(requests), **self._with(method))

    def stream(self, method: str, request: Message, *, cancelled: threading.Event | None = None) -> Iterator[Any]:
        """The messages of an answer as they come. Closing the iterator cancels the call; so does ``cancelled``, which then ends in ``Cancelled``."""
        check_size(request, what="request")
        with self._failures():
            call = getattr(self._stub, method)(request, **self._with(method))
            with self._left_in_order(call, cancelled):
                yield from call

    @contextmanager
    def _left_in_order(self, call: Any, cancelled: threading.Event | None) -> Iterator[None]:
        """Cancels a call as soon as the event is set, and when it is left before it has ended."""
        try:
            with self._watch.over(cancelled, call.cancel):
                yield
        finally:
            call.cancel()  # changes nothing when it has ended

    @contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except grpc.RpcError as failure:
            raise error_of(failure, service=self._who) from None
        except grpc.FutureCancelledError:
            raise Cancelled(f"The {self._who} was told to stop.") from None

    def close(self) -> None:
        self._channel.close()

    def _with(self, method: str) -> dict[str, Any]:
        metadata = ((REQUEST_ID, current_request() or new_id()), *self._shown, *outgoing())
        return {"timeout": seconds_for(self._seconds[method]), "metadata": metadata}


def compose(kind: type[M], **fields: Any) -> M:
    """A message of these fields. Raises ``WireError`` for a value that does not fit, such as text that is none."""
    try:
        return kind(**fields)
    except (TypeError, ValueError) as error:
        raise WireError(f"this does not fit into a {kind.DESCRIPTOR.name}: {error}") from None
