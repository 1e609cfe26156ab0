"""RPG sources that say themselves what must be found in them.

A comment line points with ``^`` at a column of the code above it. It begins with ``//`` or, where code has columns, with ``*`` in column 7:

         callp     FTP_quit(session)
    //             ^ refers: call FTP_quit

Several may follow a line. Before parsing they are blanked, so they are nobody's documentation.

About a symbol whose name stands there: ``defines: KIND QUALIFIED`` (or ``nothing``), ``flagged``, ``spans: FIRST-LAST``, ``documented``,
``signed``, ``stands for: NAME [LABEL]``, ``overloads``.
About a reference that stands there: ``refers: KIND NAME => EXPECTED`` (or ``nothing``), ``by: QUALIFIED``.
About the whole file, in a line of its own that begins with ``//!`` or ``*!``: ``imports``, ``problems``.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from exegesis.model import Modifier, Reference, Symbol
from services.indexer.language import Source, Syntax
from services.indexer.languages.rpg import Rpg

FOLDER = Path(__file__).parent
FILES = sorted(path for path in FOLDER.iterdir() if path.suffix in Rpg.suffixes)
POINTER = re.compile(r"^(?:      \*|//)\s*(?P<mark>\^)\s*(?P<verb>[a-z ]+):\s*(?P<text>.*?)\s*$")
WHOLE = re.compile(r"^(?:      \*|//)!\s*(?P<verb>imports|problems):\s*(?P<text>.*?)\s*$")


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
    number = 0
    for at, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        pointer, whole = POINTER.match(line), WHOLE.match(line)
        if pointer:
            found.append(Claim(file.name, at, number, pointer.start("mark") + 1, pointer["verb"], pointer["text"]))
        elif whole:
            found.append(Claim(file.name, at, 0, 0, whole["verb"], whole["text"]))
        else:
            number = at
    return found


@functools.cache
def parse(name: str) -> Syntax:
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    text = "\n".join("" if POINTER.match(line) or WHOLE.match(line) else line for line in lines)
    return Rpg().parse(Source(name, text, text.encode()))


def about_symbol(symbol: Symbol, verb: str) -> str:
    if verb == "stands for":
        return ", ".join(" ".join((step.name, *step.labels)) for step in symbol.initializer)
    if verb == "flagged":
        return ", ".join(sorted(flag.name.lower() for flag in Modifier if flag in symbol.modifiers and flag.name))
    return {
        "defines": f"{symbol.kind} {symbol.qualified}",
        "spans": f"{symbol.span.start}-{symbol.span.end}",
        "documented": symbol.doc.replace("\n", " / "),
        "signed": symbol.signature,
        "overloads": ", ".join(symbol.inherits),
    }[verb]


def about_reference(reference: Reference, verb: str, names: dict[int, str]) -> str:
    expected = f" => {reference.expected}" if reference.expected else ""
    return names[reference.source] if verb == "by" else f"{reference.kind} {reference.name}{expected}"


CLAIMS = [claim for file in FILES for claim in claims_of(file)]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_a_source_says_of_itself(claim: Claim) -> None:
    """Every claim of an annotated source holds."""
    syntax = parse(claim.file)
    if claim.line == 0:
        assert ", ".join(syntax.imports if claim.verb == "imports" else syntax.problems) == claim.text
        return
    here = (claim.line, claim.column)
    if claim.verb in {"refers", "by"}:
        names = {symbol.id: symbol.qualified for symbol in syntax.symbols}
        found = [about_reference(each, claim.verb, names) for each in syntax.references if (each.line, each.column) == here]
    else:
        found = [about_symbol(each, claim.verb) for each in syntax.symbols if (each.line, each.column) == here]
    if claim.text == "nothing":
        assert found == []
    else:
        assert claim.text in found


def test_there_are_claims() -> None:
    """A typing error in the notation does not make the claims disappear."""
    lines = [line for file in FILES for line in file.read_text(encoding="utf-8").split("\n")]
    assert len(CLAIMS) == sum(bool(re.match(r"(?:      \*|//)(?:\s*\^|!)", line)) for line in lines) > 60
