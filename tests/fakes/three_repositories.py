"""Three small repositories, indexed for real, whose words, files and symbols tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions

NAMES = ("alpha", "bravo", "charlie")
MARKS = {"alpha": "Quokka", "bravo": "Wombat", "charlie": "Numbat"}
"""A word that stands in one repository only: in its paths, symbols, comments and code."""

_SOURCE = """\
/// Keeps the {mark} session and renews its token before it expires.
final class {mark}Session {{
    let store = {mark}Store()

    /// Renews the token of the session.
    func renewToken() {{
        store.save{mark}(token: "next")
    }}
}}

/// Where {mark} tokens are kept.
final class {mark}Store {{
    func save{mark}(token: String) {{
        print(token)
    }}
}}
"""


@dataclass(frozen=True, slots=True)
class Known:
    """A repository as its owner knows it."""

    id: str
    name: str
    root: str
    generation: str
    mark: str
    path: str
    symbol: str

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody else may see."""
        return (self.id, self.generation, self.mark, self.root)


def three_repositories(folder: Path, marks: Mapping[str, str] = MARKS) -> tuple[Assembly, dict[str, Known]]:
    """An assembly that keeps everything in ``folder``, and the repositories by name: three, or those of ``marks``."""
    assembly = Assembly(Settings(home=str(folder / "home"), embedder="none", workers=1))
    known = {}
    for name, mark in marks.items():
        root = folder / name
        root.mkdir()
        (root / f"{mark}.swift").write_text(_SOURCE.format(mark=mark), "utf-8")
        (root / "README.md").write_text(f"# {mark}\n\nHow a {mark} token is renewed.\n", "utf-8")
        report = assembly.indexer.index(str(root), IndexOptions(embed=False), lambda _: None)
        repository = report.repository
        known[name] = Known(repository.id, name, repository.root, report.generation.id, mark, f"{mark}.swift", f"{mark}Session.renewToken")
    return assembly, known
