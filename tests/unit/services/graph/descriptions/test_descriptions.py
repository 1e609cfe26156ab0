"""What is said about large types, files and modules of a small shop, and what changes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import Description, FileRole, Spot, Subject, SymbolKind
from services.graph.api import Pin
from services.graph.descriptions.material import LARGE_TYPE
from services.graph.local import LocalGraph
from tests.fakes.code import SELF, Code, instance

Describe = Callable[..., Sequence[Description]]


def shop(*, calls: int = 1, extra: str = "") -> list[Code]:
    """A basket with many members, one of them in an extension; a till that uses it, and a test."""
    basket, more, till, test = Code("Sources/Basket"), Code("Sources/Basket+More"), Code("Sources/Till"), Code("Tests/BasketTests")
    whole = basket.declare(SymbolKind.CLASS, "Basket", inherits=("Countable",))
    basket.declare(SymbolKind.INITIALIZER, "init", whole, labels=("owner",))
    for number in range(LARGE_TYPE):
        basket.declare(SymbolKind.METHOD, f"step{number}", whole)
    add = basket.declare(SymbolKind.METHOD, "add", whole)
    inner = basket.declare(SymbolKind.FUNCTION, "local", add)
    basket.call(inner, "step0", SELF)
    if extra:
        basket.declare(SymbolKind.METHOD, extra, whole)
    more.declare(SymbolKind.METHOD, "empty", more.declare(SymbolKind.EXTENSION, "Basket"))
    clerk = till.declare(SymbolKind.CLASS, "Till")
    sell = till.declare(SymbolKind.METHOD, "sell", clerk)
    for _ in range(calls):
        till.call(sell, "add", instance("Basket"))
    till.declare(SymbolKind.STRUCT, "Coin")
    case = test.declare(SymbolKind.METHOD, "testAdd", test.declare(SymbolKind.CLASS, "BasketTests"))
    test.call(case, "add", instance("Basket"))
    return [basket, more, till, test]


@pytest.fixture
def describe(tmp_path: Path) -> Describe:
    graph = LocalGraph(SqliteGraph(tmp_path))
    made = 0

    def describe(code: Sequence[Code], *, small: bool = False) -> Sequence[Description]:
        nonlocal made
        made += 1
        pin = Pin("shop", f"g{made}")
        graph.begin(pin, basis=None)
        graph.write(pin, [each.facts() for each in code])
        graph.finish(pin, [each.file(roles=FileRole.TEST if each.path.startswith("Tests") else FileRole.NONE) for each in code])
        return graph.descriptions(pin, small=small)

    return describe


def only(found: Sequence[Description], name: str) -> Description:
    (one,) = [each for each in found if each.name == name and each.subject is Subject.TYPE]
    return one


def test_a_type_is_told_by_its_members_and_its_users(describe: Describe) -> None:
    """By role, those that are used first; members of extensions are its own, what is local to a member is not; tests are told apart."""
    basket = only(describe(shop()), "Basket")
    assert basket.text == (
        "`Basket` is a class, declared in `Sources/Basket`. It inherits from or conforms to `Countable`. It is made by `init`. "
        "It does `add`, `step0`, `step1`, `step2`, `step3`, `step4`, `step5`, `step6` and 2 more functions. It is used by `Till`, and tested."
    )
    assert basket.spots[0] == Spot("Basket", "Sources/Basket", 1)
    assert Spot("Till", "Sources/Till", 1) in basket.spots


def test_small_types_are_described_on_request_only(describe: Describe) -> None:
    """Who reads such a type is as fast; tests are never described."""
    assert [each.name for each in describe(shop()) if each.subject is Subject.TYPE] == ["Basket"]
    assert [each.name for each in describe(shop(), small=True) if each.subject is Subject.TYPE] == ["Basket", "Till", "Coin"]


def test_a_repository_and_its_modules_come_first(describe: Describe) -> None:
    """By what most else uses."""
    repository, module, *_ = describe(shop())
    assert (repository.subject, module.subject, module.name) == (Subject.REPOSITORY, Subject.MODULE, "Sources")
    assert "`Basket`" in repository.text
    assert module.text.startswith("**Sources** is a module of 3 files.")


def test_one_more_call_changes_no_description(describe: Describe) -> None:
    """Whoever edits a body elsewhere leaves what is said, and its digest, as they are."""
    one, other = (only(describe(shop(calls=calls)), "Basket") for calls in (2, 3))
    assert one == other


def test_one_more_member_changes_the_digest(describe: Describe) -> None:
    """Also one that is not named for want of room: a language model is told of all of them."""
    one, other = (only(describe(shop(extra=extra)), "Basket") for extra in ("", "zebra"))
    assert one.id == other.id
    assert one.digest != other.digest
    assert "zebra" not in other.text


def test_the_order_of_files_does_not_matter(describe: Describe) -> None:
    """The same content, whatever was read first."""
    assert describe(shop()) == describe(shop()[::-1])


def test_names_cannot_leave_their_code_span(describe: Describe) -> None:
    """A name from a repository may hold anything."""
    odd = Code("Sources/Odd")
    whole = odd.declare(SymbolKind.CLASS, "A`b\n# c")
    (found,) = [each for each in describe([odd, *shop()], small=True) if each.symbol == whole.id]
    assert found.text.startswith("`Ab # c` is a class")
