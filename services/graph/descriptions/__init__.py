"""Descriptions of what is large: types, files, modules, the repository. A pure function of a finished generation.

    units       which declaration stands for what is written in it
    material    what a generation knows about each subject: its own words, its members by role, what it uses and who uses it
    sentences   the same in words

So an incremental index has the descriptions of a clean one, and a description says the same as long as its digest does.
"""

from __future__ import annotations

from collections.abc import Sequence

from exegesis.model import Description, ModuleSummary
from exegesis.ports import GraphReader
from services.graph.descriptions.material import gather
from services.graph.descriptions.sentences import describe


def descriptions_of(reader: GraphReader, modules: Sequence[ModuleSummary], *, small: bool = False) -> Sequence[Description]:
    """Of the repository and its modules, then of files and types by place. ``small`` takes in those that can be read as fast as described."""
    return tuple(describe(each) for each in gather(reader, modules, small=small))
