"""Which build target each file belongs to, as far as the manifests of its language tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from exegesis.model import SourceFile
from services.indexer.decode import Undecodable, decode
from services.indexer.language import languages
from services.indexer.read import Unreadable
from services.indexer.tree import Tree

MANIFEST_BYTES = 1 << 20


def with_modules(tree: Tree, files: Sequence[SourceFile]) -> list[SourceFile]:
    """The same files, each with its module. A manifest that cannot be read counts as none."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for file in files:
        if file.language:
            paths[file.language].append(file.path)
    modules: dict[str, str] = {}
    for name, language in languages().items():
        if paths[name] and language.manifests:
            wanted = [file.path for file in files if file.digest and file.path.rpartition("/")[2] in language.manifests]
            manifests = {path: text for path in wanted if (text := _text(tree, path)) is not None}
            modules |= language.modules(manifests, paths[name])
    return [replace(file, module=modules.get(file.path, "")) for file in files]


def _text(tree: Tree, path: str) -> str | None:
    try:
        return decode(tree.read(path, limit=MANIFEST_BYTES)).text
    except (Unreadable, Undecodable):
        return None
