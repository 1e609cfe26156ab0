from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from exegesis.model import ContextItem, EdgeKind, Place, ScorePart
from services.query.flow import read_flow
from services.query.telling.threads import Story, choose_steps, preorder, read_story, weigh
from tests.fakes.evidence import context, flow_of, identifier, item, symbols_of


def story(items: Sequence[ContextItem], calls: Sequence[tuple[str, str, int] | tuple[str, str, int, EdgeKind, float]]) -> Story:
    return read_story(flow_of(context(items, calls)), items)


def told(found: Story, most: int = 12) -> list[str]:
    return [step.item.symbol for step in preorder(choose_steps(found, most))]


def test_a_decoy_stands_aside() -> None:
    """The best single match loses to a thread on which more of the evidence lies, and is named beside it."""
    items = [
        item(1, "Bucket.refresh()", path="Bucket.swift", score=1.0),
        item(2, "Bucket.take()", path="Bucket.swift", start=10, score=0.2),
        item(3, "Client.send()", path="Client.swift", score=0.6),
        item(4, "Gate.renew()", path="Gate.swift", score=0.7),
        item(5, "Exchange.redeem()", path="Exchange.swift", score=0.7),
    ]
    found = story(items, [("Bucket.take()", "Bucket.refresh()", 11), ("Client.send()", "Gate.renew()", 2), ("Gate.renew()", "Exchange.redeem()", 2)])
    assert told(found) == ["Client.send()", "Gate.renew()", "Exchange.redeem()"]
    assert [thread.start.item.symbol for thread in found.aside] == ["Bucket.take()"]


def test_the_only_caller_is_told_before_what_matters() -> None:
    """However little it has to do with the words of the question."""
    items = [item(1, "main", score=0.0), item(2, "a", start=10, score=0.0), item(3, "b", start=20)]
    assert told(story(items, [("main", "a", 2), ("a", "b", 11)])) == ["main", "a", "b"]


def test_of_several_callers_none_is_told_that_the_question_does_not_lead_to() -> None:
    """A service with many users begins in itself."""
    items = [item(1, "x", score=0.0), item(2, "y", start=10, score=0.0), item(3, "serve", start=20), item(4, "work", start=30)]
    assert told(story(items, [("x", "serve", 2), ("y", "serve", 11), ("serve", "work", 21)]))[0] == "serve"


def test_what_starts_comes_before_callbacks_and_settings() -> None:
    """Threads of one type, in the order in which such things happen and not in that of their weight."""
    items = [
        item(1, "Login.handleCallback()", start=50, score=1.0),
        item(2, "Login.decode()", start=60, score=0.9),
        item(3, "Login.startFlow()", start=70, score=0.6),
        item(4, "Login.ask()", start=80, score=0.6),
        item(5, "LoginConfiguration.read()", path="Settings.swift", text="func read() {\n    Login.check()\n}\n", score=0.7),
        item(6, "LoginConfiguration.parse()", path="Settings.swift", start=10, score=0.7),
    ]
    calls = [
        ("Login.handleCallback()", "Login.decode()", 51),
        ("Login.startFlow()", "Login.ask()", 71),
        ("LoginConfiguration.read()", "LoginConfiguration.parse()", 2),
    ]
    assert told(story(items, calls)) == [
        *("Login.startFlow()", "Login.ask()", "Login.handleCallback()", "Login.decode()"),
        *("LoginConfiguration.read()", "LoginConfiguration.parse()"),
    ]


def test_what_makes_a_value_comes_before_what_takes_it() -> None:
    """Whatever the order of the text."""
    items = [
        item(1, "T.spend()", signature="func spend(_ token: Ticket)", start=10, score=1.0),
        item(2, "T.count()", start=20),
        item(3, "T.fetch()", signature="func fetch() -> Ticket", start=30, score=0.9),
        item(4, "T.ask()", start=40),
    ]
    assert told(story(items, [("T.spend()", "T.count()", 11), ("T.fetch()", "T.ask()", 31)])) == ["T.fetch()", "T.ask()", "T.spend()", "T.count()"]


def test_a_caller_that_the_story_leads_to_is_no_beginning() -> None:
    """A loop is entered from outside, however well the code within it matches."""
    items = [item(1, "enter", score=0.1), item(2, "work", start=10), item(3, "again", start=20, score=0.5)]
    assert told(story(items, [("work", "again", 11), ("again", "work", 21), ("enter", "work", 2)])) == ["enter", "work", "again"]


def test_parts_of_an_oversize_symbol_are_one_step() -> None:
    """What its parts call follows from it, in the order of the lines."""
    head, tail = item(1, "big()", start=1), dataclasses.replace(item(2, "big()", start=100), chunk=7)
    items = [tail, head, item(3, "a", start=200), item(4, "b", start=300)]
    assert told(story(items, [("big()", "b", 101), ("big()", "a", 1)])) == ["big()", "a", "b"]


def test_few_of_many_implementations_are_told() -> None:
    """A requirement that twenty types implement does not fill the story."""
    protocol = item(1, "Policy", kind="protocol", start=10)
    kinds = [item(number, f"P{number}.go()", start=number * 20, score=number / 100) for number in range(2, 22)]
    calls = [("run", "Policy", 2), *(("Policy", one.symbol, 11, EdgeKind.WITNESS, 0.9) for one in kinds)]
    assert told(story([item(30, "run"), protocol, *kinds], calls)) == ["run", "P21.go()", "P20.go()"]


