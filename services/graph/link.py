"""References become edges. Pure: what a file's links are depends on its facts and on the answers of the table, which remembers the questions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from exegesis.model import Chain, Edge, EdgeKind, FileFacts, Reference, ReferenceKind, StepKind, Symbol, SymbolKind, Unresolved
from services.graph.families import in_family
from services.graph.fit import labels_of
from services.graph.infer import Inference
from services.graph.members import best_fits, with_trailing
from services.graph.programs import link_programs
from services.graph.rules import RULES, SHORT
from services.graph.structure import structural_edges
from services.graph.table import PRIVATE, SymbolTable, Type, has
from services.graph.types import last_component, split_type
from services.graph.values import NOWHERE, Found, Place, Standing, Use, Value, as_metatype

_OPAQUE = frozenset({"Function", "Tuple"})
"""Canonical types with arguments that are not elements of it."""


@dataclass(frozen=True, slots=True)
class Links:
    edges: tuple[Edge, ...]
    unresolved: tuple[Unresolved, ...]
    """What may be meant within the project and could not be told, and calls of what is declared elsewhere, one for each name and caller."""
    consulted: frozenset[str]
    """Keys of the table that the outcome depends on."""


def link(facts: FileFacts, table: SymbolTable, *, settled: Collection[tuple[int, int]] = ()) -> Links:
    """The edges that start in one file. Every reference becomes one edge, or is counted, or leads out of the project.

    ``settled`` are lines and columns of names that a compiler has explained; references there are passed over.
    """
    table.start()
    if table.dialect.programs:
        found, unresolved = link_programs(facts, table, settled)
        return Links(tuple(found), tuple(unresolved), frozenset(in_family(table.dialect.family, table.consulted)))
    linker = _Linker(facts, table)
    for reference in facts.references:
        if (reference.line, reference.column) not in settled:
            linker.take(reference)
    edges = [*linker.edges, *structural_edges(facts, table)]
    return Links(tuple(edges), tuple(linker.unresolved), frozenset(in_family(table.dialect.family, table.consulted)))


_IT_DEPENDS = Found()
"""Stands for what a call means where the types of its arguments decide."""


class _Linker:
    def __init__(self, facts: FileFacts, table: SymbolTable) -> None:
        self._table = table
        self._dialect = table.dialect
        self._inference = Inference(facts, table)
        self._known = {symbol.id for symbol in facts.symbols}
        self._found: dict[tuple[object, ...], Found] = {}
        self._external: set[tuple[int, str]] = set()
        self.edges: list[Edge] = []
        self.unresolved: list[Unresolved] = []

    def take(self, reference: Reference) -> None:
        if reference.source not in self._known or not reference.name:
            return  # nothing that could be the start of an edge
        place = self._inference.place_of(reference.source)
        # The same words at the same place mean the same; tests say the same words a thousand times. Places and chains are compared by identity:
        # equal ones are one object, and both outlive this.
        key = (id(place), reference.kind, reference.name, id(reference.receiver), reference.labels, reference.trailing, reference.expected)
        found = self._found.get(key)
        if found is None or found is _IT_DEPENDS:
            further = (*key, id(reference.arguments)) if found is _IT_DEPENDS else ()
            meant = self._found.get(further)
            if meant is None:
                compared = self._inference.compared
                meant = self._mean(reference, place)
                if self._inference.compared == compared:
                    self._found[key] = meant
                else:
                    self._found[key] = _IT_DEPENDS
                    self._found[*key, id(reference.arguments)] = meant
            found = meant
        self._record(reference, found)

    def _mean(self, reference: Reference, place: Place) -> Found:
        match reference.kind:
            case ReferenceKind.CALL:
                return self._call(reference, place)
            case ReferenceKind.ACCESS:
                return self._access(reference, place)
            case ReferenceKind.TYPE | ReferenceKind.INHERIT:
                return self._type(reference, place)
            case ReferenceKind.MENTION:
                return self._mention(reference)

    def _record(self, reference: Reference, found: Found) -> None:
        if found.symbol is not None:
            if found.symbol.id == reference.source and reference.kind is not ReferenceKind.CALL:
                return  # a type that names itself says nothing
            rule = RULES[found.rule]
            kind = EdgeKind.TYPE if rule.id == "S5" and reference.kind is ReferenceKind.CALL else _edge_kind(reference.kind, found.symbol)
            self.edges.append(Edge(reference.source, found.symbol.id, kind, rule.id, rule.tier, rule.confidence, reference.line, reference.column))
            return
        if reference.kind not in {ReferenceKind.CALL, ReferenceKind.ACCESS}:
            return
        external = found.external or not found.candidates
        if external:
            if reference.kind is not ReferenceKind.CALL or (reference.source, reference.name) in self._external:
                return
            self._external.add((reference.source, reference.name))
        self.unresolved.append(
            Unresolved(reference.source, reference.name, reference.line, reference.column, 0 if external else found.candidates, external)
        )

    # ---- calls

    def _call(self, reference: Reference, place: Place) -> Found:
        use = Use(split_type(reference.name)[0], reference.labels, reference.trailing, reference.arguments, place)
        return with_trailing(lambda each: self._called(each, reference, place), use)

    def _called(self, use: Use, reference: Reference, place: Place) -> Found:
        receiver = reference.receiver
        if not receiver:
            return self._bare_call(use, place)
        if _is_implicit(receiver):
            return self._implicit(use, reference.expected, receiver, place)
        if receiver[-1].kind is StepKind.IMPLICIT:
            return self._implied(use, receiver, place)
        value = self._inference.value_of(receiver, place, reference.expected)
        if use.name == self._dialect.initializer and value.type is not None:
            return self._initialise(value, use)
        return self._on_value(value, use, receiver)

    def _bare_call(self, use: Use, place: Place) -> Found:
        found = self._inference.bare(use, place)
        if self._dialect.holds_functions:
            found = self._inference.given(found, use)
        if found.symbol is not None and found.symbol.kind.is_type:
            return self._inference.construct(self._table.dealias(found.symbol), use)
        if found.symbol is not None or found.candidates:
            return found
        if self._dialect.has_operators and not use.name[:1].isalpha() and use.name[:1] != "_":
            return self._operator(use)
        if self._inference.declarations_of(use.name):
            return NOWHERE  # not visible from here, so a library's type of the same name
        return self._inference.construct(Type(use.name, None), use)

    def _operator(self, use: Use) -> Found:
        """Operators are called without a scope; the project's are told from the standard ones by being declared here."""
        declared = [each for each in self._table.named(use.name) if each.kind.is_callable]
        if len(declared) == 1:
            return Found(declared[0], "L2", None, 1)
        return Found(candidates=len(declared), external=not declared)

    def _initialise(self, value: Value, use: Use) -> Found:
        """``Foo.init(…)``, ``self.init(…)``, ``super.init(…)``."""
        if value.type is None:
            return NOWHERE
        if value.standing is not Standing.SUPER:
            return self._inference.construct(value.type, use)
        for level in self._table.levels(value.type)[1:]:
            fitting = best_fits(
                [each for holder in level for each in self._table.initializers(holder)], use.labels or (), use.trailing, self._dialect.fit
            )
            if len(fitting) == 1:
                return Found(fitting[0], "C1", level[0], 1)
            if fitting:
                return Found(candidates=len(fitting))
        return NOWHERE

    def _on_value(self, value: Value, use: Use, receiver: Chain) -> Found:
        if value.standing is Standing.UNKNOWN:
            return self._added(use) or self._guess(use)
        if value.standing is Standing.EXTERNAL:
            found = self._element(value, use)
            return found if found.symbol is not None else self._added(use) or found
        found = self._inference.member(value, use)
        if self._dialect.holds_functions and use.labels is not None:
            found = self._inference.given(found, use)
        if found.symbol is None:
            return found
        if found.rule == "T3" and use.name in self._dialect.common:
            return replace(found, rule="M5")
        if found.symbol.kind.is_type and use.labels is not None:
            return self._inference.construct(self._table.dealias(found.symbol), use)
        if len(receiver) == 1 and receiver[0].kind in {StepKind.SELF, StepKind.SUPER}:
            return (
                found
                if found.rule == "T5"
                else replace(found, rule="S1" if found.rule in {"T1", "T3"} and receiver[0].kind is StepKind.SELF else "S2")
            )
        return found

    def _element(self, value: Value, use: Use) -> Found:
        """``items.first.refresh()``: what an external container returned may be what it holds."""
        if value.type is None or value.type.name in _OPAQUE or use.name in self._dialect.common:
            return NOWHERE
        for text, scope in value.type.arguments:
            held = self._inference.type_value(text, scope)
            if held.type is not None and held.type.declaration is not None:
                found = self._inference.member(held, use)
                if found.symbol is not None:
                    return replace(found, rule="M3")
        return NOWHERE

    def _added(self, use: Use) -> Found | None:
        """A member of a telling name that the project adds to a library's type, and that no type of its own has, fitting alone."""
        if use.labels is None or use.name in self._dialect.common or not _is_telling(use.name, use.labels):
            return None
        fitting = best_fits(self._table.members_anywhere(use.name), use.labels, use.trailing, self._dialect.fit)
        if len(fitting) != 1 or has(fitting[0], PRIVATE) or self._table.kind_of(fitting[0].parent) is not SymbolKind.EXTENSION:
            return None
        owner = self._table.declared(split_type(fitting[0].container)[0], fitting[0].path)
        return Found(fitting[0], "M4", owner, 1) if owner.declaration is None else None

    def _implicit(self, use: Use, expected: str, receiver: Chain, place: Place) -> Found:
        if not expected:
            return self._only_offer(use)
        value = self._inference.value_of(receiver, place, expected)
        if value.type is None:
            return Found(candidates=self._inference.rivals(use))
        if use.name == self._dialect.initializer:
            return self._inference.construct(value.type, use)
        found = self._inference.member(value, use)
        return replace(found, rule="M1") if found.symbol is not None else found

    def _implied(self, use: Use, receiver: Chain, place: Place) -> Found:
        """An implicit member where the type that is expected is that of something else."""
        value = self._inference.value_of(receiver, place)
        if value.type is None or value.standing is not Standing.METATYPE:
            return self._one_of(self._inference.alternatives(receiver, place), use) or self._only_offer(use)
        if use.name == self._dialect.initializer:
            return self._inference.construct(value.type, use)
        found = self._inference.member(value, use)
        if found.symbol is None:
            return found if found.candidates or value.type.declaration is not None else self._only_offer(use)
        return replace(found, rule="M1")

    def _one_of(self, expected: Sequence[Value], use: Use) -> Found | None:
        """The member, where one of several types that may be expected has it: those of overloads, or what a library's container holds."""
        held = [
            self._inference.type_value(text, scope)
            for value in expected
            if value.standing is Standing.EXTERNAL and value.type is not None
            for text, scope in value.type.arguments
        ]
        found: dict[int, Found] = {}
        for value in (*expected, *map(as_metatype, held)):
            if value.type is None or value.standing is not Standing.METATYPE or value.type.declaration is None:
                continue
            member = self._inference.construct(value.type, use) if use.name == self._dialect.initializer else self._inference.member(value, use)
            if member.symbol is not None and member.rule != "C4":
                found[member.symbol.id] = member if use.name == self._dialect.initializer else replace(member, rule="M1")
        return next(iter(found.values())) if len(found) == 1 else None

    def _only_offer(self, use: Use) -> Found:
        """An implicit member without a context: believed where one type of the project offers it and no library is likely to."""
        offers: Sequence[Symbol] = self._table.offers(use.name)
        if use.labels is not None:
            offers = best_fits(offers, use.labels, use.trailing, self._dialect.fit)
        telling = use.name not in self._dialect.common or len(use.labels or ()) > 1
        if len(offers) == 1 and telling and not has(offers[0], PRIVATE):
            return Found(offers[0], "M2", None, 1)
        return Found(candidates=len(offers))

    def _guess(self, use: Use) -> Found:
        """The receiver is unknown: one declaration that fits is kept as a maybe, several are counted."""
        declared = self._table.members_anywhere(use.name)
        if use.labels is None or len(declared) != 1:
            return Found(candidates=len(declared))
        fitting = best_fits(declared, use.labels, use.trailing, self._dialect.fit)
        telling = use.name not in self._dialect.common and (len(use.name) >= SHORT or len(use.labels) > 1)
        if len(fitting) == 1 and telling and not has(fitting[0], PRIVATE):
            return Found(fitting[0], "U1" if self._dialect.labels_tell else "U5", None, 1)
        return Found(candidates=len(declared))

    # ---- other uses

    def _access(self, reference: Reference, place: Place) -> Found:
        use = Use(split_type(reference.name)[0], reference.labels or None)
        if not reference.receiver:
            return self._inference.bare(use, place)
        if _is_implicit(reference.receiver):
            return self._implicit(use, reference.expected, reference.receiver, place)
        if reference.receiver[-1].kind is StepKind.IMPLICIT:
            return self._implied(use, reference.receiver, place)
        value = self._inference.value_of(reference.receiver, place, reference.expected)
        return self._on_value(value, use, reference.receiver)

    def _type(self, reference: Reference, place: Place) -> Found:
        name = ".".join((*(step.name for step in reference.receiver), split_type(reference.name)[0]))
        if reference.kind is ReferenceKind.INHERIT:
            target = self._table.lookup_type(name, place.scope, inherited=False)
        else:
            target = self._inference.lookup(name, place.scope)
        if target is None or target.declaration is None:
            return NOWHERE
        return Found(target.declaration, "S5", target, 1)

    def _mention(self, reference: Reference) -> Found:
        *around, name = (*(step.name for step in reference.receiver), *split_type(reference.name)[0].split("."))
        declared = [
            each
            for each in self._table.named(name)
            if each.kind not in {SymbolKind.EXTENSION, SymbolKind.HEADING, SymbolKind.CLOSURE} and (each.container or each.parent is None)
        ]
        if reference.labels:
            declared = [each for each in declared if labels_of(each) == reference.labels] or declared
        if around:
            held = [each for each in declared if last_component(split_type(each.container)[0]) == last_component(around[-1])]
            return Found(held[0], "U3", None, 1) if len(held) == 1 else Found(candidates=len(held))
        # A member's or nested type's bare name must be a telling one: prose about `Result` or `value` rarely means this project's.
        if len(declared) == 1 and (not declared[0].container or (name not in self._dialect.common and _is_telling(name, reference.labels))):
            return Found(declared[0], "U2", None, 1)
        return Found(candidates=len(declared))


def _is_telling(name: str, labels: Sequence[str]) -> bool:
    """Names of several words, or with labels: nobody else's are likely to be the same."""
    return len(labels) > 1 or len(re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)) > 1


def _is_implicit(receiver: Chain) -> bool:
    return len(receiver) == 1 and receiver[0].kind is StepKind.IMPLICIT


def _edge_kind(kind: ReferenceKind, target: Symbol) -> EdgeKind:
    if kind is ReferenceKind.MENTION:
        return EdgeKind.MENTION
    if kind is ReferenceKind.INHERIT:
        return EdgeKind.INHERIT
    if kind is ReferenceKind.CALL:
        if target.kind.is_type or target.kind in {SymbolKind.INITIALIZER, SymbolKind.CASE}:
            return EdgeKind.CONSTRUCT
        return EdgeKind.CALL if target.kind.is_callable else EdgeKind.ACCESS
    return EdgeKind.TYPE if target.kind.is_type else EdgeKind.ACCESS
