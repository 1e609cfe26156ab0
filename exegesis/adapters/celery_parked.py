"""Messages that a worker does not know, or whose arguments it does not, are put aside until one comes that knows them: as while an installation is
brought up to date.

The library confirms and drops such a message. The ledger would ring again for what it was about, but a message may also be one that no ledger knows
of, and who reads the log of the older worker should not have to wonder what was lost.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from celery import Celery, Task

PARKED: Final = "parked"
"""The queue that nobody takes messages from, but a worker at its start."""

_FROM: Final = "parked-from"
"""Header of a parked message: the queue that it was published to."""
_KEPT: Final = ("correlation_id", "reply_to", "priority", "delivery_mode")
"""Of the properties of a message, besides its headers; the rest is made anew by whoever publishes."""

_log: Final = logging.getLogger(__name__)


def park_unknown(app: Celery) -> None:
    """Have the workers of this application park what they do not know, and take up again, when they start, what they do. A broker that takes nothing
    at that moment fails the loop, which connects anew; the message is then delivered again.
    """
    from celery import bootsteps
    from celery.worker.consumer import Consumer

    class Parking(Consumer):  # type: ignore[misc]  # celery has no types
        def on_unknown_task(self, _body: Any, message: Any, _exc: Exception) -> None:
            _log.warning("a message of another version is parked: %s", message.headers.get("task"))
            with self.app.connection_for_write() as connection:
                _publish(connection, message, PARKED, {_FROM: message.delivery_info.get("routing_key", "")})
            message.ack()

    class Unparking(bootsteps.StartStopStep):  # type: ignore[misc]  # likewise
        requires = {"celery.worker.consumer.connection:Connection"}  # noqa: RUF012 - as the library wants it

        def start(self, consumer: Any) -> None:
            unpark(consumer.app)

    app.conf.worker_consumer = Parking
    app.steps["consumer"].add(Unparking)


def takes(handler: Callable[..., object], arguments: Mapping[str, object]) -> bool:
    """Whether the handler has a name for each of the arguments, and each that it needs is among them."""
    try:
        inspect.signature(handler).bind(**arguments)
    except TypeError:
        return False
    return True


def park(task: Task[..., None], arguments: Mapping[str, str | int]) -> None:
    """Put a job aside whose name is known and whose arguments are not. Raises what the broker raises; then the job counts as failed."""
    from kombu.entity import Queue

    _log.warning("a message of another version is parked: %s with %s", task.name, ", ".join(sorted(arguments)))
    headers = {**(task.request.headers or {}), _FROM: task.request.delivery_info.get("routing_key", "")}
    task.apply_async(kwargs=dict(arguments), queue=Queue(PARKED, routing_key=PARKED), headers=headers)


def unpark(app: Celery) -> int:
    """Give messages that this application knows back to where they came from; returns how many. Each is looked at once; others stay in order."""
    from kombu.entity import Queue

    known = 0
    with app.connection_for_write() as connection:
        parked = Queue(PARKED, routing_key=PARKED)(connection.default_channel)
        for _ in range(parked.queue_declare().message_count):
            message = parked.get()
            if message is None:  # another worker starts as well
                break
            is_known = message.headers.get("task") in app.tasks and message.headers.get(_FROM)
            known += bool(is_known)
            _publish(connection, message, message.headers[_FROM] if is_known else PARKED, {})
            message.ack()
    return known


def _publish(connection: Any, message: Any, queue: str, further: dict[str, str]) -> None:
    from kombu.messaging import Producer

    Producer(connection.default_channel).publish(
        message.body,
        exchange="",
        routing_key=queue,
        headers={**message.headers, **further},
        content_type=message.content_type,
        content_encoding=message.content_encoding,
        **{name: message.properties[name] for name in _KEPT if name in message.properties},
    )
