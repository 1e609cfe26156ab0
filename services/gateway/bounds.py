"""What a caller from outside may ask for at most: nobody's question may cost everybody's machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exegesis.errors import UsageError
from exegesis.model import Ablation, Options
from services.query.api import check_length

RANGES: Final[Mapping[str, tuple[float, float]]] = {
    "limit": (1, 100),  # ten are followed by default; a hundred take ten times as long
    "neighbors": (0, 50),
    "budget": (1, 200_000),  # tokens: the largest windows of common language models, and about 1 MB of text in the answer
    "dense_seconds": (0.0, 10.0),  # of computing on all cores
}
"""Least and most of the numbers among the options."""


LONGEST_NAME: Final = 4_000
"""Characters of a symbol, a path or a module: mangled names of generic code may have a thousand or two. Errors quote what was not found."""


def check_name(text: str) -> str:
    """The name. Raises ``UsageError`` for what is longer than any."""
    if len(text) > LONGEST_NAME:
        raise UsageError(f"The name has {len(text)} characters; {LONGEST_NAME} are allowed.", hint="Write a name, Type.member, or path:line.")
    return text


def check_question(text: str, options: Options) -> None:
    """Raises ``UsageError`` for what is empty, too long or out of range, and for options that only make sense on the caller's own machine."""
    if not text.strip():
        raise UsageError("The question is empty.", hint='Ask something, such as "How does a token get refreshed?".')
    check_length(text)
    for name, (least, most) in RANGES.items():
        if not least <= getattr(options, name) <= most:  # also what is no number at all
            raise UsageError(f"`{name}` must be from {least:g} to {most:g}.")
    if options.index_store:
        raise UsageError("`index_store` names a folder of the machine that indexes.", hint="Leave it out; it belongs to indexing.")
    if options.ablation is not Ablation.FULL:
        raise UsageError("Ablations are for measuring.", hint="`exegesis eval` has them.")