def test_initialisers_that_only_store_are_no_steps() -> None:
    """They happen, and nothing happens in them; what a comparable method does is told."""
    store = item(2, "T.init(a:)", "init(a: Int) {\n    self.a = a\n}\n", kind="initializer", start=10, score=0.3)
    check = item(3, "U.init(b:)", "init(b: Int) throws {\n    try check(b)\n    self.b = b\n}\n", kind="initializer", start=20, score=0.3)
    assert told(story([item(1, "make"), store, check], [("make", "T.init(a:)", 2), ("make", "U.init(b:)", 3)])) == ["make", "U.init(b:)"]


def test_short_of_room_every_beginning_stays() -> None:
    """The ends that matter least go, and not the whole of a lighter thread."""
    many = [item(number, f"T.f{number}()", start=number * 10, score=0.9) for number in range(1, 6)]
    few = [item(20, "T.openUp()", start=300, score=0.9), item(21, "T.look()", start=310, score=0.9)]
    calls = [*((many[0].symbol, one.symbol, 11) for one in many[1:]), ("T.openUp()", "T.look()", 301)]
    assert told(story([*many, *few], calls), 4)[:2] == ["T.openUp()", "T.look()"]


def test_every_step_is_told_once() -> None:
    """Recursion and shared callees included."""
    items = [item(1, "a"), item(2, "b", start=10), item(3, "c", start=20)]
    assert sorted(told(story(items, [("a", "b", 2), ("b", "a", 11), ("a", "c", 3), ("b", "c", 12), ("c", "c", 21)]))) == ["a", "b", "c"]


def test_tests_examples_and_deprecated_code_weigh_less() -> None:
    """They share the words and only show or copy the real thing."""
    items = [
        item(1, "real()"),
        dataclasses.replace(item(2, "testIt()"), parts=(ScorePart("test", -0.5),)),
        item(3, "demo()", path="Examples/Demo.swift"),
        item(4, "old()", "@available(*, deprecated)\nfunc old() {\n    real()\n}\n"),
        item(5, "beside()", place=Place.NEIGHBOR),
    ]
    weights = weigh(items)
    assert weights["E1"] == 1.0
    assert max(weight for identifier, weight in weights.items() if identifier != "E1") < 1.0


def test_without_events_there_is_no_story() -> None:
    """Nor without evidence."""
    assert story([], []).threads == ()
    assert story([item(1, "a")], []).main is None


def test_one_of_many_ways_in_is_no_beginning() -> None:
    """A step that many call in the repository begins the story, though the context shows but one of its callers."""
    items = [item(1, "upload", score=0.5), item(2, "setup", start=10, score=0.6), item(3, "retry", start=20)]
    found = context(items, [("upload", "setup", 2), ("setup", "retry", 11)])
    few = read_flow(found, symbols_of(items), {identifier("setup"): 2, identifier("retry"): 1})
    many = read_flow(found, symbols_of(items), {identifier("setup"): 4, identifier("retry"): 1})
    assert told(read_story(few, items)) == ["upload", "setup", "retry"]
    assert told(read_story(many, items))[:2] == ["setup", "retry"]


def test_calls_from_and_to_what_is_not_told_are_passed_over() -> None:
    """Prose is no item of a story, whatever edges lead to it."""
    items = [item(1, "a"), item(2, "b", start=10), item(3, "guide", path="GUIDE.TXT")]
    found = read_story(flow_of(context(items, [("a", "b", 2), ("a", "guide", 3), ("guide", "b", 1)])), items[:2])
    assert told(found) == ["a", "b"]


def test_what_makes_an_object_comes_before_what_the_object_does() -> None:
    """Whatever phase the names tell."""
    items = [
        item(1, "Source.debounce()", path="Source.swift", text="func debounce() {\n    Debounce(self)\n}\n"),
        item(2, "Debounce.init(source:)", path="Debounce.swift", kind="initializer", score=0.2),
        item(3, "Debounce.run()", path="Debounce.swift", start=20, score=0.9),
        item(4, "Debounce.wait()", path="Debounce.swift", start=30, score=0.9),
        item(5, "Source.ask()", path="Source.swift", start=40, score=0.5),
    ]
    calls = [
        ("Source.debounce()", "Debounce.init(source:)", 2, EdgeKind.CONSTRUCT, 0.95),
        ("Source.debounce()", "Source.ask()", 3),
        ("Debounce.run()", "Debounce.wait()", 21),
    ]
    found = told(story(items, calls))
    assert found.index("Source.debounce()") < found.index("Debounce.run()")


def test_what_the_question_names_begins_and_its_callers_do_not() -> None:
    """However much more of the evidence lies on others, and although it only shows how these are used."""
    items = [
        item(1, "EX1PUT", path="src/EX1PUT.rpgle", kind="procedure", score=0.1),
        item(2, "FTP_put", path="src/FTP.rpgle", start=10, score=1.0),
        item(3, "menu", path="src/MENU.rpgle", score=1.0),
        item(4, "send", path="src/FTP.rpgle", start=30, score=1.0),
    ]
    flow = flow_of(context(items, [("menu", "EX1PUT", 2), ("EX1PUT", "FTP_put", 3), ("FTP_put", "send", 11)]))
    assert told(read_story(flow, items, frozenset({items[0].id}))) == ["EX1PUT", "FTP_put", "send"]
    assert told(read_story(flow, items))[0] != "EX1PUT"
