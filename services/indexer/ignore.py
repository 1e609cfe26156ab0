"""What in a tree is not worth looking at: folders by name, and the layers of ignore files.

From strongest to weakest: ``.exegesisignore`` (which may also bring back what the others hide), the folders of :data:`FOLDERS`, ``.gitignore`` in
every folder down to the file, ``.git/info/exclude``. The syntax of all of them is that of git, matched by pathspec; the last matching line of the
deepest file decides, as in git. What pathspec reads otherwise than git does, brackets and rows of wildcards, is put into expressions here.

An ignore file that cannot be heeded to the letter is not heeded in part: what it keeps private must not be indexed because it is long.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

OWN_FILE = ".exegesisignore"
GIT_FILE = ".gitignore"
EXCLUDE_FILE = ".git/info/exclude"

LIMIT_BYTES = 1 << 22
"""Of an ignore file. Real ones have hundreds of lines."""


_ANYWHERE = "^(?:.+/)?"
"""How pathspec begins the expression of a line without a slash; asked about names only, it need not look for folders."""


LIMIT_RULES = 5_000
"""Of an ignore file, comments and empty lines aside. Getting so many ready takes six seconds."""

LIMIT_STARS = 3
"""Wildcards in one part of a pattern that are left to pathspec, whose expressions try all ways to divide a name among them."""

LIMIT_DEPTHS = 3
"""Parts of one pattern that are ``**``: all ways to divide a path among them are tried, and a hostile file must not make that slow."""


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


class Unheeded(Exception):
    """An ignore file says more than can be heeded; the message says what."""


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
    """An ignore file as a layer, or None if it says nothing. Lines that are no patterns are passed over, as git does. Raises ``Unheeded``."""
    lines = [line for raw in text.split("\n") if (line := raw.removesuffix("\r")).strip() and not line.startswith("#")]
    if len(lines) > LIMIT_RULES:
        raise Unheeded(f"has more than {LIMIT_RULES:,} rules")
    spec = GitIgnoreSpec([pattern for line in lines for pattern in _patterns(line)])
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
    if line.split("/").count("**") > LIMIT_DEPTHS:
        raise Unheeded(f"has a rule with more than {LIMIT_DEPTHS} times **")
    try:
        plain, parts = _set_aside(line)
        expression, include = GitIgnoreSpecPattern.pattern_to_regex(plain)
        if expression is None or include is None:
            return ()
        pattern = GitIgnoreSpecPattern(re.compile("".join(parts.get(letter, letter) for letter in expression)), include)
    except (ValueError, re.error):
        return ()
    pattern.pattern = plain
    return (pattern,)


# ------------------------------------------------------------------------------------------------ what is not left to pathspec

_STAND_INS = 0x10F000
"""The last private characters there are stand for parts of a pattern that have expressions already."""

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-.0-~",
    "lower": "a-z",
    "print": " -.0-~",
    "punct": "!-.:-@\\[-`{-~",
    "space": " \\t\\n\\v\\f\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""As git has them: of ASCII, and without the slash."""


def _set_aside(line: str) -> tuple[str, dict[str, str]]:
    """The line with stand-ins for the parts that pathspec is not asked about, and their expressions. Raises ``ValueError`` for what never matches."""
    sign = "!" if line.startswith("!") else ""
    rest = line[len(sign) :]
    if "[" not in rest and rest.count("*") <= LIMIT_STARS and max(rest, default="") < chr(_STAND_INS):
        return line, {}
    while rest.endswith(" ") and not rest.endswith("\\ "):
        rest = rest[:-1]
    stand_ins: dict[str, str] = {}
    parts = _split(rest)
    if "/" in rest and len(parts) == 1:  # within a bracket: it stands for none, and still binds the pattern to its folder
        parts = ["", *parts]
    for place, part in enumerate(parts):
        if part != "**" and ("[" in part or part.count("*") > LIMIT_STARS or max(part, default="") >= chr(_STAND_INS)):
            parts[place] = chr(_STAND_INS + len(stand_ins))
            stand_ins[parts[place]] = _expression(part)
    return sign + "/".join(parts), stand_ins


def _split(pattern: str) -> list[str]:
    """The parts of a pattern between its slashes. Raises ``ValueError`` for what never matches."""
    parts = [""]
    place = 0
    while place < len(pattern):
        end = place + (2 if pattern[place] == "\\" else 1)
        if pattern[place] == "[":
            _, end = _bracket(pattern, end)
        if pattern[place] == "/":
            parts.append("")
        else:
            parts[-1] += pattern[place:end]
        place = end
    return parts


def _expression(part: str) -> str:
    """One part of a pattern. What follows a wildcard is taken where it is found first, which is where it may stand if it may stand anywhere, so that
    no other way is tried; after the last wildcard it must stand at the end.
    """
    pieces = [""]
    place = 0
    while place < len(part):
        letter = part[place]
        place += 1
        if letter == "*":
            if pieces[-1] or len(pieces) == 1:
                pieces.append("")
        elif letter == "?":
            pieces[-1] += "[^/]"
        elif letter == "[":
            bracket, place = _bracket(part, place)
            pieces[-1] += bracket
        else:
            if letter == "\\":
                letter = part[place : place + 1]
                place += 1
                if not letter:
                    raise ValueError("nothing is escaped")
            pieces[-1] += re.escape(letter)
    first, *inner = pieces
    if not inner:
        return first
    return first + "".join(f"(?>[^/]*?{piece})" for piece in inner[:-1]) + "[^/]*" + inner[-1]


def _bracket(part: str, place: int) -> tuple[str, int]:
    """The expression of a bracket that was opened before ``place``, and where it ends. Raises ``ValueError`` where it never matches, as in git."""
    negated = part[place : place + 1] in {"!", "^"}
    place += negated
    choices: list[str] = []
    before = ""
    """What a range may begin with."""
    start = place
    while True:
        letter = part[place : place + 1]
        if not letter:
            raise ValueError("a bracket is not closed")
        if letter == "]" and place > start:
            break
        if letter == "[" and part[place + 1 : place + 2] == ":" and (end := part.find("]", place + 2)) > place + 2 and part[end - 1] == ":":
            name = part[place + 2 : end - 1]
            if name not in _CLASSES:
                raise ValueError("a class of characters is not known")
            choices.append(_CLASSES[name])
            place, before = end + 1, ""
            continue
        is_range = letter == "-" and before and part[place + 1 : place + 2] not in {"", "]"}
        place += bool(is_range)
        if part[place : place + 1] == "\\":
            place += 1
        letter = part[place : place + 1]
        if not letter:
            raise ValueError("a bracket is not closed")
        place += 1
        if not is_range:
            choices.append(_escape(letter))
        elif before <= letter:  # a range that runs backwards holds nothing but its beginning, which is a choice by itself
            choices.append(f"{_escape(before)}-{_escape(letter)}")
        before = "" if is_range else letter
    chosen = "".join(choices)
    return (f"[^/{chosen}]" if negated else f"(?!/)[{chosen}]"), place + 1


def _escape(letter: str) -> str:
    return f"\\U{ord(letter):08x}"
