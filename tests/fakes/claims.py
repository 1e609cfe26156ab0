"""Sources that say themselves what must be found in them, for languages whose comments end with their line.

A comment below a line of code points with ``^`` at a column of that line (with ``<-`` at the column of the comment itself):

    def make(url): return Client(url)
    #   ^ defines: function make
    #                     ^ refers: call Client (_)

Several comments may follow a line. Before parsing they are blanked, so they are nobody's documentation.

About a symbol whose name stands there: ``defines: KIND QUALIFIED`` (or ``nothing``), ``container``, ``typed``, ``flagged``, ``inherits``,
``parameters``, ``spans: FIRST-LAST``, ``documented``, ``signed``, ``initialised: CHAIN``.
About a reference that stands there: ``refers: KIND NAME [CHAIN] (LABELS)`` (or ``nothing``), ``by: QUALIFIED``.
About the whole file: ``imports``, ``binds: NAME = MODULE : MEMBER, ...``, ``breaks``, ``problems``.

In a chain ``<Foo>`` is a value of a type, ``Foo!`` a type itself, ``[]`` an element, ``?`` what cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exegesis.model import Chain, Modifier, Parameter, Reference, ReferenceKind, StepKind, Symbol
from services.indexer.language import Language, Source, Syntax

ABOUT_REFERENCES = frozenset({"refers", "by"})
_WHOLE = r"imports|binds|breaks|problems"


@dataclass(frozen=True)
class Claim:
    file: str
    at: int
    """Line of the claim itself."""
    line: int
    column: int
    verb: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.at} {self.verb}: {self.text}"


@dataclass(frozen=True)
class Annotated:
    """A source and what it claims."""

    path: Path
    syntax: Syntax
    claims: Sequence[Claim]

    def fulfils(self, claim: Claim) -> tuple[object, object]:
        """What is found at the place of a claim, and what is claimed: to be compared."""
        syntax = self.syntax
        if claim.verb in {"imports", "breaks", "problems"}:
            return ", ".join(map(str, getattr(syntax, claim.verb))), claim.text
        if claim.verb == "binds":
            return ", ".join(f"{each.name} = {each.module} : {each.member}".strip() for each in syntax.bindings), claim.text
        if claim.verb in ABOUT_REFERENCES:
            names = {symbol.id: symbol.qualified for symbol in syntax.symbols}
            there = [reference for reference in syntax.references if (reference.line, reference.column) == (claim.line, claim.column)]
            found = [_about_reference(reference, claim.verb, names) for reference in there]
        else:
            here = (symbol for symbol in syntax.symbols if (symbol.line, symbol.column) == (claim.line, claim.column))
            found = [_about_symbol(symbol, claim.verb) for symbol in here]
        if claim.text == "nothing":
            return found, []
        return (claim.text if claim.text in found else found), claim.text


def annotated(path: Path, language: Language, marker: str) -> Annotated:
    """Read and parse a source whose comments begin with ``marker``."""
    pointer = re.compile(rf"^(?P<indent>\s*){marker}(?P<gap>\s*)(?P<mark>\^|<-)\s*(?P<verb>\w+):\s*(?P<text>.*?)\s*$")
    whole = re.compile(rf"^{marker} (?P<verb>{_WHOLE}): (?P<text>.*?)\s*$")
    lines = path.read_text(encoding="utf-8").split("\n")
    claims: list[Claim] = []
    kept: list[str] = []
    code, number = "", 0
    for at, line in enumerate(lines, start=1):
        pointing, general = pointer.match(line), whole.match(line)
        if pointing:
            offset = len(pointing["indent"]) if pointing["mark"] == "<-" else pointing.start("mark")
            claims.append(Claim(path.name, at, number, len(code[:offset].encode()) + 1, pointing["verb"], pointing["text"]))
        elif general:
            claims.append(Claim(path.name, at, 0, 0, general["verb"], general["text"]))
        else:
            code, number = line, at
        kept.append("" if pointing or general else line)
    text = "\n".join(kept)
    wanted = sum(bool(re.match(rf"\s*{marker}\s*(\^|<-)|{marker} ({_WHOLE}):", line)) for line in lines)
    assert len(claims) == wanted, f"{path.name} has claims that are misspelt"
    return Annotated(path, language.parse(Source(path.name, text, text.encode())), claims)


def written(chain: Chain) -> str:
    parts = [
        {
            StepKind.SELF: "self",
            StepKind.SUPER: "super",
            StepKind.TYPE: f"<{step.name}>",
            StepKind.METATYPE: f"{step.name}!",
            StepKind.NAME: step.name,
            StepKind.CALL: f"{step.name}({' '.join(step.labels)})",
            StepKind.INDEX: "[]",
            StepKind.UNKNOWN: "?",
        }[step.kind]
        for step in chain
    ]
    return ".".join(parts).replace(".[]", "[]")


def _parameter(value: Parameter) -> str:
    label = value.name if value.label == value.name else f"{value.label} {value.name}".strip()
    return f"{label}: {value.type}{'...' if value.variadic else ''}{' =' if value.has_default else ''}".rstrip()


def _about_symbol(symbol: Symbol, verb: str) -> str:
    if verb == "defines":
        return f"{symbol.kind} {symbol.qualified}"
    if verb == "flagged":
        return ", ".join(sorted(flag.name.lower() for flag in Modifier if flag in symbol.modifiers and flag.name))
    if verb == "spans":
        return f"{symbol.span.start}-{symbol.span.end}"
    if verb == "parameters":
        return ", ".join(_parameter(value) for value in symbol.parameters)
    return {
        "container": symbol.container,
        "typed": symbol.type,
        "inherits": ", ".join(symbol.inherits),
        "documented": symbol.doc.replace("\n", " / "),
        "signed": symbol.signature,
        "initialised": written(symbol.initializer),
    }[verb]


def _about_reference(reference: Reference, verb: str, names: dict[int, str]) -> str:
    if verb == "by":
        return names[reference.source]
    receiver = f" [{written(reference.receiver)}]" if reference.receiver else ""
    labels = f" ({' '.join(reference.labels)})" if reference.kind is ReferenceKind.CALL else ""
    return f"{reference.kind} {reference.name}{receiver}{labels}"
