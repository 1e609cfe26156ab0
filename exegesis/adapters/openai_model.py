"""A language model behind any endpoint that speaks the OpenAI chat protocol: hosted, or Ollama, vLLM, llama.cpp, LM Studio, ...

httpx's asynchronous client runs in one thread for all requests, and a queue for each carries the pieces over. That is what makes cancellation
prompt: a task can be cancelled while the server is silent, a blocking read cannot. A request is held as the bytes that go over the wire, and only
until the answer begins: a model may write for minutes.
"""

from __future__ import annotations

import asyncio
import json
import queue
import random
import re
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from exegesis.adapters.chat_protocol import END, EndpointError, read_completion, read_error_body, read_event, seconds_to_wait
from exegesis.adapters.shared_loop import SharedLoop
from exegesis.adapters.sse import EventReader, EventTooLong
from exegesis.errors import ModelRefused, ModelUnavailable, UsageError
from exegesis.ports import Delta, Message

if TYPE_CHECKING:
    import ssl

    import httpx

Outcome = TypeVar("Outcome")

TRUNCATED: Final = "truncated"
"""Finish reason that we give when the endpoint closed a stream without one: what it sent may be incomplete."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what, in seconds, and how often to try."""

    connect: float = 5.0
    read: float = 60.0
    """Between two pieces, and before the first: a large model on a small machine thinks that long. A whole answer comes in one piece, when it is
    written; only the deadline limits it."""
    write: float = 10.0
    deadline: float = 120.0
    """For the whole answer with all retries: a stream that never ends is cut here."""
    retries: int = 3
    first_pause: float = 0.5
    """Doubled after each attempt; half of it is jitter, so that many callers do not come back at once."""
    longest_pause: float = 20.0
    """A ``Retry-After`` beyond this is not waited for: an answer without the model is better than a hung one."""

    @classmethod
    def within(cls, deadline: float) -> Patience:
        """For whoever allows an answer that many seconds. Who allows more than is usual has a slow model, and half of it to read the evidence."""
        usual = cls()
        return replace(usual, deadline=deadline, read=max(usual.read, deadline / 2))


LONGEST_ANSWER: Final = 8 << 20
"""Bytes read of one response: a thousand times what is asked for, so only an endpoint gone wild meets it."""

RETRIED: Final = frozenset({408, 409, 429})
"""Statuses beside 5xx that may be better next time."""


class _JsonMeans(StrEnum):
    """How an endpoint is asked for JSON, strictest first. What it rejects once is not tried again."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "words"


class _TryAgain(Exception):
    """Nothing has been received, and another attempt may succeed."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.wait = wait


