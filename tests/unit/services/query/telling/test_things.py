from __future__ import annotations

import dataclasses

from exegesis.model import EdgeKind, Symbol, SymbolKind
from services.query.flow import Flow, read_flow
from services.query.telling.things import Part, parts_of, settings_last, taking_part
from tests.fakes.evidence import context, identifier, item, symbols_of

CLIENT = item(1, "Client", "class Client {\n    let keys: Keys\n}\n", kind="class", path="Client.swift")
SEND = item(2, "Client.send()", "func send() {\n    let ticket = Ticket(keys.id)\n    throw Refusal.denied\n}\n", path="Client.swift", start=10)
SIGN = item(3, "Client.sign()", "func sign() {\n    keys.secret\n}\n", path="Client.swift", start=20)
KEYS = item(4, "Keys", "struct Keys {\n    let id: Id\n    let secret: Secret\n}\n", kind="struct", path="Keys.swift", score=0.2)
TICKET = item(5, "Ticket", kind="struct", path="Ticket.swift", score=0.4)
REFUSAL = item(6, "Refusal", kind="enum", path="Refusal.swift", score=0.9)
STRANGER = item(7, "Stranger", kind="struct", path="Stranger.swift", score=1.0)
ITEMS = [CLIENT, SEND, SIGN, KEYS, TICKET, REFUSAL, STRANGER]
STORED = dataclasses.replace(
    symbols_of([KEYS])[identifier("Keys")], id=identifier("Keys.id"), name="id", qualified="Keys.id", kind=SymbolKind.PROPERTY, line=2
)


def flow(readers: list[str]) -> Flow:
    """Steps that read a value stored in the keys; only the type has an item."""
    found = context(ITEMS, [(reader, "Keys.id", 11, EdgeKind.ACCESS, 0.95) for reader in readers])
    symbols: dict[int, Symbol] = {**symbols_of(ITEMS), STORED.id: STORED}
    return read_flow(found, symbols)


def test_what_several_steps_read_from_is_the_configuration_of_the_flow() -> None:
    """Whatever it is called; what one step reads is an argument."""
    both = parts_of(ITEMS, [SEND, SIGN], flow(["Client.send()", "Client.sign()"]))
    assert both[KEYS.id] is Part.READ
    assert KEYS.id not in parts_of(ITEMS, [SEND, SIGN], flow(["Client.send()"]))


def test_what_is_read_and_passed_comes_before_what_is_thrown() -> None:
    """However well the error matches the words; what the steps do not speak of takes no part."""
    found = taking_part(ITEMS, [SEND, SIGN], flow(["Client.send()", "Client.sign()"]))
    assert [one.symbol for one in found] == ["Client", "Keys", "Ticket", "Refusal"]


def test_settings_are_told_last() -> None:
    """After what the events pass on, as whoever reads a story wants them."""
    told = [SEND, SIGN]
    found = settings_last([CLIENT, KEYS, TICKET], told, flow(["Client.send()", "Client.sign()"]))
    assert [one.symbol for one in found] == ["Client", "Ticket", "Keys"]


def test_reading_a_stored_value_is_no_event_and_is_kept() -> None:
    """No step of a story follows from it."""
    found = flow(["Client.send()"])
    assert not found.calls
    assert [(call.source.symbol, call.target.symbol) for call in found.reads] == [("Client.send()", "Keys")]


def test_where_nothing_is_told_all_of_them_take_part() -> None:
    """Best first."""
    assert [one.symbol for one in taking_part(ITEMS, [], flow([]))] == ["Client", "Stranger", "Refusal", "Ticket", "Keys"]
