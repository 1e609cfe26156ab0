"""How many calls run at one time, through both doors, and how many of them may be those of one token."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from exegesis.errors import QuotaExceeded, Unavailable
from exegesis.rpc.server import MOST_CALLS

MOST_OF_ONE: Final = MOST_CALLS * 3 // 4
"""A client that opens streams and never reads them holds their seats until their time is over, a quarter of an hour. A quarter of the house is left
to everybody else; 150 are more than a person or a script that behaves has under way."""


class Seats:
    """The seats of one process; each replica of a gateway has its own. Usable from several threads."""

    def __init__(self, most: int = MOST_CALLS, most_of_one: int = MOST_OF_ONE) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._guard = threading.Lock()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def take(self, token: str) -> Iterator[None]:
        """A seat for one call of that token; without a token everybody is a guest like any other.

        Raises ``Unavailable`` where none is free, and ``QuotaExceeded`` where the token has as many as one may.
        """
        with self._guard:
            if self._taken.total() >= self._most:
                raise Unavailable(f"{self._most} calls are under way, and more are not taken.", hint="Ask again in a moment.")
            if token and self._taken[token] >= self._most_of_one:
                raise QuotaExceeded(f"{self._most_of_one} calls of this token are under way.", hint="Let some of them end first.")
            self._taken[token] += 1
        try:
            yield
        finally:
            with self._guard:
                self._taken[token] -= 1
                if not self._taken[token]:
                    del self._taken[token]
