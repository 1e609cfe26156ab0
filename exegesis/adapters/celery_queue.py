"""``ports.TaskQueue`` on Celery and a Redis-compatible broker, and the worker at its other end.

The broker is the doorbell, not the ledger: a message carries identifiers, the catalog knows what is to be done, and whatever the broker loses is rung
again from there. So there is no result backend, no chain and no chord. What each setting answers to was measured; the reason stands beside it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

from exegesis.adapters.celery_acks import settle_acks
from exegesis.adapters.celery_parked import park, park_unknown, takes
from exegesis.errors import ExegesisError, Unavailable
from exegesis.telemetry import continued, current_trace

if TYPE_CHECKING:
    from celery import Celery, Task

Handler = Callable[..., None]
"""Takes the arguments of the job by name. Runs at least once for a job, so running twice must do no harm."""

QUEUES: Final = ("interactive", "bulk", "maintenance")
"""What somebody waits for, what fills an index, and what cleans up: each with workers of its own, since the broker's priorities are an emulation that
prefetched jobs ignore.
"""

Mourn = Callable[[str, Mapping[str, str | int]], None]
"""Takes a job and its arguments, in the process that is about to perform it again."""

VISIBILITY_SECONDS: Final = 900
"""After which an unconfirmed message is delivered again: longer than waiting in a worker and the hard limit together, or a job would run twice."""

SETTINGS: Final[Mapping[str, Any]] = {
    "task_serializer": "json",
    "accept_content": ["json"],  # nothing of a message is executed
    "task_ignore_result": True,
    "result_backend": None,  # the catalog knows; results would stay as keys
    "task_acks_late": True,  # a message is gone only when its job is done
    "worker_prefetch_multiplier": 1,  # no more than it works on, so that a dead worker holds up little
    "task_retry_on_worker_lost": True,  # a killed child is tried again, as often as the task says
    "task_reject_on_worker_lost": False,  # this one would try for ever
    "task_soft_time_limit": 240,
    "task_time_limit": 300,
    "visibility_timeout": VISIBILITY_SECONDS,
    "broker_transport_options": {
        "visibility_timeout": VISIBILITY_SECONDS,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,  # unconfirmed messages are looked for every ten seconds, not every hundred
        "socket_timeout": 15,  # without it a half-open connection freezes a worker
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 15,
        "global_keyprefix": "exegesis:",
    },
    "worker_soft_shutdown_timeout": 25,  # jobs may finish; then they are given back at once
    "worker_cancel_long_running_tasks_on_connection_loss": True,  # their message is delivered again anyway
    "worker_max_tasks_per_child": 200,
    "worker_max_memory_per_child": 1_500_000,  # KiB
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "task_default_queue": "bulk",
    "task_create_missing_queues": False,  # a misspelt queue is an error, not a place where jobs wait for ever
    "worker_enable_remote_control": False,  # fewer ways in which a connection can half die
    "worker_hijack_root_logger": False,
}

PULSE_SECONDS: Final = 10.0

_RETRIES: Final = 2
_RETRY_SECONDS: Final = 2
"""What was killed by something else than its job is over in a moment; what kills itself does so again, however long it waits."""
_HOURS: Final = 6 * 3600
"""Limit of a patient job, in seconds: the largest repository without a graphics card."""
_TRACE: Final = "traceparent"
"""Header of a message that names the span which it was published in."""
_PUBLISH: Final = {"max_retries": 3, "interval_start": 0.2, "interval_step": 0.5, "interval_max": 2.0}
"""Some seconds; what then is not published stays due in the catalog."""

_GLANCE: Final = {"socket_timeout": 2, "socket_connect_timeout": 2, "max_retries": 1, "interval_start": 0}
"""For whoever only looks, and would rather know nothing than wait."""


class CeleryQueue:
    """Publishes to the broker at ``address``, such as ``redis://valkey:6379/0``. Usable from several threads; connects on first use."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._made: Celery | None = None

    def publish(self, job: str, arguments: Mapping[str, str | int], *, queue: str) -> None:
        """Raises ``TypeError`` for what JSON cannot carry, ``Unavailable`` when the broker does not take it."""
        from kombu.exceptions import OperationalError

        json.dumps(dict(arguments))  # Celery's own JSON carries more than a port promises, such as dates
        try:
            trace = current_trace()
            headers = {_TRACE: trace} if trace else None
            self._app().send_task(job, kwargs=dict(arguments), queue=queue, headers=headers, retry=True, retry_policy=_PUBLISH)
        except OperationalError as error:
            raise _away(error) from None

    def depths(self) -> Mapping[str, int]:
        """Messages that wait in each queue and that nobody has taken. Raises ``Unavailable`` within seconds."""
        from kombu.exceptions import OperationalError

        connection = self._app().connection_for_read(transport_options=_GLANCE)
        with connection:
            try:
                return {name: connection.default_channel.queue_declare(queue=name).message_count for name in QUEUES}
            except (OperationalError, *connection.connection_errors) as error:
                raise _away(error) from None

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    def _app(self) -> Celery:
        if self._made is None:
            self._made = celery_app(self._address, {})
        return self._made


