"""Which calls fit which declarations."""

from __future__ import annotations

import pytest

from exegesis.model import SymbolKind
from services.graph.fit import parameter_of, same_labels, spare_parameters
from tests.fakes.code import Code


@pytest.mark.parametrize(
    ("parameters", "labels", "trailing", "spare"),
    [
        ("", "", 0, 0),
        ("", "_", 0, None),
        ("_ in", "_ in", 0, 0),
        ("_ in", "in _", 0, None),
        ("_ in", "_", 0, None),
        ("_ in=", "_", 0, 1),
        ("in= at", "at", 0, 1),
        ("_ then", "_", 1, 0),
        ("_ then", "_", 2, None),
        ("_ queue= then", "_", 1, 1),
        ("_ then=", "_", 1, 0),
        ("_", "_", 1, None),
        ("_... at", "_ _ _ at", 0, 0),
        ("_... at", "at", 0, 1),
        ("on= next= error=", "next", 1, 1),
    ],
)
def test_labels_defaults_variadics_and_closures_decide(parameters: str, labels: str, trailing: int, spare: int | None) -> None:
    """``=`` marks a default and ``...`` a variadic parameter; the number says how many were left to their defaults."""
    written = parameters.split()
    plain = [each.rstrip("=.") for each in written]
    symbol = Code("a").declare(
        SymbolKind.FUNCTION,
        "f",
        labels=plain,
        defaults=[name for name, each in zip(plain, written, strict=True) if each.endswith("=")],
        variadic=[name for name, each in zip(plain, written, strict=True) if each.endswith("...")],
    )
    assert spare_parameters(symbol, labels.split(), trailing) == spare


def test_labels_make_a_declaration_what_callers_see() -> None:
    """Names of parameters do not matter, labels do."""
    code = Code("a")
    one, same, other = (code.declare(SymbolKind.FUNCTION, "f", labels=labels) for labels in (("_",), ("_",), ("in",)))
    assert same_labels(one, same)
    assert not same_labels(one, other)


@pytest.mark.parametrize(
    ("labels", "place", "closures", "taken"),
    [
        (("_",), "0", (), "p0"),
        (("_", "_", "to"), "1", (), "p0"),
        (("_", "_", "to"), "2", (), "p1"),
        (("_", "to"), "+0", ("_",), "p2"),
        (("_", "to"), "+1", ("_", "done"), "p3"),
        (("_", "to"), "+1", ("_", "missing"), None),
        (("_", "from"), "1", (), None),
    ],
)
def test_arguments_find_the_parameters_that_take_them(labels: tuple[str, ...], place: str, closures: tuple[str, ...], taken: str | None) -> None:
    """Variadic parameters take several, trailing closures go by their label or to the next function."""
    declared = Code("a").declare(
        SymbolKind.FUNCTION,
        "send",
        labels=("_", "to", "then", "done"),
        variadic=("_",),
        takes=("Item", "Place", "Function<Void>", "Function<Void>"),
    )
    found = parameter_of(declared, labels, place, closures)
    assert (found.name if found else None) == taken
