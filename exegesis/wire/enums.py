"""Enums of the vocabulary and their numbers on the wire, joined by name: ``SymbolKind.CLASS`` is ``SYMBOL_KIND_CLASS``."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

E = TypeVar("E", bound=Enum)


@functools.cache
def numbers(kind: type[E], descriptor: EnumDescriptor) -> Mapping[E, Any]:
    """The number of each member: an ``int``, though generated stubs demand a type of their own for each enum.

    Raises ``KeyError`` when the contract does not know a member, which only a programming error can cause.
    """
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", descriptor.name).upper()
    return {member: descriptor.values_by_name[f"{prefix}_{member.name}"].number for member in kind}


@functools.cache
def members(kind: type[E], descriptor: EnumDescriptor) -> Mapping[int, E]:
    return {number: member for member, number in numbers(kind, descriptor).items()}
