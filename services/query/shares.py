"""How much of a context files of one kind may fill.

An explanation is about code. Documents and tests say the words of a question more often than the code does, and would fill a context by themselves:
of a project with a hundred files of tests, a question that mentions tests saw nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from exegesis.model import FileRole
from services.query.aims import Aim
from services.query.corpus import has_role
from services.query.intent import Intent

TESTS = 0.5  # of the budget, even where tests are asked for: what they test belongs beside them
DOCUMENTS = 0.25  # of the budget; twice as much where reasons, the whole, or documents are asked for

ONE_FILE: Mapping[Aim, float] = {Aim.FIND: 0.2, Aim.OVERVIEW: 0.1}
"""Share of the budget that one file may fill before others had their turn, by what a question aims at. Who asks where something is wants to see the
places, and the best file is known after a few pieces; who asks about the whole wants to see ten files and not the largest. Who asks what happens, or
how, wants one mechanism whole: there the same limit loses.
"""


@dataclass(frozen=True, slots=True)
class Shares:
    """Tokens that files of each role may fill, and have filled."""

    most: Mapping[FileRole, float]
    filled: Mapping[FileRole, int] = field(default_factory=dict)

    def have_room(self, roles: FileRole, tokens: int) -> bool:
        return all(self.filled.get(role, 0) + tokens <= most for role, most in self.most.items() if has_role(roles, role))

    def with_filled(self, roles: FileRole, tokens: int) -> Shares:
        taken = {role: self.filled.get(role, 0) + tokens for role in self.most if has_role(roles, role)}
        return replace(self, filled={**self.filled, **taken}) if taken else self


NO_LIMITS = Shares({})


def share_out(intent: Intent, budget: int) -> Shares:
    """The shares of a context of so many tokens. A topic may well be about documents alone; one that names tests is still explained by code."""
    if not intent.is_question:
        return Shares({FileRole.TEST: TESTS * budget})
    asked = has_role(intent.asked_roles, FileRole.DOCUMENT)
    return Shares({FileRole.TEST: TESTS * budget, FileRole.DOCUMENT: DOCUMENTS * budget * (2 if asked else 1)})


def most_of_a_file(intent: Intent, budget: int) -> int:
    """Tokens that one file may fill while others wait."""
    return int(budget * ONE_FILE.get(intent.aim, 1.0))
