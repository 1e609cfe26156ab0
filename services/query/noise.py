"""Noise: files that say the words of a question without saying how anything works. Factors on scores, with the reason for each."""

from __future__ import annotations

import functools
import math
import re
from dataclasses import dataclass

from exegesis.model import FileRole, ScorePart, SourceFile
from services.query.corpus import has_role
from services.query.intent import Intent
from services.query.programs import MEMBERS, stem_of


@dataclass(frozen=True, slots=True)
class Noise:
    name: str
    factor: float
    roles: FileRole
    """Files of any of these roles; NONE for files that no language claims."""
    reason: str
    drowns: bool = False
    """Says the words of a question more densely than code can, so none of it counts for more than the best of the code."""


NOISE: tuple[Noise, ...] = (
    Noise("test", 0.6, FileRole.TEST, "tests say the words of what they test, more often than the code itself"),
    Noise(
        "aside",
        0.6,
        FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.DOCUMENT,
        "examples, documents and other people's code explain use, not mechanism",
        drowns=True,
    ),
    Noise("generated", 0.6, FileRole.GENERATED | FileRole.MINIFIED, "nobody wrote it to be read"),
    Noise("settings", 0.6, FileRole.NONE, "lint rules, manifests and resources repeat words without saying how anything works"),
    Noise("superseded", 0.7, FileRole.SUPERSEDED, "a newer version stands beside it"),
    Noise("interface", 0.9, FileRole.UI, "scaffolding of screens repeats the words of what they show"),
    Noise("command line", 0.9, FileRole.CLI, "argument parsing repeats the words of what it starts"),
)
"""Factors on a file's score, unless the question asks for such files. All that apply are multiplied."""

DECLARATIONS = Noise("declarations", 0.8, FileRole.NONE, "types that are declared for a compiler; what they describe stands in the code beside them")
_DECLARING = (".d.ts", ".d.mts", ".d.cts")

CONTEXT_TEST = 0.2  # on T of tests unless asked for: they fill a sixth of the context otherwise
CONTEXT_TEST_STORED = 0.6  # the same with all vectors, which push tests down themselves
CONTEXT_ASIDE = 0.6  # on T of what shows, copies or precedes the real thing
CONTEXT_SETTINGS = 0.3  # on T of files that no language claims
CONTEXT_HISTORY = 0.2  # on T of changelogs: they have every word of the project, and say what changed, never how anything works

_HISTORY = re.compile(
    r"(?:^|/)(?:\d+[-_])?(?:change[-_ ]?log|changes|history|news|release[-_ ]?notes|what'?s[-_ ]?new)(?:[-_ ]?v?\d[\w.]*)?(?:\.\w+)?$", re.IGNORECASE
)
_ASKS_FOR_HISTORY = re.compile(
    r"\b(?:change ?log|release notes?|released|since (?:when|which)|(?:which|what|in) versions?|deprecated|upgrad\w+)\b", re.IGNORECASE
)

_ASIDE = FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED | FileRole.MINIFIED | FileRole.SUPERSEDED


def noise_of(file: SourceFile, intent: Intent) -> tuple[Noise, ...]:
    """The rows of :data:`NOISE` that apply to a file, and :data:`DECLARATIONS`."""
    asked = intent.asked_roles | _named(file, intent)
    if intent.versions and any(f"/{version}/" in f"/{file.path.lower()}" for version in intent.versions):
        asked |= FileRole.SUPERSEDED
    rows = _rows_for(int(file.roles), int(asked), unclaimed=is_unclaimed(file) and not intent.asks_for_settings_files)
    return (*rows, DECLARATIONS) if file.path.endswith(_DECLARING) else rows


def _named(file: SourceFile, intent: Intent) -> FileRole:
    """What is no noise in a program that the question names: that it shows or tests something. A copy of it is one all the same."""
    return _SHOWING if file.language in MEMBERS and stem_of(file.path) in intent.called else FileRole.NONE


_SHOWING = FileRole.TEST | FileRole.EXAMPLE


def noise_factor(file: SourceFile, intent: Intent) -> float:
    return math.prod(row.factor for row in noise_of(file, intent))


def is_unclaimed(file: SourceFile) -> bool:
    """No language claims it, and it is no prose either."""
    return not file.language and not has_role(file.roles, FileRole.DOCUMENT)


def is_history(file: SourceFile) -> bool:
    """A document that tells what changed from version to version."""
    return has_role(file.roles, FileRole.DOCUMENT) and bool(_HISTORY.search(file.path))


@functools.lru_cache(maxsize=4096)
def _rows_for(roles: int, asked: int, *, unclaimed: bool) -> tuple[Noise, ...]:
    return tuple(row for row in NOISE if (roles & row.roles and not roles & row.roles & asked) or (unclaimed and not row.roles))


def push_down(file: SourceFile, intent: Intent, *, stored: bool) -> ScorePart:
    """Name of and factor on context scores of files that would fill a context with little to say; without a name where nothing speaks against one.

    ``stored``: all chunks have vectors.
    """
    asked = intent.asked_roles | _named(file, intent)
    if has_role(file.roles, FileRole.TEST) and not has_role(asked, FileRole.TEST):
        return ScorePart("test", CONTEXT_TEST_STORED if stored else CONTEXT_TEST)
    if is_unclaimed(file) and not intent.asks_for_settings_files:
        return ScorePart("settings", CONTEXT_SETTINGS)
    if is_history(file) and not _ASKS_FOR_HISTORY.search(intent.text):
        return ScorePart("history", CONTEXT_HISTORY)
    if not has_role(file.roles, _ASIDE):
        return ScorePart("", 1.0)
    wanted = file.roles & asked & (_ASIDE | FileRole.DOCUMENT)
    return ScorePart("", 1.0) if wanted else ScorePart("aside", CONTEXT_ASIDE)
