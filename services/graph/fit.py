"""Do these arguments fit that declaration? Labels, defaults, variadic parameters and trailing closures decide; types are not known."""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Parameter, Symbol

UNLABELED = "_"
FUNCTION = "Function<"


def spare_parameters(symbol: Symbol, labels: Sequence[str], trailing: int) -> int | None:
    """How many parameters are left to their defaults when called so, or None if the call does not fit. Fewer is the better match."""
    taken = missing = spare = 0
    for parameter in symbol.parameters:
        if taken < len(labels) and labels[taken] == parameter.label:
            taken += 1
            if parameter.variadic:
                while taken < len(labels) and labels[taken] == UNLABELED:
                    taken += 1
        elif parameter.has_default or parameter.variadic:
            spare += 1
        else:
            missing += 1
    if taken < len(labels) or missing > trailing or trailing > missing + spare:
        return None
    return spare - (trailing - missing)


def spare_of_anything(symbol: Symbol, labels: Sequence[str], trailing: int) -> int | None:  # noqa: ARG001 - the form of all fits
    """For languages in which a call may leave arguments out and give more than are taken."""
    return 0


SPREAD = "*"
"""Label of an argument that stands for any number of arguments."""


def spare_by_keyword(symbol: Symbol, labels: Sequence[str], trailing: int) -> int | None:  # noqa: ARG001 - the form of all fits
    """For languages in which an argument without a label takes the next parameter, and one with a label the parameter of that name."""
    if SPREAD in labels:
        return 0
    parameters = symbol.parameters
    positional = [each for each in parameters if not each.variadic and each.label == UNLABELED]
    given = sum(label == UNLABELED for label in labels)
    named = {label for label in labels if label != UNLABELED}
    takes_more = any(each.variadic and each.label == UNLABELED for each in parameters)
    takes_named = any(each.variadic and each.label != UNLABELED for each in parameters)
    if given > len(positional) and not takes_more:
        return None
    free = [each for each in parameters if not each.variadic and each not in positional[:given]]
    if not takes_named and named - {each.name for each in free}:
        return None
    left = [each for each in free if each.name not in named]
    return len(left) if all(each.has_default for each in left) else None


def parameter_of(symbol: Symbol, labels: Sequence[str], place: str, closures: Sequence[str] = ()) -> Parameter | None:
    """The parameter that takes the argument at a place (``+0``: the first trailing closure) of a call that fits; None where that cannot be told."""
    parameters = symbol.parameters
    bound: list[int] = []
    taken = 0
    for index, parameter in enumerate(parameters):
        if taken < len(labels) and labels[taken] == parameter.label:
            bound.append(index)
            taken += 1
            while parameter.variadic and taken < len(labels) and labels[taken] == UNLABELED:
                bound.append(index)
                taken += 1
    if not place.startswith("+"):
        number = int(place)
        return parameters[bound[number]] if number < len(bound) and taken == len(labels) else None
    # A trailing closure is taken by the next parameter that is a function, or may be one, and has no argument yet.
    free = [parameter for index, parameter in enumerate(parameters) if index not in bound and index > max(bound, default=-1)]
    number = int(place[1:])
    if number < len(closures) and closures[number] != UNLABELED:
        return next((parameter for parameter in free if parameter.label == closures[number]), None)
    functions = [parameter for parameter in free if parameter.type.startswith(FUNCTION)]
    missing = [parameter for parameter in free if not parameter.has_default]
    for choice in (functions, missing, free):
        if number < len(choice):
            return choice[number]
    return None


def same_labels(left: Symbol, right: Symbol) -> bool:
    """One declares what the other does, as far as callers can tell."""
    return tuple(each.label for each in left.parameters) == tuple(each.label for each in right.parameters)


def labels_of(symbol: Symbol) -> tuple[str, ...]:
    return tuple(each.label for each in symbol.parameters)
