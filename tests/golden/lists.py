"""Lists with every part of every score, for a small repository: a change of ranking is reviewed as a difference of ``lists.txt``.

python -m tests.golden.lists      writes it anew
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from exegesis.model import Options, Question, ScorePart
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.query.called import with_calls
from services.query.corpus import Corpora, Corpus
from services.query.present import present
from services.query.rank import rank
from services.query.referent import with_referent
from services.query.retrieve import retrieve

SHOP = Path(__file__).parent.parent / "fixtures" / "shop"
LISTS = Path(__file__).parent / "lists.txt"

QUESTIONS = (
    "how are payments retried",  # a document and a test say it more often than the code
    "how is the retry of payments tested",  # the test is asked for
    "rounding of prices",  # a prototype and its function
    "Cart",  # a class among files and folders of the name
    "CartState",  # a name that is declared with a sign before it
    "what is in a cart before anything is added",
    "guide to refunds in the documentation",
    "which payments does the test expect to be refunded",  # a test that is spoken of as of a thing
)
FILES = 5
RESULTS = 6


def tell_lists(folder: Path) -> str:
    """All lists, in an index that is made in ``folder``."""
    copy = folder / "shop"  # below no folder of tests, which would make tests of everything
    shutil.copytree(SHOP, copy)
    assembly = Assembly(Settings(home=str(folder / "home"), embedder="none"))
    try:
        indexed = assembly.indexer.index(str(copy), IndexOptions(embed=False, index_store="none"), lambda _: None)
        corpus = Corpora(assembly.graph, assembly.question_chunks, embedder=None).open(indexed.generation)
        return "\n".join(line for question in QUESTIONS for line in tell_list(question, corpus))
    finally:
        assembly.close()


def tell_list(text: str, corpus: Corpus) -> Iterator[str]:
    seeds = retrieve(Question(text, (corpus.repository,), Options(dense=False)), [corpus])
    ranking = with_referent(seeds, with_calls(seeds, rank(seeds)))
    yield f"? {text}"
    for file in ranking.files[:FILES]:
        yield f"  {file.score:6.3f}  {file.file[1]:22s} {_told(file.parts)}"
    for result in present(seeds, ranking, limit=RESULTS):
        place = f"{result.path}:{result.start}-{result.end} {result.symbol}".rstrip()
        yield f"    {result.score:6.3f}  {place:44s} {_told(result.parts)}"
    yield ""


def _told(parts: tuple[ScorePart, ...]) -> str:
    return ", ".join(f"{part.name} {part.value:.3f}" for part in parts)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        LISTS.write_text(tell_lists(Path(temporary)), "utf-8")
