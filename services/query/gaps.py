"""What an answer cannot know: files that could not be read, or not as what they are, in the folders it speaks of."""

from __future__ import annotations

from collections.abc import Mapping

from exegesis.model import Context, Coverage

MOST_NAMED = 3


def warn_of_gaps(coverage: Mapping[str, Coverage], context: Context) -> tuple[str, ...]:
    """Warnings for each repository with files beside the evidence that failed or are degraded. ``coverage`` is by repository."""
    warnings = []
    for repository, known in coverage.items():
        folders = {_folder(item.path) for item in context.items if item.repository == repository}
        for files, what in ((known.failed, "could not be indexed"), (known.degraded, "could be indexed as plain text only")):
            missing = [path for path, _ in files if _folder(path) in folders]
            if missing:
                named = ", ".join(missing[:MOST_NAMED]) + (" and others" if len(missing) > MOST_NAMED else "")
                warnings.append(f"{len(missing)} file{'s' if len(missing) > 1 else ''} beside the evidence {what}: {named}.")
    return tuple(warnings)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
