"""A token sees its repositories and not a trace of others, whatever it asks, at either door."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import grpc
import httpx
import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from exegesis.v1 import gateway_pb2, gateway_pb2_grpc
from services.assembly import Assembly
from services.gateway.operations import BY_NAME, OPERATIONS, Operation
from services.gateway.tokens import Grants
from tests.fakes.gateway import Served, gateway, token
from tests.fakes.three_repositories import MARKS, Known, three_repositories

ASSIGNMENTS: Final = int(os.environ.get("ISOLATION_ASSIGNMENTS", "4"))
"""Random assignments of tokens to repositories. Each asks every call at both doors about :data:`PROBED` hidden repositories, some 400 calls."""

ALL_MARKS: Final = {**MARKS, "delta": "Bilby", "echo": "Potoroo", "foxtrot": "Bettong", "golf": "Dunnart", "hotel": "Antechinus", "india": "Kowari"}
"""So many that assignments do not repeat: there are more than fifty thousand."""

NAMES: Final = tuple(ALL_MARKS)

PROBED: Final = 2
"""Hidden repositories that are asked about by name; nothing of any may be in any answer."""

ASKED: Final[dict[str, dict[str, Any]]] = {"Explain": {"text": "renew the session token"}}

BESIDE: Final = " || "
"""Between what an answer says and the headers or trailers that go with it."""

NOWHERE: Final = Known(
    "zulu-0123456789", "zulu", "/nowhere/zulu", "0123456789abcdef-012345-01234567", "Zebra", "Zebra.swift", "ZebraSession.renewToken"
)
"""A repository that does not exist, named like those that do."""


class House:
    """What all examples share. No value class, because a failing example would be printed with all of it."""

    def __init__(self, assembly: Assembly, known: dict[str, Known], served: Served) -> None:
        self.assembly = assembly
        self.known = known
        self.served = served


@dataclass(frozen=True, slots=True)
class Caller:
    """Holds a token, and asks at both doors."""

    stub: gateway_pb2_grpc.GatewayStub
    client: httpx.Client

    def answers(self, operation: Operation, asked: dict[str, Any]) -> tuple[str, str]:
        """All that comes back: status, words and every byte."""
        request = json_format.ParseDict(asked, operation.request())
        try:
            answer = getattr(self.stub, operation.name)(request)
            messages = answer if operation.streams else [answer]
            over_grpc = "OK " + " ".join(json_format.MessageToJson(message, ensure_ascii=False) for message in messages)
        except grpc.RpcError as failure:
            trailers = failure.trailing_metadata() or ()
            details = " ".join(value.decode("utf-8", "replace") if isinstance(value, bytes) else value for _, value in trailers)
            over_grpc = f"{failure.code().name} {failure.details()}{BESIDE}{details}"
        response = self.client.post(operation.route, json=asked)
        return over_grpc, f"{response.status_code} {response.text}{BESIDE}{response.headers}"


@contextmanager
def calling(house: House, grants: Grants) -> Iterator[Caller]:
    written = token(house.assembly, grants)
    channel = house.served.channel(written)
    with house.served.client(written) as client:
        yield Caller(gateway_pb2_grpc.GatewayStub(channel), client)
    channel.close()


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    assembly, known = three_repositories(tmp_path_factory.mktemp("isolation"), ALL_MARKS)
    with gateway(assembly, reflection=True) as served:
        yield House(assembly, known, served)
    assembly.close()


def requests_about(target: Known, insider: Known | None) -> Iterator[tuple[Operation, dict[str, Any]]]:
    """Every call that names ``target``: by name, by identifier, by folder, and with its generation behind an identifier that the caller may read."""
    for operation in OPERATIONS:
        fields = set(operation.request.DESCRIPTOR.fields_by_name)
        for name in (target.id, target.name, target.root):
            if "projects" in fields:
                yield operation, {"projects": [name], **({"text": "renew the session token"} if "text" in fields else {})}
                if insider is not None:
                    yield operation, {"projects": [insider.id, name], **({"text": "renew the session token"} if "text" in fields else {})}
            elif operation.name == "FindPaths":
                yield operation, {"project": name, "source": target.symbol, "target": target.symbol}
            elif operation.name == "GetEvidence":
                yield operation, {"repository": name, "generation": target.generation, "path": target.path, "start": 1, "end": 9}
            else:
                yield operation, {"project": name, **({"symbol": target.symbol} if "symbol" in fields else {})}
        if operation.name == "GetEvidence" and insider is not None:
            yield operation, {"repository": insider.id, "generation": target.generation, "path": target.path, "start": 1, "end": 9}


def without(text: str, asked: Known) -> str:
    """What was answered, apart from what the caller wrote itself and what differs from call to call."""
    for own in (asked.root, asked.id, asked.name, asked.symbol, asked.path, asked.generation):
        text = text.replace(own, "*")
    return re.sub(r"\b[0-9a-f]{16}\b", "#", text)


def leaks(text: str, hidden: list[Known], asked: Known | None = None) -> list[str]:
    """What of the hidden repositories stands in an answer, unless the caller wrote it itself."""
    said = without(text, asked) if asked else text
    return [secret for other in hidden for secret in other.secrets if secret in said]


@settings(
    max_examples=ASSIGNMENTS,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # an example that leaks is small as it is
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(  # searches warn of the caller's own word in quotation marks
    read={"delta", "india", "alpha", "golf", "echo"},
    index={"bravo", "echo", "india"},
    order=["bravo", "hotel", "alpha", "delta", "india", "charlie", "echo", "golf", "foxtrot"],
)
@given(read=st.sets(st.sampled_from(NAMES), max_size=5), index=st.sets(st.sampled_from(NAMES), max_size=3), order=st.permutations(NAMES))
def test_nothing_of_what_a_token_may_not_read_leaks(house: House, read: set[str], index: set[str], order: list[str]) -> None:
    """A repository of others is answered like one that does not exist, word for word; what is answered about one's own holds nothing of theirs."""
    known, seen = house.known, read | index
    grants = Grants(frozenset(known[name].id for name in read), frozenset(known[name].id for name in index), metrics=not seen)
    hidden = [known[name] for name in order if name not in seen]
    insider = known[min(seen)] if seen else None
    with calling(house, grants) as caller:
        nothing = [caller.answers(*about) for about in requests_about(NOWHERE, insider)]
        for target in hidden[:PROBED]:
            for (operation, asked), absent in zip(requests_about(target, insider), nothing, strict=True):
                found = caller.answers(operation, asked)
                assert [leak for text in found for leak in leaks(text, hidden, target)] == [], (operation.name, asked)
                assert [comparable(text, target) for text in found] == [comparable(text, NOWHERE) for text in absent], (operation.name, asked)
        for asked_for, text in at_large(caller, [known[name].mark for name in order[: PROBED + 1]]):
            assert leaks(text, hidden) == [], asked_for
        listed = caller.stub.ListRepositories(gateway_pb2.ListRepositoriesRequest())
        assert {status.repository.name for status in listed.repositories} == seen


