"""Which files a folder has, what they are, and which of them changed.

Every file that is seen is accounted for once: to be indexed, skipped or failed, with the reason. A folder that is left out as a whole is one entry,
whose path ends in a slash; what lies in it is not looked at and not counted.

Nothing outside the folder is ever opened: symbolic links are not followed (what they point at inside the folder is seen where it lies), FIFOs,
sockets and devices are not opened at all, and ignore files above the folder are not read. Reading happens here only to judge content; whoever parses
a file reads it again (:func:`services.indexer.read.read_file`), checks the digest, and finds it in memory.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from exegesis.errors import UsageError
from exegesis.model import FileRole, FileStatus, SourceFile
from services.indexer import claims, ignore, licence
from services.indexer.claims import Claim, claim
from services.indexer.content import judge
from services.indexer.language import languages
from services.indexer.read import Absent, Unreadable, path_of, reason_of
from services.indexer.roles import role_of_path, superseded_folders
from services.indexer.tree import Entry, Folder, FolderTree, Tree
from services.indexer.walkstate import Seen, Stamp, WalkState

RULES = 1
"""Raised whenever content is judged by other rules than before, so that what an earlier walk found is not used."""

DEPTH = 256
"""Deepest nesting of folders that is followed."""

_CACHE_TAG = "CACHEDIR.TAG"
_CACHE_BYTES = 1 << 18
"""Of such a file that is read; it says what it says in its first line."""
_CACHE_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
"""How programs mark folders that hold nothing but what they can compute again (bford.info/cachedir); ours does so too."""

_DOCUMENTATION_SITES = (
    ("DocC", ("documentation", "data", "index.html")),
    ("jazzy", ("undocumented.json", "index.html")),
    ("jazzy", ("search.json", "index.html", "docsets")),
    ("Doxygen", ("doxygen.css", "index.html")),
    ("Sphinx", ("objects.inv", "index.html")),
    ("Javadoc", ("element-list", "index.html")),
    ("Javadoc", ("package-list", "index.html")),
    ("TypeDoc", ("modules.html", "hierarchy.html")),
    ("mdBook", ("searchindex.json", "index.html", "print.html")),
)
"""Documentation tool and the names that stand in the folder that it writes."""

_PAGE = re.compile(r"(?i).*\.(?:html?|js|mjs|css|json|xml|txt|map)")
"""Files of such a folder that its tool wrote; what else lies there was put there by people."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A folder at one moment."""

    root: str
    files: tuple[SourceFile, ...]
    """All entries, by path. ``INDEXED`` means: to be indexed; parsing may still fail."""
    state: WalkState
    read: int
    """Files whose content was read, because nothing was known about it."""

    @property
    def candidates(self) -> tuple[SourceFile, ...]:
        return tuple(file for file in self.files if file.status is FileStatus.INDEXED)

    @property
    def blobs(self) -> Mapping[str, str]:
        """Git's name for the content of each candidate."""
        return {file.path: self.state.files[file.path].blob for file in self.candidates}


