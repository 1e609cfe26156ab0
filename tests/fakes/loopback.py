"""A service on loopback, in a thread of this process: real servers, real channels, for tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from exegesis.rpc.address import Address, read_address
from exegesis.rpc.server import serving

if TYPE_CHECKING:
    from exegesis.rpc.around import Around, Counts
    from exegesis.rpc.server import Hosted


@contextmanager
def loopback(
    hosted: Hosted,
    *,
    listen: str = "127.0.0.1:0",
    reflection: bool = False,
    admitted: Around | None = None,
    counts: Counts | None = None,
    grace: float = 1.0,
) -> Iterator[Address]:
    """Serves as long as the context lasts; gives the address to ask."""
    ready = threading.Event()
    addresses: list[Address] = []
    failures: list[BaseException] = []
    stop: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        leave = asyncio.Event()
        stop.append((asyncio.get_running_loop(), leave))
        where = read_address(listen, source="listen")
        async with serving(hosted, where, reflection=reflection, admitted=admitted, counts=counts, grace=grace) as address:
            addresses.append(address)
            ready.set()
            await leave.wait()

    def work() -> None:
        try:
            asyncio.run(serve())
        except BaseException as error:  # noqa: BLE001 - raised in the thread that asked
            failures.append(error)
        finally:
            ready.set()

    thread = threading.Thread(target=work, name="loopback", daemon=True)
    thread.start()
    ready.wait(10)
    try:
        if failures:
            raise failures[0]
        yield addresses[0]
    finally:
        loop, leave = stop[0]
        if thread.is_alive():
            loop.call_soon_threadsafe(leave.set)
        thread.join(10)
