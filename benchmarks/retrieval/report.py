"""Tables from scored questions: by repository, language, category and number of files, variants beside each other and what others published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.retrieval.catalogue import Published
from benchmarks.retrieval.questions import Asked
from services.gateway.scoring import mean_over_repositories

GROUPS: Final[Mapping[str, Callable[[Asked], str]]] = {
    "repository": lambda asked: asked.repository,
    "language": lambda asked: asked.language,
    "category": lambda asked: asked.category,
    "files": lambda asked: "" if not asked.gold else "gold in one file" if asked.files == 1 else "gold in several files",
}
FIGURES: Final = ("ndcg10", "ndcg10_file", "hit10", "mrr", "span", "essential", "file", "prec", "points", "tokens", "refused", "absent_refused")
"""In the order of columns; those of a context come once for each budget."""
TIMES: Final = ("search", "ms", "cpu")


@dataclass(frozen=True, slots=True)
class Scored:
    set: str
    variant: str
    asked: Asked
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """Means of a group: over the questions of a repository, then over repositories."""

    set: str
    variant: str
    group: str
    """``all``, or a key of :data:`GROUPS`."""
    label: str
    questions: int
    means: Mapping[str, float]


def summarise(scored: Sequence[Scored]) -> list[Row]:
    """A row for each set, variant and group, in the order in which they occur. Groups with a single label say nothing and are left out, but for
    repositories.
    """
    rows = []
    for set_, variant in dict.fromkeys((one.set, one.variant) for one in scored):
        of_variant = [one for one in scored if (one.set, one.variant) == (set_, variant)]
        rows.append(_row(set_, variant, "all", "all", of_variant))
        for group, label_of in GROUPS.items():
            labels = sorted({label_of(one.asked) for one in of_variant} - {""})
            if len(labels) > 1 or group == "repository":
                rows += [_row(set_, variant, group, label, [one for one in of_variant if label_of(one.asked) == label]) for label in labels]
    return rows


def _row(set_: str, variant: str, group: str, label: str, scored: Sequence[Scored]) -> Row:
    means = mean_over_repositories((one.asked.repository, one.figures) for one in scored)
    return Row(set_, variant, group, label, len(scored), means)


def print_tables(rows: Sequence[Row], published: Sequence[Published]) -> Iterator[str]:
    """The report, line by line."""
    for set_ in dict.fromkeys(row.set for row in rows):
        of_set = [row for row in rows if row.set == set_]
        columns = _columns(of_set)
        yield f"\n== {set_}"
        yield f"{'':16s} {'':30s} {'n':>4s} " + " ".join(f"{column:>{_width(column)}s}" for column in columns)
        for row in of_set:
            label = row.label if row.group == "all" else f"  {row.group}: {row.label}"
            yield f"{row.variant:16s} {label:30.30s} {row.questions:4d} " + " ".join(_cell(row.means, column) for column in columns)
        yield from _beside(set_, of_set, [one for one in published if one.set == set_])


def _beside(set_: str, rows: Sequence[Row], published: Sequence[Published]) -> Iterator[str]:
    """For each figure that others published: our variants and theirs, repository by repository. Means are over the repositories that both have."""
    for figure in dict.fromkeys(one.figure for one in published):
        others = [one for one in published if one.figure == figure]
        variants = list(dict.fromkeys(row.variant for row in rows))
        names = [*variants, *(one.system for one in others)]
        ours = {(row.variant, row.label): row.means.get(figure) for row in rows if row.group in {"all", "repository"}}
        repositories = list(dict.fromkeys(row.label for row in rows if row.group == "repository"))
        yield f"\n   {set_}, {figure}: ours, and what is published"
        yield f"   {'':30s} " + " ".join(f"{name:>{max(8, len(name))}s}" for name in names)
        for label in [*repositories, "all"]:
            values = [ours.get((variant, label)) for variant in variants]
            values += [_mean(one, repositories) if label == "all" else one.repositories.get(label) for one in others]
            cells = (f"{'' if value is None else format(value, '.3f'):>{max(8, len(name))}s}" for name, value in zip(names, values, strict=True))
            yield f"   {label:30.30s} " + " ".join(cells)


def _mean(published: Published, repositories: Sequence[str]) -> float | None:
    """Over the repositories that were asked here, where the figures of each are known, and not over all that somebody else measured."""
    if not published.repositories:
        return published.mean
    known = [published.repositories[name] for name in repositories if name in published.repositories]
    return sum(known) / len(known) if known else None


def _columns(rows: Sequence[Row]) -> list[str]:
    present = {name for row in rows for name in row.means}
    sizes = sorted({name.partition("@")[2] for name in present if "@" in name}, key=lambda size: int(size.rstrip("k")))
    wanted = [name + at for name in FIGURES for at in ["", *(f"@{size}" for size in sizes)]]
    return [name for name in (*wanted, *TIMES) if name in present]


def _width(column: str) -> int:
    return max(6, len(column))


def _cell(means: Mapping[str, float], column: str) -> str:
    if column not in means:
        return " " * _width(column)
    digits = 0 if column in TIMES or column.startswith("tokens") else 3
    return f"{means[column]:{_width(column)}.{digits}f}"
