"""Swift sources that say themselves what must be found in them.

A comment below a line of code points with ``^`` at a column of that line (with ``<-`` at the column of the comment itself):

    static func make(for url: URL) -> Client { Client(url) }
    //          ^ defines: method Client.make(for:)
    //                                         ^ refers: call Client (_:)

Several comments may follow a line. Before parsing they are blanked, so they are nobody's documentation.

About a symbol whose name stands there: ``defines: KIND QUALIFIED`` (or ``nothing``), ``container``, ``typed``, ``flagged``, ``inherits``,
``generics``, ``parameters``, ``spans: FIRST-LAST``, ``documented``, ``signed``, ``initialised: CHAIN``.
About a reference that stands there: ``refers: KIND NAME [CHAIN] (LABELS) +TRAILING => EXPECTED`` (or ``nothing``), ``by: QUALIFIED SOURCE``.
About the whole file: ``imports``, ``breaks``.

A chain is written as Swift would: ``self.client.make(for:).session``; ``<Foo>`` is a value of a type, ``Foo!`` a type itself, ``[]`` a subscript,
``~`` the start of an implicit member, ``?`` what cannot be told.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from exegesis.model import Chain, Modifier, Parameter, Reference, StepKind, Symbol
from services.indexer.language import Source, Syntax
from services.indexer.languages.swift import Swift

FOLDER = Path(__file__).parent
POINTER = re.compile(r"^(?P<indent>\s*)//(?P<gap>\s*)(?P<mark>\^|<-)\s*(?P<verb>\w+):\s*(?P<text>.*?)\s*$")
WHOLE = re.compile(r"^// (?P<verb>imports|breaks): (?P<text>.*?)\s*$")
ABOUT_REFERENCES = frozenset({"refers", "by"})


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


def claims_of(file: Path) -> list[Claim]:
    found: list[Claim] = []
    code, number = "", 0
    for at, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        pointer = POINTER.match(line)
        whole = WHOLE.match(line)
        if pointer:
            offset = len(pointer["indent"]) if pointer["mark"] == "<-" else pointer.start("mark")
            found.append(Claim(file.name, at, number, len(code[:offset].encode()) + 1, pointer["verb"], pointer["text"]))
        elif whole:
            found.append(Claim(file.name, at, 0, 0, whole["verb"], whole["text"]))
        else:
            code, number = line, at
    return found


@functools.cache
def parse(name: str) -> Syntax:
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    text = "\n".join("" if POINTER.match(line) or WHOLE.match(line) else line for line in lines)
    return Swift().parse(Source(name, text, text.encode()))


def written(chain: Chain) -> str:
    parts = [
        {
            StepKind.SELF: "self",
            StepKind.SUPER: "super",
            StepKind.TYPE: f"<{step.name}>",
            StepKind.METATYPE: f"{step.name}!",
            StepKind.NAME: step.name,
            StepKind.CALL: f"{step.name}({''.join(f'{label}:' for label in step.labels)})",
            StepKind.INDEX: "[]",
            StepKind.IMPLICIT: "~",
            StepKind.LITERAL: f"'{step.name}'",
            StepKind.ARGUMENT: f"<-{step.name}",
            StepKind.PARAMETER: f"->{step.name}",
            StepKind.UNKNOWN: "?",
        }[step.kind]
        for step in chain
    ]
    return ".".join(parts).replace(".[]", "[]")


def parameter(value: Parameter) -> str:
    label = value.name if value.label == value.name else f"{value.label} {value.name}".strip()
    return f"{label}: {value.type}{'...' if value.variadic else ''}{' =' if value.has_default else ''}"


def about_symbol(symbol: Symbol, verb: str) -> str:
    if verb == "defines":
        return f"{symbol.kind} {symbol.qualified}"
    if verb == "flagged":
        return ", ".join(sorted(flag.name.lower() for flag in Modifier if flag in symbol.modifiers and flag.name))
    if verb == "spans":
        return f"{symbol.span.start}-{symbol.span.end}"
    if verb == "generics":
        return ", ".join(f"{name}: {bound}" if bound else name for name, bound in symbol.generics)
    if verb == "parameters":
        return ", ".join(parameter(value) for value in symbol.parameters)
    return {
        "container": symbol.container,
        "typed": symbol.type,
        "inherits": ", ".join(symbol.inherits),
        "documented": symbol.doc.replace("\n", " / "),
        "signed": symbol.signature,
        "initialised": written(symbol.initializer),
    }[verb]


def about_reference(reference: Reference, verb: str, names: dict[int, str]) -> str:
    if verb == "by":
        return names[reference.source]
    receiver = f" [{written(reference.receiver)}]" if reference.receiver else ""
    labels = f" ({''.join(f'{label}:' for label in reference.labels)})" if reference.kind == "call" or reference.labels else ""
    trailing = f" +{reference.trailing}" if reference.trailing else ""
    expected = f" => {reference.expected}" if reference.expected else ""
    return f"{reference.kind} {reference.name}{receiver}{labels}{trailing}{expected}"


CLAIMS = [claim for file in sorted(FOLDER.glob("*.swift")) for claim in claims_of(file)]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_a_source_says_of_itself(claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    syntax = parse(claim.file)
    if claim.verb == "imports":
        assert ", ".join(syntax.imports) == claim.text
        return
    if claim.verb == "breaks":
        assert ", ".join(map(str, syntax.breaks)) == claim.text
        return
    if claim.verb in ABOUT_REFERENCES:
        names = {symbol.id: symbol.qualified for symbol in syntax.symbols}
        there = [reference for reference in syntax.references if (reference.line, reference.column) == (claim.line, claim.column)]
        found = [about_reference(reference, claim.verb, names) for reference in there]
    else:
        found = [about_symbol(symbol, claim.verb) for symbol in syntax.symbols if (symbol.line, symbol.column) == (claim.line, claim.column)]
    if claim.text == "nothing":
        assert found == []
    else:
        assert claim.text in found


def test_there_are_claims() -> None:
    """A typing error in the notation does not make the claims disappear."""
    lines = [line for file in FOLDER.glob("*.swift") for line in file.read_text(encoding="utf-8").split("\n")]
    assert len(CLAIMS) == sum(bool(re.match(r"\s*//\s*(\^|<-)|// (imports|breaks):", line)) for line in lines) > 100
