"""Where a newcomer begins: what an overview shows even if no word of the question stands in the code.

By rule, not by words: the documents at the top, the manifest that names what is built, where programs start, the centre of each part, and the types
that most else refers to.
"""

from __future__ import annotations

from exegesis.model import FileRole
from services.query.corpus import Corpus, chunks_holding

DOCUMENTS = 6  # parts of the top documents, in their order
HUBS = 12
MANIFEST_CHUNKS = 2  # of the manifest, from its beginning
PARTS = 12
MANIFESTS = (
    *("package.swift", "package.json", "pyproject.toml", "setup.py", "go.mod", "cargo.toml", "pom.xml", "build.gradle", "cmakelists.txt"),
    *("podfile", "gemfile", "makefile"),
)
"""What says which programs and libraries are built, in lower case; the first that is there speaks for the repository."""
_ASIDE = FileRole.TEST | FileRole.EXAMPLE | FileRole.VENDORED | FileRole.DEPENDENCY | FileRole.GENERATED


def landmarks(corpus: Corpus) -> dict[int, float]:
    """Chunks and how much of a landmark each is, in (0, 1]: entry points first, then the top document, then the centres of
    the parts of the system, then the most referenced types.
    """
    found: dict[int, float] = {}
    modules = corpus.graph.map(corpus.pin)
    entries = [symbol.id for module in modules for symbol in module.entry_points if not corpus.role(symbol.path) & _ASIDE]
    # What most else uses in each part, so that no part of the system is passed over for another that is busier.
    centres = [part.central[0].id for module in modules if not module.kind for part in module.parts if part.central]
    hubs = [hub.symbol for hub in corpus.graph.hubs(corpus.pin, limit=HUBS * 4) if not corpus.role(hub.symbol.path) & _ASIDE]
    # A member that everything uses stands for its type.
    whole = dict.fromkeys(symbol.id if symbol.kind.is_type or symbol.parent is None else symbol.parent for symbol in hubs)
    for rank, chunk in enumerate(dict.fromkeys(chunks_holding(corpus, list(whole)[:HUBS]).values())):
        found[chunk] = 0.6 / (1 + 0.05 * rank)
    for rank, chunk in enumerate(dict.fromkeys(chunks_holding(corpus, centres[:PARTS]).values())):
        found[chunk] = 0.7 / (1 + 0.03 * rank)
    for rank, chunk in enumerate(_top_document(corpus)):
        found[chunk] = 0.9 / (1 + 0.1 * rank)
    for chunk in _manifest(corpus):
        found[chunk] = 0.9
    for chunk in chunks_holding(corpus, entries).values():
        found[chunk] = 1.0
    return found


def _manifest(corpus: Corpus) -> list[int]:
    """The beginning of the manifest at the root."""
    there = {path.lower(): path for path in corpus.table.rows if "/" not in path}
    chosen = next((there[name] for name in MANIFESTS if name in there), None)
    return [chunk.id for chunk in corpus.graph.chunks_in(corpus.pin, [chosen])][:MANIFEST_CHUNKS] if chosen else []


def _top_document(corpus: Corpus) -> list[int]:
    """Parts of the document nearest to the root; a README before others."""
    documents = [path for path, row in corpus.table.rows.items() if row.file.roles & FileRole.DOCUMENT]
    documents.sort(key=lambda path: (path.count("/"), not path.rpartition("/")[2].lower().startswith("readme"), path))
    return [chunk.id for chunk in corpus.graph.chunks_in(corpus.pin, documents[:1])][:DOCUMENTS] if documents else []