def comparable(text: str, asked: Known) -> str:
    """Without trailers and headers, whose lengths depend on what the caller wrote."""
    return without(text, asked).partition(BESIDE)[0]


def at_large(caller: Caller, marks: list[str]) -> Iterator[tuple[str, str]]:
    """What a caller gets who names no repository, and by which call; also where the question has words of some."""
    for operation in OPERATIONS:
        texts = ("renew the session token", *(f"{mark} session" for mark in marks))
        for text in texts if "text" in operation.request.DESCRIPTOR.fields_by_name else ("",):
            for answer in caller.answers(operation, {"text": text} if text else {}):
                yield operation.name, blot(answer, text) if text else answer
    for route in ("/metrics", "/healthz", "/readyz", "/openapi.json", "/v1", "/v1/nothing", "/"):
        yield route, caller.client.get(route).text


def blot(answer: str, asked: str) -> str:
    """Without the word that the caller asked about, which answers and refusals repeat; as part of a path or symbol it stays."""
    mark = asked.partition(" ")[0]
    return re.sub(rf"\b{mark}\b(?!\.swift)", "*", answer, flags=re.IGNORECASE)


def test_an_administrator_sees_all_of_it(house: House) -> None:
    """So what the property looks for is there to be found."""
    with calling(house, Grants(admin=True)) as caller:
        found = " ".join(answer for row in ("Explain", "ListRepositories") for answer in caller.answers(BY_NAME[row], ASKED.get(row, {})))
    assert len(leaks(found, list(house.known.values()))) == len(NAMES) * len(NOWHERE.secrets)
