"""Build targets from the text of ``Package.swift``, which is parsed and never run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_TARGET = re.compile(r"(?:[a-z]\w*)?[tT]arget|macro|plugin")
"""Names of the calls that make a target: ``.target``, ``.executableTarget``, ``.testTarget``, and the like of a manifest's own making."""

_SOURCES = ("Sources", "Source", "src", "srcs")
_TESTS = ("Tests", "Sources", "Source", "src", "srcs")
_PLUGINS = ("Plugins",)
"""Where the package manager looks for a target without a written path."""


@dataclass(frozen=True, slots=True)
class Target:
    name: str
    path: str
    """Relative to the package, empty when not written."""
    maker: str


def read_targets(root: Node, content: bytes) -> list[Target]:
    """The targets that a parsed manifest declares. Names and paths that are computed are left out, but for constants.

    A path may be given to a target later: ``core.path = "Sources"``.
    """
    constants: dict[str, str] = {}
    targets: list[Target] = []
    called: dict[int, str] = {}  # by the byte at which its call begins, the constant that is a target
    places: dict[str, int] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        kind = node.type
        children = node.children
        if kind == "property_declaration":
            _remember(children, content, constants)
            if len(names := [child for child in children if child.type == "pattern"]) == 1:
                called[children[-1].start_byte] = _text(names[0], content)
        elif kind == "assignment" and len(children) == 3:
            name, _, written = _text(children[0], content).rpartition(".")
            path = _constant(children[2], content, constants) if written == "path" and name in places else None
            if path is not None:
                targets[places[name]] = replace(targets[places[name]], path=path.strip("/"))
        elif kind == "value_argument" and children[0].type == "value_argument_label" and _text(children[0], content) == "dependencies":
            continue
        elif kind == "call_expression":
            target = _target(children, content, constants)
            if target is not None:
                places[called.get(node.start_byte, "")] = len(targets)
                targets.append(target)
        stack.extend(reversed(children))
    return targets


def _target(children: Sequence[Node], content: bytes, constants: Mapping[str, str]) -> Target | None:
    callee = children[0]
    if callee.type not in {"prefix_expression", "navigation_expression"}:
        return None
    maker = _text(callee, content).rpartition(".")[2].strip()
    if not _TARGET.fullmatch(maker):
        return None
    named: dict[str, str] = {}
    for arguments in children[-1].children:
        for argument in arguments.children:
            parts = argument.children
            if argument.type == "value_argument" and parts[0].type == "value_argument_label":
                value = _constant(parts[-1], content, constants)
                if value is not None:
                    named[_text(parts[0], content)] = value
    name = named.get("name", "")
    return Target(name, named.get("path", "").strip("/"), maker) if name else None


def _remember(children: Sequence[Node], content: bytes, constants: dict[str, str]) -> None:
    names = [child for child in children if child.type == "pattern"]
    if len(names) == 1:
        value = _constant(children[-1], content, constants)
        if value is not None:
            constants[_text(names[0], content)] = value


def _constant(node: Node, content: bytes, constants: Mapping[str, str]) -> str | None:
    """Value of a string literal, of a constant, or of a literal that interpolates constants."""
    if node.type == "simple_identifier":
        return constants.get(_text(node, content))
    if node.type != "line_string_literal":
        return None
    parts: list[str] = []
    for child in node.children:
        if child.type == "line_str_text":
            parts.append(_text(child, content))
        elif child.type == "interpolated_expression":
            value = constants.get(_text(child, content))
            if value is None:
                return None
            parts.append(value)
    return "".join(parts)


def _text(node: Node, content: bytes) -> str:
    return content[node.start_byte : node.end_byte].decode("utf-8", "replace")


def place_targets(package: str, targets: Sequence[Target], folders: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(folder, module name) of each target of the package in folder ``package``; ``folders`` are those that exist."""
    for target in targets:
        if target.path:
            candidates = [_join(package, "" if target.path == "." else target.path.removeprefix("./"))]
        else:
            defaults = _PLUGINS if target.maker == "plugin" else _TESTS if "test" in target.maker.lower() else _SOURCES
            # Some packages keep a target in a folder of its name and reach it by links.
            candidates = [*(_join(package, folder, target.name) for folder in defaults), _join(package, target.name)]
        folder = next((candidate for candidate in candidates if candidate in folders or not candidate), None)
        if folder is not None:
            yield folder, re.sub(r"\W", "_", target.name)


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def assign(paths: Sequence[str], placed: Mapping[str, str]) -> dict[str, str]:
    """Module of each path: that of the innermost folder with one."""
    found: dict[str, str] = {}
    for path in paths:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            module = placed.get(folder)
            if module is not None:
                found[path] = module
                break
    return found


def folders_of(paths: Sequence[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
