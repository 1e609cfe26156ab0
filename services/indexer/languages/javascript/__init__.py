"""JavaScript, TypeScript and TSX, on the grammars of tree-sitter: one reader for three grammars that share their names for nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from services.indexer.language import Language, Source, Syntax


class JavaScript(Language):
    """Modules of either kind, scripts, and JSX."""

    name = "javascript"
    suffixes = (".js", ".jsx", ".mjs", ".cjs")
    version = 1
    manifests = ("package.json",)

    def parse(self, source: Source) -> Syntax:
        import tree_sitter_javascript

        from services.indexer.languages.javascript.source import read

        return read(source, tree_sitter_javascript.language())

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        return packages_of(manifests, paths)


class TypeScript(Language):
    name = "typescript"
    suffixes = (".ts", ".mts", ".cts")
    version = 2
    manifests = ("package.json",)

    def parse(self, source: Source) -> Syntax:
        import tree_sitter_typescript

        from services.indexer.languages.javascript.source import read

        return read(source, tree_sitter_typescript.language_typescript())

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        return packages_of(manifests, paths)


class Tsx(Language):
    """TypeScript with markup, in which type assertions are written differently."""

    name = "tsx"
    suffixes = (".tsx",)
    version = 2
    manifests = ("package.json",)

    def parse(self, source: Source) -> Syntax:
        import tree_sitter_typescript

        from services.indexer.languages.javascript.source import read

        return read(source, tree_sitter_typescript.language_tsx())

    def modules(self, manifests: Mapping[str, str], paths: Sequence[str]) -> Mapping[str, str]:
        return packages_of(manifests, paths)


def packages_of(manifests: Mapping[str, str], paths: Sequence[str]) -> dict[str, str]:
    """The name of the nearest package around each path that says one."""
    names = {}
    for path, text in manifests.items():
        try:
            manifest = json.loads(text)
        except (ValueError, RecursionError):
            continue
        name = manifest.get("name") if isinstance(manifest, dict) else None
        if isinstance(name, str) and name:
            names[path.rpartition("/")[0]] = name
    found = {}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in names:
            folder = folder.rpartition("/")[0]
        if folder in names:
            found[path] = names[folder]
    return found
