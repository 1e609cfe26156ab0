from __future__ import annotations

from typing import Any

import pytest

from exegesis.v1 import gateway_pb2
from services.gateway.json_form import from_json, to_json
from services.gateway.openapi import describe
from services.gateway.operations import OPERATIONS, Operation
from services.gateway.remote import GatewayServicer

CONTRACT = gateway_pb2.DESCRIPTOR.services_by_name["Gateway"]


def test_the_table_is_the_contract() -> None:
    """Every method of the contract has its row, with its messages; and the servicer answers to it."""
    rows = {operation.name: (operation.request.DESCRIPTOR.full_name, operation.answer.DESCRIPTOR.full_name) for operation in OPERATIONS}
    assert rows == {method.name: (method.input_type.full_name, method.output_type.full_name) for method in CONTRACT.methods}
    assert set(rows) <= set(vars(GatewayServicer))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_row_streams_where_the_contract_does(operation: Operation) -> None:
    """And says where its last message holds the whole."""
    assert operation.streams == CONTRACT.methods_by_name[operation.name].server_streaming
    message = operation.answer()
    for name in operation.whole:
        message = getattr(message, name)


def test_no_two_calls_share_a_route() -> None:
    """Each is found by its own."""
    assert len({operation.route for operation in OPERATIONS}) == len(OPERATIONS)


def test_the_openapi_document_names_nothing_that_it_does_not_hold() -> None:
    """Every reference resolves, so that generators can read it."""
    document = describe(OPERATIONS)
    schemas = document["components"]["schemas"]
    named = set(references(document))
    assert {name.removeprefix("#/components/schemas/") for name in named} <= set(schemas)
    assert set(document["paths"]) == {operation.route for operation in OPERATIONS}
    assert schemas["Asked"]["properties"]["projects"] == {"type": "array", "items": {"type": "string"}}


def test_messages_survive_json() -> None:
    """As bytes on one line, so that an event is one line of data."""
    asked = gateway_pb2.Asked(text="line\nbreak \u2028 \u2614", projects=["alpha"])
    asked.options.budget = 900
    written = to_json(asked)
    assert b"\n" not in written
    assert from_json(written, gateway_pb2.Asked) == asked


def references(document: Any) -> list[str]:
    if isinstance(document, dict):
        own = [document["$ref"]] if "$ref" in document else []
        return own + [name for value in document.values() for name in references(value)]
    return [name for value in document for name in references(value)] if isinstance(document, list) else []
