"""What the linker must know of a family of languages: a table, for all that is particular to one and cannot be told from the facts of a file.

Languages of one family name each other's declarations; those of different families never do, so each family has a symbol table of its own. A language
without a row here is a family of its own, and is linked like Swift, which is the strictest: labels must fit and modules hide what is not imported.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from exegesis.model import Symbol
from services.graph.fit import spare_by_keyword, spare_of_anything, spare_parameters
from services.graph.modules import ModuleSystem
from services.graph.modules.copies import CopyMembers
from services.graph.modules.packages import FolderPackages
from services.graph.modules.python import PythonModules
from services.graph.modules.script import ScriptModules
from services.graph.rules import COMMON
from services.graph.standard import COMMON_IN_PYTHON, COMMON_IN_SCRIPT, LIBRARY_OF_C, SINGLETONS, SUPERTYPES

PROSE = "prose"
"""The family of documents: they mention declarations of every other."""

Fit = Callable[[Symbol, Sequence[str], int], int | None]
"""How many parameters are left to their defaults by a call with these labels and so many trailing closures; None if it does not fit."""


class Sight(enum.Enum):
    """From where a declaration at the top level of a file can be named without an import, and where members of a type may stand."""

    MODULE = "module"
    """The same build target, and targets that import it; members stand in extensions anywhere."""
    PACKAGE = "package"
    """Files of the same module (or, where modules are unknown, of the same folder)."""
    FILE = "file"
    PROGRAM = "program"
    """Everywhere, unless it is private."""


@dataclass(frozen=True, slots=True)
class Dialect:
    family: str
    sight: Sight = Sight.MODULE
    modules: ModuleSystem | None = None
    """How the modules that bindings name are found; None where imports bind no names."""
    fit: Fit = spare_parameters
    """Whether arguments fit parameters."""
    initializer: str = "init"
    """What initialisers are called when they are called by name."""
    ignores_case: bool = False
    programs: bool = False
    """Names lead through prototypes and program objects, not through types: linked by :mod:`services.graph.programs`."""
    members: bool = False
    """A file is a program or a module and bears its name, or is a piece that is copied into these."""
    implicit_self: bool = True
    """A bare name may be a member of the type around it."""
    has_operators: bool = True
    """Operators can be declared."""
    last_counts: bool = False
    """Of several declarations of one name in one place the last is meant: it replaces the others when it runs, or implements them."""
    holds_functions: bool = False
    """A variable that is called stands for the function or class that it was given."""
    marks_overrides: bool = True
    """What overrides says so."""
    structural: bool = False
    """A type that has the methods which an interface asks for satisfies it without saying so."""
    prototypes: bool = False
    """A declaration without code stands for the one that has it, which may be in another file."""
    pointers: bool = False
    """An element of what a pointer points to has the type that the pointer is written with."""
    objects: bool = False
    """Functions may have members of their own, as types have static ones."""
    hooks: re.Pattern[str] = re.compile(r"(?!)")
    """Names of functions that run without being called: the language's runtime does, by their names."""
    common: frozenset[str] = COMMON
    """Names that libraries use as well: on an unknown receiver they say nothing."""
    library: frozenset[str] = frozenset()
    """Names that every file has from the language's library: a declaration of the project that bears one is meant only in its folder, and where the
    file that has it is included."""
    supertypes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Of the library's types, as far as projects extend them."""
    singletons: frozenset[str] = frozenset()
    """Static members of the library's types that are values of the type itself."""

    @property
    def labels_tell(self) -> bool:
        """Calls bear the labels of parameters, so that one that fits says more than how many arguments there are."""
        return self.fit is spare_parameters


_PYTHON = Dialect(
    "python",
    sight=Sight.FILE,
    modules=PythonModules(),
    fit=spare_by_keyword,
    initializer="__init__",
    implicit_self=False,
    has_operators=False,
    last_counts=True,
    holds_functions=True,
    marks_overrides=False,
    hooks=re.compile(r"__\w+__"),
    common=COMMON_IN_PYTHON,
)
_SCRIPT = Dialect(
    "javascript",
    sight=Sight.FILE,
    modules=ScriptModules(),
    fit=spare_of_anything,
    initializer="constructor",
    implicit_self=False,
    has_operators=False,
    last_counts=True,
    holds_functions=True,
    marks_overrides=False,
    objects=True,
    common=COMMON_IN_SCRIPT,
)
_GO = Dialect(
    "go",
    sight=Sight.PACKAGE,
    modules=FolderPackages(),
    fit=spare_of_anything,
    implicit_self=False,
    has_operators=False,
    marks_overrides=True,  # a method of an embedding type hides that of the embedded one, and is never run in its place
    structural=True,
    hooks=re.compile(r"init"),
)
_C = Dialect(
    "c",
    sight=Sight.PROGRAM,
    fit=spare_of_anything,
    has_operators=False,
    marks_overrides=False,
    initializer="",
    prototypes=True,
    pointers=True,
    library=LIBRARY_OF_C,
)
_RPG = Dialect(
    "rpg",
    sight=Sight.PROGRAM,
    modules=CopyMembers(),
    fit=spare_of_anything,
    ignores_case=True,
    programs=True,
    implicit_self=False,
    has_operators=False,
)
_MEMBER = replace(_RPG, members=True)

DIALECTS: Mapping[str, Dialect] = {
    "python": _PYTHON,
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": _GO,
    "c": _C,
    "cpp": _C,
    "objective-c": _C,
    "rpg": _MEMBER,
    "cl": _MEMBER,
    "dds": _RPG,
    "sql": _RPG,
    "cmd": _RPG,
    "bnd": _RPG,
    "markdown": Dialect(PROSE),
    "restructuredtext": Dialect(PROSE),
}
"""By the name of the language."""


def dialect_of(language: str) -> Dialect:
    """How a language is linked. Languages that are not in the table are families of their own, each under its name."""
    known = DIALECTS.get(language)
    if known is not None:
        return known
    return Dialect(language, supertypes=SUPERTYPES, singletons=SINGLETONS)
