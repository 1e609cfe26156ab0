"""Code as a parser would see it, written down as facts: declarations and references of small files, for tests of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from exegesis.model import (
    Argument,
    Binding,
    Chain,
    Chunk,
    ChunkKind,
    FileFacts,
    FileRole,
    FileStatus,
    Modifier,
    Parameter,
    Reference,
    ReferenceKind,
    SourceFile,
    Span,
    Step,
    StepKind,
    Symbol,
    SymbolKind,
    stable_id,
)
from exegesis.terms import document_terms, pack
from services.graph.families import Families
from services.graph.link import Links, link
from services.graph.table import FileContext, full_name

SELF = Step(StepKind.SELF)
SUPER = Step(StepKind.SUPER)
IMPLICIT = Step(StepKind.IMPLICIT)
UNKNOWN = Step(StepKind.UNKNOWN)
INDEX = Step(StepKind.INDEX)


def instance(name: str) -> Step:
    return Step(StepKind.TYPE, name)


def metatype(name: str) -> Step:
    return Step(StepKind.METATYPE, name)


def name(of: str) -> Step:
    return Step(StepKind.NAME, of)


def called(of: str, *labels: str) -> Step:
    return Step(StepKind.CALL, of, labels)


@dataclass(slots=True)
class Code:
    """A file under construction. Every declaration and reference takes a line of its own."""

    path: str
    imports: tuple[str, ...] = ()
    symbols: list[Symbol] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    line: int = 0
    first_line: int = 1
    language: str = "test"
    bindings: tuple[Binding, ...] = ()

    def declare(
        self,
        kind: SymbolKind,
        base: str,
        inside: Symbol | None = None,
        *,
        labels: Sequence[str] = (),
        defaults: Sequence[str] = (),
        variadic: Sequence[str] = (),
        takes: Sequence[str] = (),
        type: str = "",  # noqa: A002 - named as the field it fills
        inherits: Sequence[str] = (),
        generics: Sequence[tuple[str, str]] = (),
        modifiers: Modifier = Modifier.NONE,
        initializer: Chain = (),
    ) -> Symbol:
        container = full_name(inside) if inside is not None and inside.kind.is_type else ""
        written = f"({''.join(f'{label}:' for label in labels)})" if kind.is_callable else ""
        qualified = f"{container}.{base}{written}" if container else f"{base}{written}"
        parent = inside.id if inside else None
        equals = sum(each.qualified == qualified and each.kind is kind and each.parent == parent for each in self.symbols)
        self.line += 1
        at = self.first_line + self.line - 1
        symbol = Symbol(
            id=stable_id("test", self.path, parent, kind, qualified, equals),
            name=base,
            qualified=qualified,
            kind=kind,
            path=self.path,
            span=Span(at, at),
            line=at,
            column=1,
            parent=parent,
            container=container,
            modifiers=modifiers,
            parameters=tuple(
                Parameter(label, f"p{index}", takes[index] if index < len(takes) else "", label in defaults, label in variadic)
                for index, label in enumerate(labels)
            ),
            type=type,
            inherits=tuple(inherits),
            generics=tuple(generics),
            initializer=initializer,
        )
        self.symbols.append(symbol)
        return symbol

    def refer(
        self,
        kind: ReferenceKind,
        source: Symbol,
        base: str,
        *receiver: Step,
        labels: Sequence[str] = (),
        trailing: int = 0,
        expected: str = "",
        arguments: Sequence[Chain] = (),
    ) -> Reference:
        self.line += 1
        given = tuple(map(Argument, arguments))
        reference = Reference(kind, base, self.first_line + self.line - 1, 5, source.id, tuple(receiver), tuple(labels), trailing, expected, given)
        self.references.append(reference)
        return reference

    def call(self, source: Symbol, base: str, *receiver: Step, labels: Sequence[str] = (), trailing: int = 0, expected: str = "") -> Reference:
        return self.refer(ReferenceKind.CALL, source, base, *receiver, labels=labels, trailing=trailing, expected=expected)

    def access(self, source: Symbol, base: str, *receiver: Step, expected: str = "") -> Reference:
        return self.refer(ReferenceKind.ACCESS, source, base, *receiver, expected=expected)

    def facts(self) -> FileFacts:
        chunks = tuple(
            Chunk(
                stable_id("chunk", symbol.id),
                self.path,
                ChunkKind.SYMBOL,
                (symbol.span,),
                f"{symbol.qualified} does {symbol.name}\n",
                symbol.id,
                symbol.kind,
                symbol.name,
                symbol.qualified,
            )
            for symbol in self.symbols
        )
        terms = tuple(pack(document_terms(chunk)) for chunk in chunks)
        digest = f"{stable_id(self.path, self.symbols, self.references, self.imports, self.bindings):064x}"
        symbols, references = tuple(self.symbols), tuple(self.references)
        return FileFacts(self.path, digest, self.language, symbols, references, chunks, terms, self.imports, bindings=self.bindings)

    def file(self, *, module: str = "", roles: FileRole = FileRole.NONE) -> SourceFile:
        return SourceFile(self.path, self.facts().digest, 10, self.language, roles, FileStatus.INDEXED, module=module)


def link_all(*codes: Code, modules: Mapping[str, str] | None = None) -> dict[str, Links]:
    """Links of each file, all files being the repository."""
    contexts = {code.path: FileContext((modules or {}).get(code.path, ""), frozenset(code.imports), code.language, code.bindings) for code in codes}
    tables = Families([symbol for code in codes for symbol in code.symbols], contexts)
    return {code.path: link(code.facts(), tables.of(code.language)) for code in codes}


def meanings(links: Links, reference: Reference, *codes: Code) -> list[tuple[str, str]]:
    """Rule and qualified target of the edges that a reference became."""
    symbols = {symbol.id: symbol for code in codes for symbol in code.symbols}
    return [(edge.rule, symbols[edge.target].qualified) for edge in links.edges if (edge.line, edge.column) == (reference.line, reference.column)]


def shifted(code: Code, lines: int) -> Code:
    """The same file with empty lines inserted at its top."""
    moved = Code(code.path, code.imports, line=code.line, first_line=code.first_line + lines, language=code.language, bindings=code.bindings)
    moved.symbols = [replace(each, line=each.line + lines, span=Span(each.span.start + lines, each.span.end + lines)) for each in code.symbols]
    moved.references = [replace(each, line=each.line + lines) for each in code.references]
    return moved