def _no_word(_job: str, _arguments: Mapping[str, str | int]) -> None:
    """For whoever keeps no account of deaths."""


def celery_app(address: str, handlers: Mapping[str, Handler], *, patient: Collection[str] = (), mourn: Mourn = _no_word) -> Celery:
    """An application that knows these jobs. Made after a fork, or before one with nothing connected. ``patient`` jobs may take hours."""
    from celery import Celery
    from kombu.entity import Queue

    app = Celery("exegesis", broker=address, set_as_current=False)
    app.conf.update(SETTINGS, task_queues=[Queue(name, routing_key=name) for name in QUEUES])
    for name, handler in handlers.items():
        limits = {"soft_time_limit": _HOURS, "time_limit": _HOURS + 60} if name in patient else {}
        app.task(_ending_quietly(name, handler, mourn), name=name, bind=True, max_retries=_RETRIES, default_retry_delay=_RETRY_SECONDS, **limits)
    return app


def work(
    address: str,
    handlers: Mapping[str, Handler],
    *,
    queues: tuple[str, ...] = QUEUES,
    consumers: int,
    pool: str = "prefork",
    patient: Collection[str] = (),
    mourn: Mourn = _no_word,
    begin: Callable[[], Callable[[], None]] = lambda: lambda: None,
    pulse: Callable[[], None] | None = None,
) -> None:
    """Perform jobs of these queues until told to stop by SIGTERM, with as many at a time as there are ``consumers``.

    Told to stop, jobs may finish for ``worker_soft_shutdown_timeout``; what then still runs is given back to the broker at once.

    Args:
        address: Of the broker.
        handlers: Jobs by name.
        queues: Those that are worked on.
        consumers: Processes.
        pool: How Celery runs them.
        patient: Jobs that may take hours. They must hold what they work on by other means than an unconfirmed message, which is delivered again
            meanwhile.
        mourn: Called for each job whose process died of it, or while at it, where the worker saw that: before it is performed again. A worker that
            dies with its processes sees nothing.
        begin: Called in each process before its first job; what it returns is called before the process ends.
        pulse: Called every :data:`PULSE_SECONDS` by the loop that takes messages, as long as it turns.

    """
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")  # read where Celery is imported: a worker told to end gives back what it cannot finish
    from celery import signals

    ends: list[Callable[[], None]] = []

    def start(**_: object) -> None:
        ends.append(begin())

    def end(**_: object) -> None:
        while ends:
            ends.pop()()

    signals.worker_process_init.connect(start, weak=False)
    signals.worker_process_shutdown.connect(end, weak=False)
    app = celery_app(address, handlers, patient=patient, mourn=mourn)
    settle_acks(app)
    park_unknown(app)
    if pulse is not None:
        _beat_in(app, pulse)
    options = ["--loglevel=WARNING", f"--pool={pool}", f"--concurrency={consumers}", f"--queues={','.join(queues)}"]
    app.worker_main(["--quiet", "worker", *options, "--without-gossip", "--without-mingle", "--without-heartbeat"])


def _beat_in(app: Celery, pulse: Callable[[], None]) -> None:
    from celery import bootsteps

    class Pulse(bootsteps.StartStopStep):  # type: ignore[misc]  # celery has no types
        requires = {"celery.worker.components:Timer"}  # noqa: RUF012 - as the library wants it

        def start(self, worker: Any) -> None:
            worker.timer.call_repeatedly(PULSE_SECONDS, pulse)

    app.steps["worker"].add(Pulse)


def _ending_quietly(name: str, handler: Handler, mourn: Mourn) -> Handler:
    """The handler, whose failure ends its job and no more: the ledger knows what is still to do."""

    def run(task: Task[..., None], **arguments: str | int) -> None:
        if not takes(handler, arguments):
            park(task, arguments)
            return
        try:
            with continued(str(task.request.get(_TRACE) or "")):
                if task.request.retries:  # no handler asks for that: the worker does, for a process that it lost
                    mourn(name, arguments)
                handler(**arguments)
        except ExegesisError as error:
            from celery.utils.log import get_task_logger

            get_task_logger(__name__).warning("%s ended: %s", name, error.message)

    run.__name__ = name.replace("-", "_")
    return run


def _away(error: Exception) -> Unavailable:
    # The client may quote the address, and with it the broker's password.
    return Unavailable(f"The queue's broker does not take jobs ({type(error).__name__}).", hint="Check that the broker runs and can be reached.")
