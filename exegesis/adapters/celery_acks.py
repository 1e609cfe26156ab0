"""Confirming again what the broker did not hear: without it, a worker that is alive takes no further message after its broker was restarted.

A worker asks for messages as long as fewer are unconfirmed than it has processes. When the broker dies while all of them work, no request of the
worker is open that could fail, so it sees nothing of that; and the confirmation that comes next fails, is logged, and is not tried again. The message
then counts as worked on for ever. With one process this is the end of all work; with several, of one of them each time (celery 5.7, kombu 5.7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from celery import Celery

SETTLE_SECONDS: Final = 2.0
"""Between two looks, each of which compares two short lists in memory."""


def settle_acks(app: Celery) -> None:
    """Have the workers of this application do so. A broker that is still away then fails the loop, which connects anew."""
    from celery import bootsteps

    class Settling(bootsteps.StartStopStep):  # type: ignore[misc]  # celery has no types
        requires = {"celery.worker.consumer.tasks:Tasks"}  # noqa: RUF012 - as the library wants it

        def __init__(self, consumer: Any, **options: Any) -> None:
            super().__init__(consumer, **options)
            self._timer: Any = None

        def start(self, consumer: Any) -> None:
            self._timer = consumer.timer.call_repeatedly(SETTLE_SECONDS, _confirm_what_ended, (consumer,))

        def stop(self, _consumer: Any) -> None:
            if self._timer is not None:
                self._timer.cancel()

    app.steps["consumer"].add(Settling)


def _confirm_what_ended(consumer: Any) -> None:
    """Of the messages that this connection brought, those that the worker knows no job of any more."""
    from celery.worker import state

    if consumer.task_consumer is None:
        return
    channel = consumer.task_consumer.channel
    known = {request.message.delivery_tag for request in state.requests.values()}
    # What the library keeps is no part of its interface: a test shows for each version that it is there.
    for tag in [tag for tag in channel.qos._delivered if tag not in channel.qos._dirty and tag not in known]:  # noqa: SLF001 - as above
        channel.basic_ack(tag)
