"""A fake: a language model that says what it was told to, one script per call, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence

from exegesis.errors import ModelUnavailable
from exegesis.ports import Delta, Message


class ScriptedModel:
    """Each script is a text; one that ends with ``<fails>`` breaks there. The last one repeats."""

    name = "scripted-1"

    def __init__(self, *scripts: str, finish: str = "stop") -> None:
        self._scripts = scripts
        self._finish = finish
        self.asked: list[Sequence[Message]] = []

    def stream(self, messages: Sequence[Message], *, max_tokens: int, cancelled: threading.Event | None = None) -> Iterator[Delta]:
        script = self._next(messages)
        text = script.removesuffix("<fails>")
        for start in range(0, len(text), 7):
            if cancelled is not None and cancelled.is_set():
                return
            yield Delta(text[start : start + 7])
        if script.endswith("<fails>"):
            raise ModelUnavailable("the endpoint broke")
        yield Delta(finish_reason=self._finish, input_tokens=100, output_tokens=20)

    def complete_json(self, messages: Sequence[Message], schema: Mapping[str, object], *, max_tokens: int) -> str:
        script = self._next(messages)
        if script.endswith("<fails>"):
            raise ModelUnavailable("the endpoint broke")
        return script

    def _next(self, messages: Sequence[Message]) -> str:
        script = self._scripts[min(len(self.asked), len(self._scripts) - 1)]
        self.asked.append(messages)
        return script
