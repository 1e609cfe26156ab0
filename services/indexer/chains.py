"""The vocabulary of receiver chains that readers of languages share: how chains begin, how they grow, where they end."""

from __future__ import annotations

from functools import lru_cache

from exegesis.model import Chain, Step, StepKind

MAX_CHAIN = 16
"""Steps of a receiver chain; what is longer is UNKNOWN. Keeps chains of chained locals from growing with the file."""

UNKNOWN: Chain = (Step(StepKind.UNKNOWN),)
SELF: Chain = (Step(StepKind.SELF),)
SUPER: Chain = (Step(StepKind.SUPER),)
INDEX = Step(StepKind.INDEX)

Scope = dict[str, Chain]
"""Locals of one function or block: the value that each name stands for."""

_METATYPE = ".Type"


def extend(chain: Chain, step: Step) -> Chain:
    return (*chain, step) if len(chain) < MAX_CHAIN and is_known(chain) else UNKNOWN


def is_known(chain: Chain) -> bool:
    return chain[0].kind is not StepKind.UNKNOWN


def of_type(type_: str) -> Chain:
    """The chain of an instance of a canonical type; UNKNOWN for the empty one."""
    return (Step(StepKind.TYPE, type_),) if type_ else UNKNOWN


def typed(type_: str) -> Chain:
    """The chain of a value of a canonical type, in languages where ``Foo.Type`` is the type of ``Foo`` itself."""
    if type_.endswith(_METATYPE):
        return (Step(StepKind.METATYPE, type_[: -len(_METATYPE)]),)
    return of_type(type_)


@lru_cache(maxsize=4096)
def named(name: str) -> Step:
    """The step to a member of that name: shared, because the same names come again and again."""
    return Step(StepKind.NAME, name)
