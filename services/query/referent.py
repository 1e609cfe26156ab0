"""What a question speaks of comes first: the one test of "why does the test that ... expect an error?", the code of "why is the class that ... lazy?"

The words of such a question stand elsewhere too, often more densely: those of a test in what it tests, those of a class in the documentation. But who
speaks of a thing means it, and there is one of it. So the best file that can hold it comes first, unless it is far behind, and the others stay where
they are.
"""

from __future__ import annotations

from typing import Final

from exegesis.model import FileRole
from services.query.bearing import BESIDE
from services.query.corpus import has_role
from services.query.intent import Intent
from services.query.kinds import Referent
from services.query.noise import is_unclaimed
from services.query.rank import REFERRED_TO, RankedFile, Ranking, raise_files
from services.query.retrieve import Seeds

_NO_CODE: Final = FileRole.DOCUMENT
"""Never holds a declaration, whatever reasons it gives and whether it is asked for."""


def with_referent(seeds: Seeds, ranking: Ranking) -> Ranking:
    """The same ranking with the best file moved up that can hold what the question speaks of; as it is where it speaks of nothing."""
    if seeds.intent.referent is Referent.NONE:
        return ranking
    best = next((file for file in ranking.files if _holds(file, seeds.intent)), None)
    return raise_files(ranking, REFERRED_TO, {best.file: 1.0}) if best and best is not ranking.files[0] else ranking


def _holds(ranked: RankedFile, intent: Intent) -> bool:
    file = ranked.candidate.row.file
    if intent.referent is Referent.TEST:
        return has_role(file.roles, FileRole.TEST)
    return not has_role(file.roles, (BESIDE & ~intent.asked_roles) | _NO_CODE) and not is_unclaimed(file)
