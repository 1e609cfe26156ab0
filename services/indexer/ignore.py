"""What in a tree is not worth looking at: folders by name, and the layers of ignore files.

From strongest to weakest: ``.exegesisignore`` (which may also bring back what the others hide), the folders of :data:`FOLDERS`, ``.gitignore`` in
every folder down to the file, ``.git/info/exclude``. The syntax of all of them is that of git, matched by pathspec; the last matching line of the
deepest file decides, as in git.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern  # noqa: TC002 - as all other imports of types here

OWN_FILE = ".exegesisignore"
GIT_FILE = ".gitignore"
EXCLUDE_FILE = ".git/info/exclude"

LIMIT_BYTES = 1 << 18
"""Of an ignore file. Real ones have hundreds of lines."""


_ANYWHERE = "^(?:.+/)?"
"""How pathspec begins the expression of a line without a slash; asked about names only, it need not look for folders."""


LIMIT_LINES = 2_000
"""Of an ignore file; the rest says nothing. All lines of a file are one regular expression, and each path is searched with it."""

LIMIT_STARS = 3
"""Wildcards in one part of a pattern: matching tries all ways to divide a name among them, and a hostile file must not make that slow."""


class FolderKind(enum.StrEnum):
    VERSION_CONTROL = "version control"
    BUILD = "build products"
    CACHE = "cache"
    DEPENDENCY = "dependency"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that is left out for its name."""

    name: str
    kind: FolderKind
    reason: str
    beside: tuple[str, ...] = ()
    """Files or folders of which one must stand beside it, where the name alone proves nothing."""
    sources: tuple[str, ...] = ()
    """Folders in it that hold source code of dependencies; the rest of it is never indexed."""


FOLDERS = (
    Folder(".git", FolderKind.VERSION_CONTROL, "git"),
    Folder(".hg", FolderKind.VERSION_CONTROL, "Mercurial"),
    Folder(".svn", FolderKind.VERSION_CONTROL, "Subversion"),
    Folder(".jj", FolderKind.VERSION_CONTROL, "Jujutsu"),
    Folder(".build", FolderKind.DEPENDENCY, "Swift Package Manager: products, and checkouts of packages", sources=("checkouts",)),
    Folder("SourcePackages", FolderKind.DEPENDENCY, "Xcode's packages", sources=("checkouts",)),
    Folder("DerivedData", FolderKind.BUILD, "Xcode"),
    Folder("Pods", FolderKind.DEPENDENCY, "CocoaPods"),
    Folder("Carthage", FolderKind.DEPENDENCY, "Carthage", sources=("Checkouts",)),
    Folder("xcuserdata", FolderKind.CACHE, "window positions of Xcode"),
    Folder("node_modules", FolderKind.DEPENDENCY, "npm, yarn, pnpm"),
    Folder("bower_components", FolderKind.DEPENDENCY, "Bower"),
    Folder("jspm_packages", FolderKind.DEPENDENCY, "jspm"),
    Folder("site-packages", FolderKind.DEPENDENCY, "pip"),
    Folder("venv", FolderKind.DEPENDENCY, "Python environment"),
    Folder(".venv", FolderKind.DEPENDENCY, "Python environment"),
    Folder(".tox", FolderKind.DEPENDENCY, "Python environments"),
    Folder(".nox", FolderKind.DEPENDENCY, "Python environments"),
    Folder("__pycache__", FolderKind.CACHE, "Python"),
    Folder(".mypy_cache", FolderKind.CACHE, "mypy"),
    Folder(".pytest_cache", FolderKind.CACHE, "pytest"),
    Folder(".ruff_cache", FolderKind.CACHE, "ruff"),
    Folder(".cache", FolderKind.CACHE, "anything"),
    Folder(".gradle", FolderKind.CACHE, "Gradle"),
    Folder(".idea", FolderKind.CACHE, "settings of an editor"),
    Folder(".vs", FolderKind.CACHE, "settings of an editor"),
    Folder(".terraform", FolderKind.DEPENDENCY, "Terraform providers"),
    Folder(".next", FolderKind.BUILD, "Next.js"),
    Folder(".nuxt", FolderKind.BUILD, "Nuxt"),
    Folder(".dart_tool", FolderKind.BUILD, "Dart"),
    Folder("target", FolderKind.BUILD, "Cargo, Maven, sbt", beside=("Cargo.toml", "pom.xml", "build.sbt")),
    Folder("build", FolderKind.BUILD, "Gradle, CMake, Xcode", beside=("build.gradle", "build.gradle.kts", "CMakeLists.txt", "Podfile", "setup.py")),
    Folder("dist", FolderKind.BUILD, "bundlers", beside=("package.json", "setup.py", "pyproject.toml")),
    Folder("obj", FolderKind.BUILD, "MSBuild", beside=("bin",)),
    Folder("vendor", FolderKind.DEPENDENCY, "Go, Composer, Bundler", beside=("go.mod", "composer.json", "Gemfile")),
    Folder("vcpkg_installed", FolderKind.DEPENDENCY, "vcpkg"),
    Folder("deps", FolderKind.DEPENDENCY, "Mix", beside=("mix.exs",)),
)
"""Folders that tools write. ``build``, ``dist`` and their like are also names that people give, so what explains them must stand beside them."""