def walk(
    root: str | Tree, *, include_dependencies: bool = False, previous: WalkState | None = None, report: Callable[[int], None] | None = None
) -> Walk:
    """Look at every file below a folder.

    Args:
        root: The folder, which may itself be reached through a symbolic link, or another tree of files.
        include_dependencies: Also take what package managers fetched; it gets the role ``DEPENDENCY``.
        previous: State of an earlier walk over the same folder; files that cannot have changed since are not read.
        report: Called after each folder with the number of entries seen so far; what it raises ends the walk.

    Raises:
        UsageError: ``root`` is no folder or cannot be read.

    """
    rules = _fingerprint_of_rules()
    started = time.time_ns()
    known = previous if previous is not None and previous.rules == rules else WalkState(rules, 0)
    tree = FolderTree(root) if isinstance(root, str) else root
    journey = _Journey(tree, known, include_dependencies=include_dependencies)
    try:
        with tree.open(""):
            pass
    except Unreadable as error:
        raise UsageError(f"{tree.root} cannot be indexed: {error}", hint="Name a folder that exists and that you may read.") from None
    pending = [_Folder("")]
    while pending:
        pending.extend(journey.look_into(pending.pop()))
        if report is not None:
            report(len(journey.files))
    return journey.finish(started)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder still to be looked into, and what holds in it."""

    path: str
    layers: tuple[ignore.Layer, ...] = ()
    own: tuple[ignore.Layer, ...] = ()
    """Layers of ``.exegesisignore``, which outweigh the others."""
    roles: FileRole = FileRole.NONE
    site: str = ""
    """The documentation tool that wrote it."""
    depth: int = 0
    only: tuple[str, ...] = ()
    """If not empty, the only entries of it that are wanted."""


@dataclass(slots=True)
class _Journey:
    """One walk under way."""

    tree: Tree
    known: WalkState
    include_dependencies: bool
    files: dict[str, SourceFile] = field(default_factory=dict)
    seen: dict[str, Seen] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    licence: str = ""
    """Of the root."""
    read: int = 0

    def look_into(self, folder: _Folder) -> list[_Folder]:
        """Account for the files of a folder; returns the folders in it that are to be looked into."""
        try:
            with self.tree.open(folder.path) as opened:
                self.folders.append(folder.path)
                return self._look_at(folder, opened, opened.entries())
        except (Unreadable, OSError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            self._leave(folder.path + "/", FileStatus.FAILED, f"folder: {reason}")
            return []

    def _look_at(self, folder: _Folder, opened: Folder, entries: Mapping[bytes, Entry]) -> list[_Folder]:
        names = {path_of(raw) for raw in entries}
        if folder.path and _CACHE_TAG in names and _is_cache(opened):
            return self._leave(folder.path + "/", FileStatus.SKIPPED, "cache folder (it says so itself)")
        folder = replace(folder, site=folder.site or _site(names))
        try:
            folder = self._with_layers(self._with_licence(folder, opened, names), opened, entries)
        except ignore.Unheeded as error:
            if not folder.path:
                raise UsageError(
                    f"{self.tree.root} is not indexed: {error}, so what is to be left out is not known.",
                    hint="Mend that file; what need not be told to git can be said in .exegesisignore.",
                ) from None
            return self._leave(folder.path + "/", FileStatus.FAILED, f"folder: {error}, so what is to be left out is not known")
        prefix = f"{folder.path}/" if folder.path else ""
        inner: list[_Folder] = []
        for raw, entry in sorted(entries.items()):
            name = path_of(raw)
            path = prefix + name
            if folder.only and name not in folder.only:
                continue
            if path in self.files or (raw != name.encode() and name.encode() in entries):
                # Its escaped name is another file's real one. Only one of them can be called so.
                self._leave(
                    f"{path} ({len(self.files)})", FileStatus.SKIPPED, "another file has the same name once bytes that are no text are spelled out"
                )
            elif entry.is_folder():
                inner.extend(self._enter(folder, path, name, names))
            else:
                self._account(folder, opened, path, (raw, entry))
        return inner[::-1]

    def _with_licence(self, folder: _Folder, opened: Folder, names: set[str]) -> _Folder:
        """The folder, known as somebody else's if its licence says so."""
        name = next((name for name in sorted(names) if licence.FILE.fullmatch(name)), None)
        if name is None:
            return folder
        try:
            text = opened.read(name.encode(), limit=licence.LIMIT_BYTES).decode("utf-8", "replace")
        except Unreadable:
            return folder
        if not folder.path:
            self.licence = text
        elif licence.is_foreign(text, self.licence, names):
            return replace(folder, roles=folder.roles | FileRole.VENDORED)
        return folder

    def _with_layers(self, folder: _Folder, opened: Folder, entries: Mapping[bytes, Entry]) -> _Folder:
        prefix = f"{folder.path}/" if folder.path else ""
        layers, own = folder.layers, folder.own
        if not folder.path:
            layers += self._layer("", ignore.EXCLUDE_FILE, None)
        if _holds(entries, ignore.GIT_FILE):
            layers += self._layer(prefix, ignore.GIT_FILE, opened)
        if _holds(entries, ignore.OWN_FILE):
            own += self._layer(prefix, ignore.OWN_FILE, opened)
        return replace(folder, layers=layers, own=own)

    def _layer(self, prefix: str, name: str, opened: Folder | None) -> tuple[ignore.Layer, ...]:
        try:
            if opened is None:
                content = self.tree.read(f"{prefix}{name}", limit=ignore.LIMIT_BYTES)
            else:
                content = opened.read(name.encode(), limit=ignore.LIMIT_BYTES)
        except Absent:
            return ()
        except Unreadable as error:
            raise ignore.Unheeded(f"{prefix}{name} cannot be read ({error})") from None
        try:
            layer = ignore.read_layer(prefix, content.decode("utf-8-sig", "replace"), f"{prefix}{name}")
        except ignore.Unheeded as error:
            raise ignore.Unheeded(f"{prefix}{name} {error}") from None
        return (layer,) if layer else ()

    def _enter(self, folder: _Folder, path: str, name: str, siblings: set[str]) -> list[_Folder]:
        """What is to be done about a folder in a folder."""
        slashed = path + "/"
        wanted, source = ignore.verdict(folder.own, slashed)
        if wanted:
            return self._leave(slashed, FileStatus.SKIPPED, f"ignored by {source}")
        if folder.depth >= DEPTH:
            return self._leave(slashed, FileStatus.SKIPPED, f"nested deeper than {DEPTH} folders")
        inner = replace(folder, path=path, depth=folder.depth + 1, only=())
        known = ignore.known_folder(name, siblings)
        ignored, by = ignore.verdict(folder.layers, slashed)
        if wanted is False:
            # Whatever hid the folder would hide its files as well.
            dependency = FileRole.DEPENDENCY if known and known.kind is ignore.FolderKind.DEPENDENCY else FileRole.NONE
            return [replace(inner, layers=() if ignored else folder.layers, roles=folder.roles | dependency)]
        if known is not None and known.kind is ignore.FolderKind.DEPENDENCY and self.include_dependencies:
            # Its own ignore files hold in it; those around it would hide all of it.
            return [replace(inner, layers=(), roles=folder.roles | FileRole.DEPENDENCY, only=known.sources)]
        if known is not None:
            return self._leave(
                slashed, FileStatus.SKIPPED, f"{known.kind} folder ({known.reason})", roles=_ROLE_OF_KIND.get(known.kind, FileRole.NONE)
            )
        if ignored:
            return self._leave(slashed, FileStatus.SKIPPED, f"ignored by {by}")
        return [inner]

    def _account(self, folder: _Folder, opened: Folder, path: str, found: tuple[bytes, Entry]) -> None:
        """Everything that is no folder."""
        name, entry = found
        reason = self._unwanted(folder, path, name, entry)
        if reason:
            self._leave(path, FileStatus.SKIPPED, reason, roles=folder.roles | (FileRole.GENERATED if folder.site else FileRole.NONE))
            return
        claimed = claim(path)
        if isinstance(claimed, str):
            self._leave(path, FileStatus.SKIPPED, claimed, roles=folder.roles)
            return
        try:
            stamp = entry.stamp()
        except Unreadable as error:
            self._leave(path, FileStatus.FAILED, str(error))
            return
        if stamp.size > claimed.limit:
            roles = folder.roles | role_of_path(path)
            self._leave(path, FileStatus.SKIPPED, f"larger than {claimed.limit >> 10:,} KiB", size=stamp.size, roles=roles)
            return
        seen = self.known.known(path, stamp)
        if seen is None:
            try:
                content = opened.read(name, limit=claimed.limit)
            except Unreadable as error:
                self._leave(path, FileStatus.FAILED, str(error), size=stamp.size, roles=folder.roles | role_of_path(path))
                return
            self.read += 1
            seen = _see(path, claimed, content, stamp)
        self.seen[path] = seen
        roles = seen.roles | folder.roles if folder.roles else seen.roles
        self.files[path] = SourceFile(path, seen.digest, stamp.size, claimed.language, roles, seen.status, seen.reason)

    def _unwanted(self, folder: _Folder, path: str, name: bytes, entry: Entry) -> str:
        """Why an entry is passed over without a look at its content; empty if it is not."""
        if entry.is_link():
            return "symbolic link"
        if not entry.is_file():
            return entry.kind()
        if name == b".git":
            return "version control"
        ignored, source = ignore.verdict(folder.own, path)
        if ignored is None:
            ignored, source = ignore.verdict(folder.layers, path)
        if ignored:
            return f"ignored by {source}"
        return f"generated documentation ({folder.site})" if folder.site and _PAGE.fullmatch(path) else ""

    def _leave(self, path: str, status: FileStatus, reason: str, *, size: int = 0, roles: FileRole = FileRole.NONE) -> list[_Folder]:
        self.files[path] = SourceFile(path, "", size, "", roles, status, reason)
        return []

    def finish(self, started: int) -> Walk:
        old = superseded_folders(self.folders)
        if old:
            for path, file in self.files.items():
                entry = path.removesuffix("/")
                if entry in old or entry.rpartition("/")[0] in old:
                    self.files[path] = replace(file, roles=file.roles | FileRole.SUPERSEDED)
        ordered = tuple(self.files[path] for path in sorted(self.files))
        return Walk(self.tree.root, ordered, WalkState(self.known.rules, started, self.seen), self.read)