class _Rejected(Exception):
    """The endpoint answered with a status that repeating does not change."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status
        self.said = said


@dataclass(slots=True)
class _Letter:
    """A request as it goes over the wire, but for how much may be written: what that is called depends on the endpoint."""

    written: bytes
    """JSON without the closing brace."""
    max_tokens: int
    silence: float
    """Seconds that may pass without a piece of the answer."""

    def portions(self, limit_name: str) -> tuple[bytes, bytes]:
        return self.written, f',"{limit_name}":{self.max_tokens}}}'.encode()

    def discard(self) -> None:
        """Nobody sends it again."""
        self.written = b""


class OpenAIModel:
    """``ports.LanguageModel`` over HTTP. Safe to use from several threads; holds no connection between calls."""

    def __init__(self, url: str, model: str, key: str = "", *, deadline: float = 120.0, patience: Patience | None = None) -> None:
        self._endpoint, self._shown = _endpoint(url)
        self._model = model
        self._key = key.strip()
        if not self._key.isascii() or not self._key.isprintable():
            raise UsageError("EXEGESIS_MODEL_KEY holds characters that an HTTP header cannot carry")
        self._patience = patience or Patience.within(deadline)
        self._loop = SharedLoop("language-model")
        # What this endpoint was found to accept. Races are harmless: the worst is one more rejected request.
        self._json_means = _JsonMeans.SCHEMA
        self._limit_name = "max_tokens"

    @property
    def name(self) -> str:
        return self._model

    @cached_property
    def _certificates(self) -> ssl.SSLContext:
        """Whom to trust, read once: for each request anew it would take 30 ms and 0.8 MB as long as that lasts."""
        import httpx

        return httpx.create_ssl_context()

    def stream(self, messages: Sequence[Message], *, max_tokens: int, cancelled: threading.Event | None = None) -> Iterator[Delta]:
        body = {"model": self._model, "messages": _wire(messages), "stream": True, "temperature": 0}
        letter = _letter(body, max_tokens, self._patience.read)
        del messages
        pieces: queue.SimpleQueue[Delta | Exception | None] = queue.SimpleQueue()

        async def produce() -> None:
            async with aclosing(self._attempts(letter)) as deltas:
                async for delta in deltas:
                    pieces.put(delta)

        errand = self._loop.begin(self._within_deadline(produce), pieces.put, cancelled=cancelled)
        try:
            while (piece := pieces.get()) is not None:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
        finally:
            self._loop.stop(errand)
            errand.ended.wait(timeout=1.0)

    def complete_json(self, messages: Sequence[Message], schema: Mapping[str, object], *, max_tokens: int) -> str:
        while True:
            means = self._json_means
            body = {"model": self._model, "messages": _wire(messages), "temperature": 0, **_response_format(means, schema)}
            try:
                return self._complete(body, max_tokens)
            except ModelRefused as refused:
                following = _AFTER.get(means)
                if following is None or not isinstance(refused.__cause__, _Rejected) or refused.__cause__.status not in _UNSUPPORTED:
                    raise
                self._json_means = following

    def _complete(self, body: Mapping[str, object], max_tokens: int) -> str:
        letter = _letter(body, max_tokens, self._patience.deadline)

        async def gather() -> str:
            async with aclosing(self._attempts(letter)) as deltas:
                return "".join([delta.text async for delta in deltas])

        outcome: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()
        self._loop.begin(self._within_deadline(gather), outcome.put)
        result = outcome.get()
        if isinstance(result, Exception):
            raise result
        return result or ""

    async def _within_deadline(self, work: Callable[[], Coroutine[Any, Any, Outcome]]) -> Outcome:
        try:
            async with asyncio.timeout(self._patience.deadline):
                return await work()
        except TimeoutError:
            raise ModelUnavailable(
                f"{self._shown} did not finish within {self._patience.deadline:g} s", hint="Raise EXEGESIS_MODEL_SECONDS, or pass --no-llm."
            ) from None

    async def _attempts(self, letter: _Letter) -> AsyncGenerator[Delta, None]:
        """Pieces of the answer; another attempt only while nothing has arrived."""
        attempt = 0
        while True:
            begun = False
            try:
                async with aclosing(self._receive(letter.portions(self._limit_name), letter.silence)) as deltas:
                    async for delta in deltas:
                        begun = True
                        letter.discard()
                        yield delta
            except _TryAgain as signal:
                if begun:
                    raise ModelUnavailable(self._clean(f"{self._shown}: {signal.why}, in the middle of an answer")) from None
                wait = self._pause(attempt) if signal.wait is None else signal.wait
                if attempt >= self._patience.retries or wait > self._patience.longest_pause:
                    raise ModelUnavailable(self._clean(f"{self._shown}: {signal.why} ({attempt + 1} attempts)")) from None
                attempt += 1
                await asyncio.sleep(wait)
            except _Rejected as rejected:
                if self._limit_name == "max_tokens" and "max_completion_tokens" in rejected.said:
                    self._limit_name = "max_completion_tokens"  # newer models accept only the newer name
                    continue
                raise ModelRefused(
                    self._clean(f"{self._shown} answered {rejected.status}: {rejected.said}"), hint=_hint(rejected.status)
                ) from rejected
            else:
                return

    async def _receive(self, portions: tuple[bytes, ...], silence: float) -> AsyncGenerator[Delta, None]:
        """One attempt. Raises ``_TryAgain`` for what may pass, ``_Rejected`` for what will not, ``ModelUnavailable`` for a broken answer."""
        import httpx

        limits = self._patience
        timeout = httpx.Timeout(connect=limits.connect, read=silence, write=limits.write, pool=limits.connect)
        headers = {"Content-Type": "application/json", "Content-Length": str(sum(map(len, portions)))}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        content = _send(portions)
        del portions
        try:
            async with (
                httpx.AsyncClient(timeout=timeout, verify=self._certificates) as client,
                client.stream("POST", self._endpoint, headers=headers, content=content) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    await self._raise_for(response)
                read = _read_whole if "json" in response.headers.get("content-type", "") else _read_stream
                async with aclosing(read(response)) as pieces:
                    async for delta in pieces:
                        yield delta
        except (httpx.InvalidURL, UnicodeError):
            raise UsageError("EXEGESIS_MODEL_URL is not an address that can be asked") from None
        except httpx.ConnectTimeout:
            raise _TryAgain(f"no connection within {limits.connect:g} s") from None
        except httpx.ReadTimeout:
            raise ModelUnavailable(f"{self._shown} was silent for {silence:g} s") from None
        except (httpx.TransportError, OSError) as error:
            raise _TryAgain(str(error) or type(error).__name__) from None
        except (EndpointError, EventTooLong) as error:
            raise ModelUnavailable(self._clean(f"{self._shown} reports: {str(error)[:300]}")) from None

    async def _raise_for(self, response: httpx.Response) -> None:
        said = self._clean(read_error_body(await _read_at_most(response, 64 << 10)))
        status = response.status_code
        if status in RETRIED or status >= 500:
            raise _TryAgain(f"status {status}: {said}", seconds_to_wait(response.headers.get("retry-after"), time.time()))
        raise _Rejected(status, said or response.reason_phrase)

    def _pause(self, attempt: int) -> float:
        pause: float = min(self._patience.first_pause * 2**attempt, self._patience.longest_pause)
        return pause * (0.5 + random.random() / 2)  # noqa: S311 - jitter, not a secret

    def _clean(self, text: str) -> str:
        """Endpoints quote keys in their error texts, whole or in part."""
        if self._key:
            text = text.replace(self._key, "‹key›")
        return _LOOKS_LIKE_A_KEY.sub("‹key›", text)


_LOOKS_LIKE_A_KEY: Final = re.compile(r"\b(?:sk|pk|rk|hf|gsk|xai)[-_][A-Za-z0-9_*.\-]{6,}|(?<=Bearer )\S+")

_AFTER: Final = {_JsonMeans.SCHEMA: _JsonMeans.OBJECT, _JsonMeans.OBJECT: _JsonMeans.WORDS}

_UNSUPPORTED: Final = frozenset({400, 404, 415, 422, 501})
"""Statuses with which endpoints refuse a ``response_format`` that they do not know."""

_HINTS: Final = {
    401: "Check EXEGESIS_MODEL_KEY.",
    403: "Check EXEGESIS_MODEL_KEY and what it may use.",
    404: "Check EXEGESIS_MODEL_URL and EXEGESIS_MODEL: the endpoint does not know one of them.",
    413: "The context is too long for this model: lower --budget.",
}


def _hint(status: int) -> str:
    if 300 <= status < 400:
        return "The endpoint redirects; set EXEGESIS_MODEL_URL to where it leads. A key is never sent after a redirect."
    return _HINTS.get(status, "")


def _letter(body: Mapping[str, object], max_tokens: int, silence: float) -> _Letter:
    written = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return _Letter(written.removesuffix("}").encode("utf-8", "replace"), max_tokens, silence)


async def _send(portions: tuple[bytes, ...]) -> AsyncIterator[bytes]:
    """The portions, once: what has been sent is held by nobody for the sake of sending it again."""
    for portion in portions:
        yield portion


async def _read_stream(response: httpx.Response) -> AsyncGenerator[Delta, None]:
    reason = ""
    async with aclosing(_events(response)) as events:
        async for data in events:
            if data.strip() == END:
                break
            for delta in read_event(data):
                reason = delta.finish_reason or reason
                yield delta
    if not reason:
        yield Delta(finish_reason=TRUNCATED)


async def _events(response: httpx.Response) -> AsyncGenerator[str, None]:
    reader = EventReader()
    size = 0
    async for portion in response.aiter_bytes():
        size += len(portion)
        if size > LONGEST_ANSWER:
            raise EventTooLong(f"more than {LONGEST_ANSWER} bytes for one answer")
        for data in reader.feed(portion):
            yield data
    for data in reader.close():
        yield data


async def _read_whole(response: httpx.Response) -> AsyncGenerator[Delta, None]:
    """A whole completion: asked for, or sent although a stream was asked for."""
    body = await _read_at_most(response, LONGEST_ANSWER)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise EndpointError("an answer that is not JSON") from None
    if not isinstance(value, dict):
        raise EndpointError("an answer that is no JSON object")
    for delta in read_completion(value):
        yield delta


async def _read_at_most(response: httpx.Response, limit: int) -> bytes:
    body = bytearray()
    async for portion in response.aiter_bytes():
        body += portion
        if len(body) > limit:
            break
    return bytes(body[:limit])


def _response_format(means: _JsonMeans, schema: Mapping[str, object]) -> Mapping[str, object]:
    if means is _JsonMeans.SCHEMA:
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}}
    return {"response_format": {"type": "json_object"}} if means is _JsonMeans.OBJECT else {}


def _wire(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in messages]


def _endpoint(url: str) -> tuple[str, str]:
    """The address to post to, and how it may be shown. Raises ``UsageError`` for an address that carries a secret, which logs would repeat."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0  # reading a port that is none raises
    except ValueError:
        named = False
    if not named:
        raise UsageError("EXEGESIS_MODEL_URL is not an address", hint="Give the base address of the endpoint, such as http://localhost:11434/v1.")
    if parts.username or parts.password or any(_SECRET_PARAMETER.search(name) for name, _ in parse_qsl(parts.query)):
        raise UsageError("EXEGESIS_MODEL_URL holds a password or key", hint="Put it into EXEGESIS_MODEL_KEY.")
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith("/chat/completions") else f"{path}/chat/completions"
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, "")), f"{parts.scheme}://{parts.netloc}"


_SECRET_PARAMETER: Final = re.compile(r"key|token|secret|password|signature|^sig$", re.IGNORECASE)
