"""Where a newcomer begins: what an overview shows even if no word of the question stands in the code.

By rule, not by words: the documents at the top, the front page of the documentation, the manifest that names what is built, where programs start, the
centre of each part, and the types that most else refers to.
"""

from __future__ import annotations

from exegesis.model import FileRole
from services.query.corpus import Corpus, chunks_holding

DOCUMENTS = 6  # parts of the top document and of the front page each, in their order
HUBS = 12
MANIFEST_CHUNKS = 2  # of the manifest, from its beginning
PARTS = 12
MANIFESTS = (
    *("package.swift", "package.json", "pyproject.toml", "setup.py", "go.mod", "cargo.toml", "pom.xml", "build.gradle", "cmakelists.txt"),
    *("podfile", "gemfile", "makefile"),
)
"""What says which programs and libraries are built, in lower case; the first that is there speaks for the repository."""
DOCUMENTATION = frozenset({"docs", "doc", "documentation"})
FRONT_PAGES = frozenset({"index", "readme"})
CATALOGUE = ".docc"
"""How the folder of a module's documentation is named. Its front page has the name of the module, that is of the folder around it, or its own."""
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
    for document in (_front_page(corpus), _top_document(corpus)):
        for rank, chunk in enumerate(_beginning(corpus, document)):
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


def _top_document(corpus: Corpus) -> str | None:
    """The document nearest to the root; a README before others."""
    return min(_documents(corpus), key=lambda path: (path.count("/"), not path.rpartition("/")[2].lower().startswith("readme"), path), default=None)


def _front_page(corpus: Corpus) -> str | None:
    """Where the documentation begins, nearest to the root: of a module, else of the folder that holds all of it. It says in a page what there is, and
    a README often only how to install it.
    """
    elsewhere = _ASIDE & ~FileRole.EXAMPLE  # which folders of documentation are
    pages = (path for path in _documents(corpus) if is_front_page(path) and not corpus.role(path) & elsewhere)
    return min(pages, key=lambda path: (CATALOGUE not in path.lower(), path.count("/"), path), default=None)


def is_front_page(path: str) -> bool:
    """``GRDB/Documentation.docc/GRDB.md``, ``Sources/Vapor/Docs.docc/index.md``, ``docs/index.rst``."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    if folders and folders[-1].endswith(CATALOGUE):
        return stem in {*folders[:-1], folders[-1].removesuffix(CATALOGUE), *FRONT_PAGES}
    return len(folders) == 1 and folders[0] in DOCUMENTATION and stem in FRONT_PAGES


def _documents(corpus: Corpus) -> list[str]:
    return [path for path, row in corpus.table.rows.items() if row.file.roles & FileRole.DOCUMENT]


def _beginning(corpus: Corpus, document: str | None) -> list[int]:
    return [chunk.id for chunk in corpus.graph.chunks_in(corpus.pin, [document])][:DOCUMENTS] if document is not None else []
