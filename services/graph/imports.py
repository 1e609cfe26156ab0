"""What imports bind names to: declarations of other files, through as many re-exports as there are, or modules as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import Binding, Symbol, SymbolKind
from services.graph.modules import Files, ModuleSystem

ALL = "*"
DEFAULT = "default"
"""The name of what a module exports without a name."""

_FARTHEST = 12
"""Re-exports followed one after the other; longer rows are circles."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a name stands for. Neither symbols nor a module: something outside of the project."""

    symbols: tuple[Symbol, ...] = ()
    """Declarations of one file, or of one package, that bear the name."""
    module: tuple[str, ...] = ()
    """Files of the module that the name stands for."""

    @property
    def is_external(self) -> bool:
        return not self.symbols and not self.module


ELSEWHERE = Bound()


def file_key(name: str) -> str:
    """The question which files can be asked for by a name."""
    return f"I:{name}"


def bindings_key(path: str) -> str:
    """The question which names a file binds."""
    return f"B:{path}"


class Imports:
    """Bindings of the files of one family."""

    def __init__(
        self,
        bindings: Mapping[str, Sequence[Binding]],
        modules: Mapping[str, str],
        system: ModuleSystem,
        consult: Callable[[str], None],
        top_level: Callable[[str], Sequence[Symbol]],
    ) -> None:
        """``consult`` is told of every question, ``top_level`` knows the declarations of a name outside of any other."""
        self._bindings = {path: _by_name(each) for path, each in bindings.items()}
        self._system = system
        self._consult = consult
        self._top_level = top_level
        self._files = Files(modules, system, lambda name: consult(file_key(name)))

    def bound(self, name: str, path: str) -> Bound | None:
        """What a file's imports bind a name to; None if no import of the file does, as far as the project tells."""
        return self._bound(name, path, {(path, name)})

    def inside(self, module: Sequence[str], name: str) -> Bound | None:
        """What a name means as a member of a module of the project."""
        return self._inside(module, name, set())

    def _bound(self, name: str, path: str, seen: set[tuple[str, str]]) -> Bound | None:
        self._consult(bindings_key(path))
        known = self._bindings.get(path)
        if known is None:
            return None
        found: Bound | None = None
        for binding in known.get(name, ()):  # of several, as in an import that is tried before another, one that leads to the project
            found = self._target(binding, path, seen)
            if not found.is_external:
                return found
        if found is not None:
            return found
        for binding in known.get(ALL, ()):
            module = self._system.find(binding.module, path, self._files)
            found = self._inside(module, name, seen) if module and name != DEFAULT else None
            if found is not None and not found.is_external:
                return found
        return None

    def _inside(self, module: Sequence[str], name: str, seen: set[tuple[str, str]]) -> Bound | None:
        symbols = [each for each in self._top_level(name) if each.path in module and each.kind is not SymbolKind.HEADING]
        if symbols:
            return Bound(tuple(symbols))
        for path in module:
            if (path, name) in seen or len(seen) > _FARTHEST:
                continue
            found = self._bound(name, path, {*seen, (path, name)})
            if found is not None:
                return found
        inner = self._system.inner(module, name, self._files)
        return Bound(module=inner) if inner else None

    def _target(self, binding: Binding, path: str, seen: set[tuple[str, str]]) -> Bound:
        if not binding.module:
            return self._own(binding, path, seen)
        module = self._system.find(binding.module, path, self._files)
        if not binding.member or binding.member == ALL:
            return Bound(module=module)
        found = self._inside(module, binding.member, seen) if module else None
        if found is None and binding.member == DEFAULT and module:
            return Bound(module=module)  # what is exported is the module itself
        if found is None:
            found = self._submodule(binding, path)
        return found or ELSEWHERE

    def _own(self, binding: Binding, path: str, seen: set[tuple[str, str]]) -> Bound:
        """Another name of something that the file declares, or has from an import itself."""
        declared = [each for each in self._top_level(binding.member) if each.path == path]
        if declared:
            return Bound(tuple(declared))
        if (path, binding.member) in seen or len(seen) > _FARTHEST:
            return ELSEWHERE
        return self._bound(binding.member, path, {*seen, (path, binding.member)}) or ELSEWHERE

    def _submodule(self, binding: Binding, path: str) -> Bound | None:
        """``from a import b`` where ``b`` is a module in a folder ``a`` that is no module itself."""
        separator = "" if binding.module.endswith(".") else "."
        module = self._system.find(f"{binding.module}{separator}{binding.member}", path, self._files)
        return Bound(module=module) if module else None


def _by_name(bindings: Sequence[Binding]) -> dict[str, list[Binding]]:
    """Those of one name with the last one first."""
    found: dict[str, list[Binding]] = {}
    for each in reversed(bindings):
        found.setdefault(each.name, []).append(each)
    return found
