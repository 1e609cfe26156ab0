"""What is given to calls: labels, closures, and what is known of the value of each argument."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from exegesis.model import Argument, Chain, Step, StepKind
from services.indexer.chains import UNKNOWN, typed
from services.indexer.languages.swift.closures import UNNAMED, read_closure
from services.indexer.languages.swift.facts import argument, element, extend, parameter
from services.indexer.languages.swift.reader import Reader

if TYPE_CHECKING:
    from tree_sitter import Node


PASSES_ELEMENT = {
    **dict.fromkeys(("map", "compactMap", "flatMap", "forEach", "filter", "first", "last", "contains", "allSatisfy", "drop", "prefix"), (0,)),
    **dict.fromkeys(("partition", "firstIndex", "lastIndex", "removeAll", "concurrentMap", "asyncMap"), (0,)),
    **dict.fromkeys(("sorted", "sort", "min", "max"), (0, 1)),
    "reduce": (1,),
}
"""Methods of the standard library that call their closure with elements of the receiver, and the places where the closure gets them."""


def passed_at(callee: Chain, place: str, closures: tuple[str, ...] = ()) -> Sequence[Chain]:
    """What a closure is given that stands at a place among the arguments of a call."""
    taker = extend(callee, argument(place, closures))
    if taker[0].kind is StepKind.UNKNOWN:
        return ()
    places = PASSES_ELEMENT.get(callee[-1].name, ()) if len(callee) > 1 else ()
    of = element(callee[:-1]) if places else UNKNOWN
    found: list[Chain] = []
    for number in range(UNNAMED):
        if number in places and len(of) == 1 and of[0].kind is StepKind.TYPE:
            found.append(of)
        else:
            # `map` of a value of a plain type is that of an optional as often as that of a collection with a name of its own.
            last = callee[-2] if number in places else None
            plain = last is None or (last.kind is StepKind.TYPE and "<" not in last.name)
            found.append(extend(taker, parameter(number, () if plain else ("element",))))
    return found


class Arguments(NamedTuple):
    labels: tuple[str, ...]
    """``_`` where there is none; without those of trailing closures."""
    trailing: int
    """Number of trailing closures."""
    only_labels: bool
    """The parentheses name a function instead of calling it: ``transform(_:to:)``."""
    first: Chain
    """What the first argument stands for."""
    given: tuple[Argument, ...]
    """All of them, as far as they may tell one declaration from another."""


def labels_of(reader: Reader, call: Sequence[Node]) -> tuple[str, ...]:
    """The labels of the arguments between parentheses, ``_`` where there is none."""
    return tuple(
        reader.facts.text(children[0]) if children[0].type == "value_argument_label" else "_"
        for part in call
        if part.type == "value_arguments"
        for value in part.children
        if value.type == "value_argument" and (children := value.children)
    )


def closures_of(reader: Reader, call: Sequence[Node]) -> tuple[str, ...]:
    """The labels of the trailing closures; the first has none."""
    found: list[str] = []
    label = "_"
    for part in call:
        if part.type == "simple_identifier":
            label = reader.facts.text(part)
        elif part.type == "lambda_literal":
            found.append(label)
            label = "_"
    return tuple(found)


def read_arguments(reader: Reader, call: Sequence[Node], callee: Chain = UNKNOWN, *, function: Chain = UNKNOWN) -> Arguments:
    """Read the parts of a call. ``callee`` is the chain up to it: what closures are given and leading dots stand for is for it to say.

    Where a value is called, that is ``function`` instead.
    """
    labels: list[str] = []
    trailing = 0
    only_labels = False
    values: list[Argument] = []
    first: Chain | None = None
    closures = closures_of(reader, call)
    for part in call:
        kind = part.type
        if kind == "value_arguments":
            for given in part.children:
                if given.type != "value_argument":
                    continue
                children = given.children
                value = children[-1]
                if value.type == ":":
                    only_labels = True
                    labels.extend(reader.facts.text(child) for child in children if child.type == "value_argument_label")
                    continue
                place = str(len(labels))
                labels.append(reader.facts.text(children[0]) if children[0].type == "value_argument_label" else "_")
                if value.type == "lambda_literal":
                    chain = read_closure(reader, value, "", passed_at(callee, place, closures))
                    values.append(closure_of(reader.arity))
                else:
                    taker = extend(callee, argument(place, closures)) if function is UNKNOWN else extend(function, parameter(int(place)))
                    chain = reader.value(value, "", () if taker[0].kind is StepKind.UNKNOWN else taker)
                    values.append(_telling(value, chain))
                first = chain if first is None else first
        elif kind == "lambda_literal":
            read_closure(reader, part, "", passed_at(callee, f"+{trailing}", closures))
            values.append(closure_of(reader.arity))
            trailing += 1
    given_values = tuple(values) if any(value is not SILENT for value in values) else ()
    return Arguments(tuple(labels), trailing, only_labels, first or UNKNOWN, given_values)


@lru_cache(maxsize=16)
def closure_of(arity: int) -> Argument:
    """A closure of so many parameters."""
    return Argument(typed(f"Function<{', '.join(['Any'] * (arity + 1))}>"))


SILENT = Argument(UNKNOWN)

LITERAL_TYPES = {
    **dict.fromkeys(("integer_literal", "hex_literal", "oct_literal", "bin_literal"), "Int"),
    **dict.fromkeys(("line_string_literal", "multi_line_string_literal", "raw_string_literal"), "String"),
    "real_literal": "Double",
    "boolean_literal": "Bool",
    "array_literal": "Array",
    "dictionary_literal": "Dictionary",
    "key_path_expression": "KeyPath",
}
"""What literals are unless something else is expected."""


def _telling(node: Node, chain: Chain) -> Argument:
    """An argument as something that a parameter's type may be compared with."""
    literal = LITERAL_TYPES.get(node.type)
    if literal is not None and (literal not in {"Array", "Dictionary"} or chain[0].kind is not StepKind.TYPE):
        return Argument((Step(StepKind.LITERAL, literal),))
    if chain[0].kind is StepKind.UNKNOWN:
        return SILENT
    for place, step in enumerate(chain):
        if step.kind is StepKind.IMPLICIT:
            return Argument(chain[place:])  # what the dot stands for is what is being asked
    return Argument(chain)
