"""An incremental generation equals a clean one, table by table, after any edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import Binding, Chain, FileRole, Modifier, Parameter, ReferenceKind, Step, StepKind, Symbol, SymbolKind
from services.graph.api import Pin
from services.graph.change import contexts_of
from services.graph.linker import Linker
from services.graph.local import LocalGraph
from tests.fakes.code import IMPLICIT, INDEX, SELF, SUPER, UNKNOWN, Code, called, instance, metatype, name, shifted

REPOSITORY = "shop"
PATHS = ("a", "b", "c", "d/e", "d/f")
PYTHON_PATHS = ("p/__init__.py", "p/m.py", "p/n.py", "m.py", "p/q/__init__.py", "p/q/m.py")
SCRIPT_PATHS = ("m.ts", "m.js", "n/index.js", "n/m.ts", "README.md")
LANGUAGES = {"py": "python", "ts": "typescript", "js": "javascript", "md": "markdown"}
SHARED = ("alpha", "beta", "gamma")
"""Functions at the top level, of which each file has one and may import the others."""
TEXTS = ("m", "p", ".m", "p.q", "p.m", "..m", ".", "./m", "./n", "../m", "One", "")
OWNERS = ("Cart", "Item", "Store", "Base", "Cart", "Box")
TYPES = ("Cart", "Item", "Store", "Base", "Cart.Item", "String", "Array<Item>", "Box<Item>", "Function<Cart>", "Self", "Value", "One.Cart", "")
MEMBERS = ("total", "items", "reconcile", "shared")
NAMES = (*MEMBERS, *MEMBERS, *MEMBERS, "init", "Cart", "Item", "pending")
LABELS = (*[()] * 8, ("_",), ("in",), ("_", "to"))
MODULES = ("", "", "", "One", "Two")
TYPE_KINDS = (SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.PROTOCOL, SymbolKind.EXTENSION, SymbolKind.EXTENSION, SymbolKind.TYPEALIAS)
MEMBER_KINDS = (SymbolKind.METHOD, SymbolKind.METHOD, SymbolKind.PROPERTY, SymbolKind.INITIALIZER, SymbolKind.CASE, SymbolKind.SUBSCRIPT)
LOCAL_KINDS = (SymbolKind.FUNCTION, SymbolKind.FUNCTION, SymbolKind.VARIABLE, SymbolKind.OPERATOR, SymbolKind.CLOSURE)
MODIFIERS = (*[Modifier.NONE] * 5, Modifier.STATIC, Modifier.PRIVATE, Modifier.OVERRIDE)
CALL = ReferenceKind.CALL
TAKEN, GIVEN, LITERAL = Step(StepKind.ARGUMENT, "0"), Step(StepKind.PARAMETER, "0", ("element",)), Step(StepKind.LITERAL, "String")


def chain(dice: Random) -> Chain:
    """A receiver: most start at something whose type can be told."""
    first = dice.choice((SELF, SELF, SUPER, IMPLICIT, UNKNOWN, instance, instance, instance, metatype, metatype, name, called))
    root = first if isinstance(first, Step) else first(dice.choice(MEMBERS if first in {name, called} else TYPES[:-1]))
    further = (name, name, called, INDEX, TAKEN, GIVEN, IMPLICIT)
    steps = [each if isinstance(each, Step) else each(dice.choice(MEMBERS)) for each in dice.choices(further, k=dice.choice((0, 0, 0, 1, 2, 3)))]
    return (root, *steps)


def file_of(path: str, seed: int) -> Code:
    """A file of a few types with members, some top-level functions, and references between whatever there is.

    Drawn from a seed rather than piece by piece: what hypothesis finds simplest, empty files, would hardly ever be linked to one another.
    """
    dice = Random(seed)
    language = LANGUAGES.get(path.rpartition(".")[2], "test")
    binds = language in {"python", "javascript", "typescript"}
    code = Code(
        path,
        language=language,
        bindings=tuple(binding(dice) for _ in range(4)) if binds else (),
        imports=tuple(dice.sample(("One", "Two", "Foundation"), k=dice.choice((0, 1, 2)))),
    )
    if binds:
        source = code.declare(SymbolKind.FUNCTION, dice.choice(SHARED))
        for each in (*SHARED, "m"):
            code.call(source, each)
            code.call(source, dice.choice(SHARED), name(each))
    for _ in range(dice.choice((1, 2, 3))):
        inside = dice.choice([None, None, None, *(each for each in code.symbols if each.kind.is_type)])
        kind = dice.choice(TYPE_KINDS)
        owner = code.declare(
            kind,
            dice.choice(OWNERS if kind is not SymbolKind.EXTENSION else (*OWNERS, "String", "Cart.Item")),
            None if kind is SymbolKind.EXTENSION else inside,
            inherits=dice.sample(("Base", "Store", "Cart", "Item", "External"), k=dice.choice((0, 1, 1, 2))),
            generics=dice.choice(((), (("Value", ""),), (("Value", "Item"),))),
            type=dice.choice(TYPES) if kind is SymbolKind.TYPEALIAS else "",
            modifiers=dice.choice(MODIFIERS),
        )
        for _ in range(dice.choice((2, 4))):
            declare(dice, code, dice.choice(MEMBER_KINDS), owner)
    for _ in range(dice.choice((1, 2))):
        declare(dice, code, dice.choice(LOCAL_KINDS), dice.choice([None, *(each for each in code.symbols if each.kind.is_callable)]))
    for _ in range(dice.choice((8, 16))):
        labels = dice.choice(LABELS)
        code.refer(
            dice.choice((CALL, CALL, CALL, *ReferenceKind)),
            dice.choice(code.symbols),
            dice.choice(NAMES),
            *(() if dice.random() < 0.3 else chain(dice)),
            labels=labels,
            arguments=[dice.choice(((LITERAL,), chain(dice), (IMPLICIT, name(dice.choice(MEMBERS))))) for _ in labels],
            trailing=dice.choice((0, 0, 0, 1)),
            expected=dice.choice(TYPES),
        )
    return code


def binding(dice: Random) -> Binding:
    """Half of them give on what another file has."""
    shared = dice.choice((*SHARED, "*"))
    if dice.random() < 0.5:
        return Binding(shared, dice.choice(TEXTS[:-2]), shared)
    return Binding(dice.choice((*SHARED, *NAMES, "default", "m")), dice.choice(TEXTS), dice.choice((*SHARED, *NAMES, "", "", "m")))


def declare(dice: Random, code: Code, kind: SymbolKind, inside: Symbol | None) -> None:
    named = {SymbolKind.INITIALIZER: "init", SymbolKind.SUBSCRIPT: "subscript", SymbolKind.OPERATOR: "<~", SymbolKind.CLOSURE: "closure@1"}
    labels = dice.choice(LABELS) if kind.is_callable else ()
    valued = kind in {SymbolKind.PROPERTY, SymbolKind.VARIABLE}
    code.declare(
        kind,
        named.get(kind) or dice.choice(MEMBERS),
        inside,
        labels=labels,
        defaults=dice.choice(((), labels)),
        takes=[dice.choice((*TYPES, "Function<Cart, Item>")) for _ in labels],
        type=dice.choice(TYPES),
        modifiers=dice.choice(MODIFIERS),
        initializer=chain(dice) if valued and dice.random() < 0.5 else (),
    )


def rebound(code: Code, seed: int) -> Code:
    """The same file with other imports."""
    if not code.bindings:
        return code
    dice = Random(seed)
    return replace(code, bindings=tuple(binding(dice) for _ in code.bindings))


def tweaked(code: Code, seed: int) -> Code:
    """The same declarations under the same identifiers, of which some say something else."""
    dice = Random(seed)
    changed = Code(code.path, code.imports, references=list(code.references), line=code.line, first_line=code.first_line)
    for symbol in code.symbols:
        other = {
            "type": dice.choice(TYPES),
            "inherits": tuple(dice.sample(OWNERS[:4], k=dice.choice((0, 1, 2)))) if symbol.kind.is_type else (),
            "initializer": chain(dice) if symbol.kind is SymbolKind.PROPERTY else (),
            "modifiers": dice.choice(MODIFIERS),
            "generics": dice.choice(((), (("Value", "Cart"),))),
        }
        field = dice.choice([*other])
        changed.symbols.append(replace(symbol, **{field: other[field]}) if dice.random() < 0.5 else symbol)  # type: ignore[arg-type]
    return changed


SEEDS = st.integers(0, 1 << 32).map(lambda seed: seed * 2_654_435_761)


State = Mapping[str, tuple[Code, str, FileRole]]
"""By path: the file, its module, its roles."""


@st.composite
def states(draw: st.DrawFn, paths: Sequence[str], before: State | None = None) -> State:
    """A repository; after another one, most of whose files stay as they are, move by a line, change, go, or are read otherwise."""
    state = {}
    for path in paths:
        known = before.get(path) if before else None
        change = (
            draw(st.sampled_from(("keep", "keep", "shift", "move", "mark", "edit", "drop", "rebind")))
            if known
            else draw(st.sampled_from(("edit", "drop")))
        )
        if change == "drop":
            continue
        code, module, roles = known or (file_of(path, draw(SEEDS)), draw(st.sampled_from(MODULES)), FileRole.NONE)
        if change == "shift":
            code = shifted(code, draw(st.integers(1, 3)))
        elif change == "move":
            module = draw(st.sampled_from(MODULES))
        elif change == "rebind":
            code = rebound(code, draw(SEEDS))
        elif change == "mark":
            roles = FileRole.TEST
        elif change == "tweak":
            code = tweaked(code, draw(SEEDS))
        elif change == "edit":
            code = file_of(path, draw(SEEDS))
        state[path] = (code, module, roles)
    return state


def build(graph: LocalGraph, generation: str, state: State, basis: tuple[str, State] | None = None) -> None:
    pin = Pin(REPOSITORY, generation)
    graph.begin(pin, basis=basis[0] if basis else None)
    facts = {path: code.facts() for path, (code, _, _) in state.items()}
    known = {path: code.facts() for path, (code, _, _) in basis[1].items()} if basis else {}
    graph.write(pin, [each for path, each in facts.items() if known.get(path) != each])
    graph.finish(pin, [code.file(module=module, roles=roles) for code, module, roles in state.values()])


def dump(folder: Path, generation: str) -> Mapping[str, Any]:
    reader = SqliteGraph(folder).open(REPOSITORY, generation)
    tables = reader.dump()
    reader.close()
    return tables


@pytest.mark.parametrize("paths", [PATHS, PYTHON_PATHS, SCRIPT_PATHS], ids=["modules", "python", "scripts"])
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_incremental_equals_clean(paths: Sequence[str], data: st.DataObject) -> None:
    """Two rounds of random edits, renames, deletions and moves between modules: every table is the same as in a build from nothing."""
    with TemporaryDirectory() as folder:
        graph = LocalGraph(SqliteGraph(Path(folder)))
        state: State = data.draw(states(paths))
        build(graph, "g0", state)
        for round_ in (1, 2):
            following: State = data.draw(states(paths, state))
            build(graph, f"g{round_}", following, (f"g{round_ - 1}", state))
            build(graph, f"clean{round_}", following)
            assert dump(Path(folder), f"g{round_}") == dump(Path(folder), f"clean{round_}")
            state = following
        graph.close()


@pytest.fixture
def graph(tmp_path: Path) -> LocalGraph:
    return LocalGraph(SqliteGraph(tmp_path))


def relinked(graph: LocalGraph, before: list[Code], after: list[Code]) -> int:
    for generation, basis, codes in (("g1", None, before), ("g2", "g1", after)):
        pin = Pin(REPOSITORY, generation)
        graph.begin(pin, basis=basis)
        graph.write(pin, [code.facts() for code in codes if code not in before or basis is None])
        report = graph.finish(pin, [code.file() for code in codes])
    return report.relinked_files


def users(count: int) -> list[Code]:
    """Files that each call `total` on a cart."""
    made = [Code(f"user{index}") for index in range(count)]
    for code in made:
        code.call(code.declare(SymbolKind.FUNCTION, f"use{code.path}"), "total", Step(StepKind.TYPE, "Cart"))
    return made


def cart(*members: str) -> Code:
    code = Code("cart")
    owner = code.declare(SymbolKind.CLASS, "Cart")
    for member in members:
        code.declare(SymbolKind.METHOD, member, owner)
    return code


def test_moved_lines_relink_only_their_file(graph: LocalGraph) -> None:
    """An edit that changes no declaration as others see it costs one file."""
    others = users(3)
    assert relinked(graph, [cart("total"), *others], [shifted(cart("total"), 4), *others]) == 1


def test_new_member_relinks_only_those_that_asked_for_its_name(graph: LocalGraph) -> None:
    """Adding `empty` touches nobody who asked for `total`."""
    others = users(3)
    assert relinked(graph, [cart("total"), *others], [cart("total", "empty"), *others]) == 1


def test_member_that_appears_relinks_those_that_missed_it(graph: LocalGraph) -> None:
    """A call that found nothing is linked once there is something to find."""
    others = users(3)
    assert relinked(graph, [cart(), *others], [cart("total"), *others]) == 4
    assert len(graph.callers(Pin(REPOSITORY, "g2"), cart("total").symbols[1].id)) == 3


def test_file_that_goes_takes_its_edges_along(graph: LocalGraph) -> None:
    """Deleting the callee's file leaves unresolved calls, and no edge into nothing."""
    others = users(2)
    relinked(graph, [cart("total"), *others], others)
    pin = Pin(REPOSITORY, "g2")
    assert graph.symbols_named(pin, ["total"]) == []
    assert all(not graph.callees(pin, code.symbols[0].id) for code in others)