_ROLE_OF_KIND = {ignore.FolderKind.DEPENDENCY: FileRole.DEPENDENCY, ignore.FolderKind.BUILD: FileRole.GENERATED}


def _see(path: str, claimed: Claim, content: bytes, stamp: Stamp) -> Seen:
    judged = judge(path, claimed, content)
    blob = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    blob.update(content)
    return Seen(stamp, hashlib.sha256(content).hexdigest(), blob.hexdigest(), judged.status, judged.roles, judged.reason)


def _holds(entries: Mapping[bytes, Entry], name: str) -> bool:
    """Whether there is a file of that name. Git heeds no link, and nothing else that may be called so."""
    entry = entries.get(name.encode())
    return entry is not None and not entry.is_link() and entry.is_file()


def _site(names: set[str]) -> str:
    return next((tool for tool, signs in _DOCUMENTATION_SITES if names.issuperset(signs)), "")


def _is_cache(folder: Folder) -> bool:
    try:
        return folder.read(_CACHE_TAG.encode(), limit=_CACHE_BYTES).startswith(_CACHE_SIGNATURE)
    except Unreadable:
        return False


def _fingerprint_of_rules() -> str:
    spoken = [(name, language.version, language.suffixes, language.filenames) for name, language in sorted(languages().items())]
    return hashlib.sha256(repr((RULES, claims.CODE_BYTES, claims.TEXT_BYTES, spoken)).encode()).hexdigest()[:16]
