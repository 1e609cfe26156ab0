"""Do these arguments fit that declaration? Labels, defaults, variadic parameters and trailing closures decide; types are not known."""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Symbol

UNLABELED = "_"


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


def same_labels(left: Symbol, right: Symbol) -> bool:
    """One declares what the other does, as far as callers can tell."""
    return tuple(each.label for each in left.parameters) == tuple(each.label for each in right.parameters)


def labels_of(symbol: Symbol) -> tuple[str, ...]:
    return tuple(each.label for each in symbol.parameters)