def test_changed_role_is_no_new_text(graph: LocalGraph) -> None:
    """A file that becomes a test is read anew by the linker though nothing was written."""
    pin, then = Pin(REPOSITORY, "g1"), Pin(REPOSITORY, "g2")
    code = users(1)[0]
    graph.begin(pin, basis=None)
    graph.write(pin, [code.facts()])
    graph.finish(pin, [code.file()])
    graph.begin(then, basis="g1")
    assert graph.finish(then, [replace(code.file(), roles=FileRole.TEST)]).relinked_files == 1


CHANGES = {
    "supertypes": {"inherits": ("Base",)},
    "type": {"type": "Store"},
    "initialiser": {"initializer": (called("Store"),)},
    "parameters": {"parameters": (Parameter("in", "p", ""),)},
    "modifiers": {"modifiers": Modifier.PRIVATE},
    "generic bounds": {"generics": (("Value", "Store"),)},
    "kind": {"kind": SymbolKind.PROTOCOL},
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_fact_that_links_depend_on_relinks_its_users(graph: LocalGraph, change: str) -> None:
    """A declaration that says something else about itself, under the same identifier, relinks the files that asked for it."""
    before = Code("declared")
    owner = before.declare(SymbolKind.CLASS, "Cart")
    before.declare(SymbolKind.PROPERTY, "items", owner)
    after = Code("declared", symbols=[replace(each, **CHANGES[change]) for each in before.symbols], line=before.line)  # type: ignore[arg-type]
    user = Code("user")
    user.call(user.declare(SymbolKind.FUNCTION, "use"), "empty", instance("Cart"), name("items"))
    assert relinked(graph, [before, user], [after, user]) == 2


def importing() -> Code:
    """A file that calls what a package gives it."""
    code = Code("main.py", language="python", bindings=(Binding("alpha", "p.m", "alpha"), Binding("beta", "p", "beta")))
    source = code.declare(SymbolKind.FUNCTION, "run")
    code.call(source, "alpha")
    code.call(source, "beta")
    return code


def module(path: str, *bindings: Binding, declares: str = "") -> Code:
    code = Code(path, language="python", bindings=bindings)
    if declares:
        code.declare(SymbolKind.FUNCTION, declares)
    return code


def test_other_re_exports_relink_who_looked_through_them(graph: LocalGraph) -> None:
    """Only the bindings of the package change, and the file that imports a name from it is linked again."""
    before = [importing(), module("p/__init__.py", Binding("beta", ".m", "beta")), module("p/m.py", declares="beta"), module("x.py")]
    after = [before[0], module("p/__init__.py", Binding("beta", ".n", "beta")), *before[2:]]
    assert relinked(graph, before, after) == 2


def test_a_module_that_comes_relinks_who_asked_for_it(graph: LocalGraph) -> None:
    """A file without any declaration may be what an import means: whoever asked for a module of its name is linked again, nobody else."""
    before = [importing(), module("p/__init__.py"), module("x.py", declares="alpha")]
    after = [*before, module("p/m.py", Binding("alpha", "x", "alpha"))]
    assert relinked(graph, before, after) == 2


@pytest.mark.parametrize("paths", [PATHS, PYTHON_PATHS, SCRIPT_PATHS], ids=["modules", "python", "scripts"])
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_symbols_read_by_name_link_the_same(paths: Sequence[str], data: st.DataObject) -> None:
    """Whether all symbols are read at once or some as they are asked for, a file has the same links and asked the same."""
    state: State = data.draw(states(paths))
    with TemporaryDirectory() as folder:
        draft = SqliteGraph(Path(folder)).draft(REPOSITORY, "g1", basis=None)
        draft.put_facts([code.facts() for code, _, _ in state.values()])
        draft.put_files([code.file(module=module, roles=roles) for code, module, roles in state.values()])
        contexts = contexts_of(draft)
        together = dict(Linker(draft, contexts, list(state)).links())
        for path in state:
            assert dict(Linker(draft, contexts, [path], by_name=True).links()) == {path: together[path]}
        draft.discard()
