"""What an OpenAI-compatible chat endpoint says, read tolerantly: pure functions from its JSON to pieces of an answer.

The oddities that are tolerated are those that endpoints in use show: a first event without choices, choices without a delta, content that is
null or a list of parts, a last event with usage only, two objects in one event, no ``[DONE]``, a whole completion where a stream was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final

from exegesis.ports import Delta

END: Final = "[DONE]"


class EndpointError(Exception):
    """The endpoint reports an error inside its answer. The text is the endpoint's own and may hold anything: redact before showing."""


def read_event(data: str) -> Iterator[Delta]:
    """The pieces that the data of one event holds; nothing for events without text, usage or reason. Raises ``EndpointError``."""
    for value in _objects(data):
        yield from read_completion(value)


def read_completion(value: Mapping[str, Any]) -> Iterator[Delta]:
    """The pieces of one event, or of a whole completion sent in place of a stream."""
    if error := value.get("error"):
        raise EndpointError(error_text(error))
    usage = value.get("usage")
    sent, written = _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens")
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    said = choice.get("delta") or choice.get("message") or {}
    text = _text(said.get("content")) if isinstance(said, dict) else ""
    reason = choice.get("finish_reason")
    if text or isinstance(reason, str) or sent is not None or written is not None:
        yield Delta(text, reason if isinstance(reason, str) else "", sent, written)


def error_text(error: object) -> str:
    """What an endpoint's error object says, whatever its shape."""
    if isinstance(error, dict):
        message = error.get("message") or error.get("detail") or error.get("error") or error.get("type")
        return error_text(message) if isinstance(message, dict) else str(message or "no message")
    return str(error)


def read_error_body(body: bytes) -> str:
    """What the body of a refused request says, cut to a length that a person reads."""
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text[:_SHOWN]
    return error_text(value.get("error", value) if isinstance(value, dict) else value)[:_SHOWN]


_SHOWN: Final = 300


def seconds_to_wait(retry_after: str | None, now: float) -> float | None:
    """What a ``Retry-After`` header asks for, in seconds or as a date; None when it says nothing readable."""
    if not retry_after:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _objects(data: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of an event. Two events merged by a lost blank line arrive as one, an object a line; garbage is passed over."""
    for candidate in (data,) if _parses(data) else data.split("\n"):
        stripped = candidate.strip()
        if stripped and stripped != END and _parses(stripped):
            value = json.loads(stripped)
            if isinstance(value, dict):
                yield value


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # parts, of which only text is text
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return ""


def _tokens(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
