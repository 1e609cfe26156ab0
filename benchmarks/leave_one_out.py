"""How well the rank weights carry over: chosen anew without each repository, and judged on it.

    python -m benchmarks.leave_one_out QUESTIONS.jsonl flask=/repos/flask/src/flask gin=/repos/gin [--home FOLDER]

Everything that ranking looks at is read once, without vectors; then the weights of :data:`SEARCHED` start at zero and are chosen greedily on a
coarse grid, from all repositories but one. The mean figure of the left-out ones says what to expect of a repository that nobody tuned on, and how far
the chosen weights move says whether they mean anything. Figures are ``ndcg10`` of files, each named once, refusals left aside.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.retrieval.questions import Asked, read_questions
from exegesis.model import Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.gateway.scoring import same_path
from services.indexer.api import IndexOptions
from services.query.called import with_calls
from services.query.corpus import Corpora, Corpus
from services.query.noise import noise_factor
from services.query.rank import CALLED, CHUNK_SIGNALS, FILE_SIGNALS, FOUR, FOUR_AMONG, NAME, STANDS_BACK, rank
from services.query.retrieve import retrieve
from services.query.standing import Standing

Floats = npt.NDArray[np.float64]
Weights = tuple[float, ...]

SEARCHED: Mapping[str, tuple[float, ...]] = {
    "name": (0.0, 0.1, 0.2, 0.3, 0.5),
    "more": (0.0, 0.2, 0.4, 0.6),
    "path": (0.0, 0.3, 0.6, 0.9),
}
"""The weights that are chosen, each with its grid. Six of them, each for itself, fit better and carry over worse: .902 in place of .915."""

SHARES = ("file words", "path", "file name", "mentioned")
"""The file signals of :attr:`Sheet.shares`."""

LEAST_GAIN = 0.002  # of the mean, below which choosing ends: smaller differences are noise
RANKS = 10


def spread(chosen: Weights) -> Weights:
    """The weights of name, four chunks and :data:`SHARES`: what a file holds beside its best chunk is one thing seen twice, and so is its path."""
    name, more, path = chosen
    return name, more, more, path, path / 3, more / 4


@dataclass(frozen=True, slots=True)
class Sheet:
    """What ranking looks at for one question, by chunk and by file."""

    repository: str
    settled: Floats
    """Of each chunk the part of its list score that no searched weight changes."""
    names: Floats
    owners: npt.NDArray[np.int64]
    """Of each chunk its file."""
    shares: Floats
    """Shape (files, 4): file words, path, file name, mentioned."""
    called: Floats
    """Of each file what calls add, at the weight in use and in the order in use: it was given, and is not chosen."""
    factors: Floats
    """Of each file the product of its noise factors."""
    meets: npt.NDArray[np.bool_]
    """Shape (targets, files): which file is which target, found or not."""

    def ndcg10(self, weights: Weights) -> float:
        name, four, *rest = weights
        chunks = self.settled + name * self.names
        order = np.argsort(-chunks, kind="stable")
        owners = self.owners[order]
        files, first = np.unique(owners, return_index=True)
        best = np.zeros(len(self.factors))
        best[files] = chunks[order][first]
        sums = np.zeros(len(self.factors))
        for file in np.unique(owners[:FOUR_AMONG]):
            sums[file] = chunks[order[:FOUR_AMONG]][owners[:FOUR_AMONG] == file][:FOUR].sum()
        most = float((sums * self.factors).max()) or 1.0
        scores = self.factors * (best + four * np.minimum(sums / most, 1.0) + self.shares @ np.array(rest) + self.called)
        listed = self.meets[:, np.argsort(-scores, kind="stable")[:RANKS]]
        ranks = np.unique(listed.argmax(axis=1)[listed.any(axis=1)])  # a target has the rank of the first that meets it; two may share one
        gains = 1 / np.log2(np.arange(RANKS) + 2)
        return float(gains[ranks].sum() / gains[: len(self.meets)].sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("repositories", nargs="+", metavar="NAME=FOLDER")
    parser.add_argument("--home", type=Path, help="folder of the indexes, kept; a temporary one otherwise")
    arguments = parser.parse_args()
    folders = dict(pair.split("=", 1) for pair in arguments.repositories)
    questions = [asked for asked in read_questions(arguments.questions) if asked.repository in folders and asked.gold]
    with tempfile.TemporaryDirectory() as temporary:
        assembly = Assembly(Settings(home=str(arguments.home or temporary), embedder="none"))
        sheets = [
            sheet for name, folder in folders.items() for sheet in read_sheets(assembly, folder, [q for q in questions if q.repository == name])
        ]
        assembly.close()
    report(sheets)


def report(sheets: Sequence[Sheet]) -> None:
    """Print a row for each left-out repository, and the means."""
    repositories = list(dict.fromkeys(sheet.repository for sheet in sheets))

    @functools.cache
    def means(weights: Weights) -> Mapping[str, float]:
        figures: dict[str, list[float]] = {name: [] for name in repositories}
        for sheet in sheets:
            figures[sheet.repository].append(sheet.ndcg10(weights))
        return {name: sum(values) / len(values) for name, values in figures.items()}

    signals = {signal.name: signal.weight for signal in (*CHUNK_SIGNALS, *FILE_SIGNALS)}
    present = tuple(signals[name] for name in ("name", "four chunks", *SHARES))
    print(f"{'left out':16s} {'as it is':>9s} {'chosen':>9s}  " + "  ".join(SEARCHED))
    chosen = {}
    for left_out in repositories:

        def mean_of_others(weights: Weights, left_out: str = left_out) -> float:
            return math.fsum(value for name, value in means(spread(weights)).items() if name != left_out) / max(len(repositories) - 1, 1)

        weights = choose(mean_of_others)
        chosen[left_out] = means(spread(weights))[left_out]
        widths = "  ".join(f"{weight:{len(name)}.1f}" for name, weight in zip(SEARCHED, weights, strict=True))
        print(f"{left_out:16s} {means(present)[left_out]:9.3f} {chosen[left_out]:9.3f}  {widths}", flush=True)
    print(f"{'mean':16s} {_mean(means(present)):9.4f} {_mean(chosen):9.4f}")


def choose(figure: Callable[[Weights], float]) -> Weights:
    """Weights of :data:`SEARCHED`, from zero on: always the one change that gains most, until none gains."""
    weights: Weights = (0.0,) * len(SEARCHED)
    reached = figure(weights)
    while True:
        changes = [
            (*weights[:place], value, *weights[place + 1 :])
            for place, grid in enumerate(SEARCHED.values())
            for value in grid
            if value != weights[place]
        ]
        best = max(changes, key=figure)
        if figure(best) < reached + LEAST_GAIN:
            return weights
        weights, reached = best, figure(best)


def _mean(figures: Mapping[str, float]) -> float:
    return math.fsum(figures.values()) / len(figures)


def read_sheets(assembly: Assembly, folder: str, questions: Sequence[Asked]) -> Iterator[Sheet]:
    indexed = assembly.indexer.index(folder, IndexOptions(embed=False, index_store="none"), lambda _: None)
    corpus = Corpora(assembly.graph, assembly.question_chunks, embedder=None).open(indexed.generation)
    for asked in questions:
        yield read_sheet(asked, corpus)


def read_sheet(asked: Asked, corpus: Corpus) -> Sheet:
    seeds = retrieve(Question(asked.text, (corpus.repository,), Options(dense=False)), [corpus])
    ranking = with_calls(seeds, rank(seeds))
    places = {file.file: place for place, file in enumerate(ranking.files)}
    ordered = sorted(ranking.chunks, key=lambda chunk: chunk.candidate.place)
    rows = np.array([chunk.row for chunk in ordered]).reshape(len(ordered), len(CHUNK_SIGNALS))
    column = next(number for number, signal in enumerate(CHUNK_SIGNALS) if signal.name == "name")
    kept = np.array([1.0 if chunk.candidate.standing is Standing.OWN else 1.0 - STANDS_BACK for chunk in ordered])
    names = kept * rows[:, column] / NAME
    of_file = {signal.name: signal.weight for signal in FILE_SIGNALS}
    parts = [{part.name: part.value for part in file.parts} for file in ranking.files]
    gold = sorted({place.path for place in asked.gold})
    return Sheet(
        repository=asked.repository,
        settled=rows.sum(axis=1) - NAME * names,
        names=names,
        owners=np.array([places[chunk.candidate.file] for chunk in ordered], dtype=np.int64),
        shares=np.array([[row.get(name, 0.0) / of_file[name] for name in SHARES] for row in parts]).reshape(len(parts), 4),
        called=np.array([row.get(CALLED.name, 0.0) for row in parts]),
        factors=np.array([noise_factor(file.candidate.row.file, seeds.intent) for file in ranking.files]),
        meets=np.array([[same_path(path, file.file[1]) for file in ranking.files] for path in gold], dtype=bool).reshape(len(gold), -1),
    )


if __name__ == "__main__":
    main()