_BY_NAME = {folder.name: folder for folder in FOLDERS}


def known_folder(name: str, siblings: Collection[str]) -> Folder | None:
    """The row of :data:`FOLDERS` that a folder is, judged by its name and what stands beside it."""
    folder = _BY_NAME.get(name)
    if folder is None or (folder.beside and not any(sibling in siblings for sibling in folder.beside)):
        return None
    return folder


@dataclass(frozen=True, slots=True)
class Layer:
    """One ignore file, ready to match."""

    folder: str
    """Where it holds: a path with a slash at its end, empty for the root."""
    spec: GitIgnoreSpec
    names: re.Pattern[str] | None
    """Matches the last part of every path that a line without a slash speaks of; with ``paths`` it spares most paths the exact answer."""
    paths: re.Pattern[str] | None
    """Matches every path that a line with a slash speaks of."""
    source: str
    """Path of the ignore file."""


def read_layer(folder: str, text: str, source: str) -> Layer | None:
    """An ignore file as a layer, or None if it says nothing. Lines that are no patterns are passed over, as git does."""
    spec = GitIgnoreSpec([pattern for line in text.split("\n")[:LIMIT_LINES] for pattern in _patterns(line)])
    wanted = [pattern for pattern in spec.patterns if pattern.include is not None]
    if not wanted:
        return None
    loose = [pattern for pattern in wanted if "/" not in str(pattern.pattern).lstrip("!").rstrip().rstrip("/")]
    bound = [pattern for pattern in wanted if pattern not in loose]
    return Layer(folder, spec, _unite(loose, but=_ANYWHERE), _unite(bound), source)


def _unite(patterns: Sequence[GitIgnoreSpecPattern], *, but: str = "") -> re.Pattern[str] | None:
    """One expression for all of them, each without the beginning ``but``. Their groups, which have the same names and could not stand together, are
    not asked for here.
    """
    regexes = [re.sub(r"[(][?]P<[^>]*>", "(?:", regex.pattern) for pattern in patterns if (regex := pattern.regex)]
    return re.compile("|".join(f"(?:{regex.removeprefix(but)})" for regex in regexes)) if regexes else None


def verdict(layers: Sequence[Layer], path: str) -> tuple[bool | None, str]:
    """What the deepest of the layers that says something says: True to ignore, False to keep, None for nothing; and the file that said so.

    ``layers`` go from the root down. The path of a folder ends in a slash. Folders above the path must have been asked about before: nothing below an
    ignored folder is ever kept.
    """
    name = path[path.rfind("/", 0, -1) + 1 :]
    for layer in reversed(layers):
        inner = path[len(layer.folder) :]
        if (layer.names and layer.names.match(name)) or (layer.paths and layer.paths.match(inner)):
            result = layer.spec.check_file(inner)
            if result.include is not None:
                return result.include, layer.source
    return None, ""


def _patterns(line: str) -> Sequence[GitIgnoreSpecPattern]:
    if any(part.count("*") > LIMIT_STARS for part in line.split("/")) or line.count("*") > 2 * LIMIT_STARS:
        return ()
    try:
        return GitIgnoreSpec.from_lines([line.removesuffix("\r")]).patterns
    except ValueError:
        return ()
