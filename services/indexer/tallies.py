"""Counting what happens to runs. What cannot be counted at the moment is not worth an error."""

from __future__ import annotations

import contextlib

from exegesis.errors import ExegesisError
from exegesis.model import Tally
from exegesis.ports import Errands


def count(errands: Errands, tally: Tally, number: int = 1) -> None:
    if number:
        with contextlib.suppress(ExegesisError):
            errands.count(tally, number)
