"""Finding the files that a store speaks of in a repository, when the store was made on another machine or in another folder.

A store names files by the absolute paths of the machine that built. In this order:

1. Prefixes that a person gave (``/builds/app=/home/me/app``) are replaced, the longest first.
2. A path below the root of the repository is the rest of it; or what it leads to, where it is a symbolic link to a file of the repository (a
   package may gather its sources that way); or none of ours where the repository has no such file.
3. Otherwise heads are learned: a path and a file of the repository that end in the same components vote for the pair of what stands before in
   either (``/builds/app`` and nothing). The pair with the most votes is believed first; a pair whose foreign head lies inside a believed one is
   not, for it is how the checkout of a dependency looks; and a file of the repository is found in one way only. So one file of a common name
   cannot be taken for another when the rest of the store says where the repository was.
4. What is still not found may be a link in the repository as it is here (rule 2), at the longest end of the path that leads to one of its files.

What is found is a name only: whether the text is the same is for ``freshness`` to say.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

Head = tuple[str, str]
"""What stands before the common end: on the building machine, and in the repository ("" for its root)."""

_LEAST_COMPONENTS = 2
"""Of a common end that a single vote may rest on, unless it is the whole path in the repository: a file name alone says too little."""
_MAX_CANDIDATES = 200
"""Files of one name that are compared with a path; ``index.js`` may exist thousands of times."""
_MAX_LENGTH = 4096
"""Of a path, in characters: longer ones exist on no file system that people build on."""
_MAX_COMPONENTS = 24
"""At the end of a path that are looked for as links: the deepest sources of large repositories lie below about fifteen folders."""


def find_in_repository(
    built: Iterable[str],
    known: Iterable[str],
    *,
    root: str,
    prefixes: Sequence[tuple[str, str]] = (),
    resolve: Callable[[str], str] = posixpath.normpath,
) -> Mapping[str, str]:
    """Path in the repository of each path of the building machine that could be found.

    ``known`` are the paths of the repository, relative to ``root``, an absolute path; ``prefixes`` are pairs of old and new absolute prefixes;
    ``resolve`` follows the symbolic links of an absolute path, and may give back what it gets.
    """
    files, real_root = frozenset(known), resolve(root)
    by_name: dict[str, list[str]] = {}
    for path in sorted(files):
        by_name.setdefault(posixpath.basename(path), []).append(path)
    found: dict[str, str] = {}
    foreign: dict[str, dict[Head, int]] = {}
    for path in dict.fromkeys(path for path in built if len(path) <= _MAX_LENGTH):
        here = _replace_prefix(path, prefixes)
        local = _below(root, here)
        if local not in files:
            linked = _below(real_root, resolve(here))
            local = linked if linked is not None else local
        if local is None:
            foreign[path] = _heads(path, by_name.get(posixpath.basename(path), ())[:_MAX_CANDIDATES])
        elif local in files:
            found[path] = local
    believed = _believe(foreign)
    chosen = {path: min((pair for pair in heads if pair in believed), key=believed.__getitem__, default=None) for path, heads in foreign.items()}
    owners: dict[str, Head | None] = dict.fromkeys(found.values(), (root, ""))
    for path, pair in sorted(chosen.items(), key=lambda item: believed[item[1]] if item[1] else len(believed)):
        local = _linked(path, root, real_root, resolve) if pair is None else posixpath.join(pair[1], path[len(pair[0]) :].lstrip("/"))
        if local in files and owners.setdefault(local, pair) == pair:
            found[path] = local
    return found


def _linked(path: str, root: str, real_root: str, resolve: Callable[[str], str]) -> str:
    """What the longest end of a path that is a symbolic link in the repository leads to; "" where none is."""
    parts = path.strip("/").split("/")
    for start in range(max(len(parts) - _MAX_COMPONENTS, 0), len(parts) - _LEAST_COMPONENTS + 1):
        end = "/".join(parts[start:])
        target = _below(real_root, resolve(posixpath.join(root, end)))
        if target and target != end:
            return target
    return ""


def _replace_prefix(path: str, prefixes: Sequence[tuple[str, str]]) -> str:
    for old, new in sorted(prefixes, key=lambda pair: -len(pair[0])):
        rest = _below(old, path)
        if rest is not None:
            return posixpath.join(new, rest)
    return posixpath.normpath(path)


def _below(folder: str, path: str) -> str | None:
    """The rest of a path below a folder, None if it is not below it."""
    folder, path = posixpath.normpath(folder), posixpath.normpath(path)
    return path[len(folder) :].lstrip("/") if path.startswith(folder.rstrip("/") + "/") else None


def _heads(path: str, candidates: Sequence[str]) -> dict[Head, int]:
    """The heads of a path and each of the candidates, with the number of components at the end that they have in common."""
    parts = PurePosixPath(path).parts
    heads: dict[Head, int] = {}
    for candidate in candidates:
        local = PurePosixPath(candidate).parts
        common = 0
        while common < min(len(parts), len(local)) and parts[-1 - common] == local[-1 - common]:
            common += 1
        if common >= _LEAST_COMPONENTS or common == len(local):
            heads[posixpath.join(*parts[:-common]) if common < len(parts) else "", posixpath.join("", *local[: len(local) - common])] = common
    return heads


def _believe(foreign: Mapping[str, Mapping[Head, int]]) -> Mapping[Head, int]:
    """The pairs of heads that are believed, each with its rank: by votes, then by the length of what they have in common."""
    votes: Counter[Head] = Counter()
    lengths: dict[Head, int] = {}
    for heads in foreign.values():
        for pair, common in heads.items():
            votes[pair] += 1
            lengths[pair] = max(common, lengths.get(pair, 0))
    believed: dict[Head, int] = {}
    foreign_heads: set[str] = set()
    for pair in sorted(votes, key=lambda pair: (-votes[pair], -lengths[pair], pair)):
        if not any(str(folder) in foreign_heads for folder in PurePosixPath(pair[0]).parents):
            believed[pair] = len(believed)
            foreign_heads.add(pair[0])
    return believed
