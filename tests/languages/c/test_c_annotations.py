"""C and C++ sources that say themselves what must be found in them.

A comment below a line of code points with ``^`` at a column of that line, or with ``<-`` at the column of the comment itself:

    c->add("/", 0);
    // ^ refers: call add on <client> (_ _) by main

Before parsing these comments are blanked, so they are nobody's documentation. About a symbol whose name stands there: ``defines: KIND QUALIFIED``,
``typed``, ``flagged``, ``documented``, ``signed``, ``spans: FIRST-LAST``. About a reference: ``refers: KIND NAME [on CHAIN] [(LABELS)] [by OWNER]``.
About the whole file, in a line that begins with ``//!``: ``imports``, ``problems``.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from exegesis.model import Chain, Modifier, ReferenceKind, StepKind
from services.indexer.language import Language, Source, Syntax
from services.indexer.languages.c import C, Cpp

FOLDER = Path(__file__).parent
POINTER = re.compile(r"^(?P<indent>\s*)//(?P<gap>\s*)(?P<mark>\^|<-)\s*(?P<verb>\w+):\s*(?P<text>.*?)\s*$")
WHOLE = re.compile(r"^//! (?P<verb>imports|problems):\s*(?P<text>.*?)\s*$")


@dataclass(frozen=True)
class Claim:
    file: str
    at: int
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
            offset = len(pointer["indent"]) if pointer["mark"] == "<-" else pointer.start("mark")
            found.append(Claim(file.name, at, number, offset + 1, pointer["verb"], pointer["text"]))
        elif whole:
            found.append(Claim(file.name, at, 0, 0, whole["verb"], whole["text"]))
        else:
            number = at
    return found


@functools.cache
def parse(name: str) -> Syntax:
    lines = (FOLDER / name).read_text(encoding="utf-8").split("\n")
    text = "\n".join("" if POINTER.match(line) or WHOLE.match(line) else line for line in lines)
    return (C() if name.endswith(".c") else Cpp()).parse(Source(name, text, text.encode()))


def written(chain: Chain) -> str:
    """A chain as C would write it: ``<Foo>`` is a value of a type, ``[]`` an element, ``?`` what cannot be told."""
    said = ""
    for step in chain:
        dot = "." if said else ""
        said += {
            StepKind.SELF: "self",
            StepKind.TYPE: f"<{step.name}>",
            StepKind.NAME: f"{dot}{step.name}",
            StepKind.CALL: f"{dot}{step.name}()",
            StepKind.INDEX: "[]",
        }.get(step.kind, "?")
    return said


def said_of(claim: Claim, syntax: Syntax) -> list[str]:
    """What the syntax says at the place of a claim, in the words of the claim."""
    names = {symbol.id: symbol.qualified for symbol in syntax.symbols}
    if claim.verb == "refers":
        said = []
        for each in syntax.references:
            if (each.line, each.column) == (claim.line, claim.column):
                on = f" on {written(each.receiver)}" if each.receiver else ""
                labels = f" ({' '.join(each.labels)})" if each.kind is ReferenceKind.CALL else ""
                said.append(f"{each.kind.value} {each.name}{on}{labels} by {names[each.source]}")
        return said
    if claim.verb in {"imports", "problems"}:
        return [" ".join(getattr(syntax, claim.verb))]
    if claim.text == "nothing":
        return [] if any((symbol.line, symbol.column) == (claim.line, claim.column) for symbol in syntax.symbols) else ["nothing"]
    symbols = [symbol for symbol in syntax.symbols if (symbol.line, symbol.column) == (claim.line, claim.column)]
    tell = {
        "defines": lambda symbol: f"{symbol.kind.value} {symbol.qualified}",
        "typed": lambda symbol: symbol.type,
        "flagged": lambda symbol: " ".join(flag.name for flag in Modifier if flag in symbol.modifiers),
        "documented": lambda symbol: symbol.doc,
        "signed": lambda symbol: symbol.signature,
        "spans": lambda symbol: f"{symbol.span.start}-{symbol.span.end}",
    }[claim.verb]
    return [tell(symbol) for symbol in symbols]


CLAIMS = [claim for file in sorted(each for each in FOLDER.iterdir() if each.suffix in {".c", ".cpp"}) for claim in claims_of(file)]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_sources_hold_what_they_claim(claim: Claim) -> None:
    """Each claim is what is said at its place."""
    assert claim.text in said_of(claim, parse(claim.file))


def test_a_header_is_read_as_what_it_speaks() -> None:
    """The suffix does not tell; a class does."""
    text = "class Tree {\n public:\n  int leaf();\n};\n"
    assert [symbol.qualified for symbol in C().parse(Source("tree.h", text, text.encode())).symbols] == ["Tree", "Tree.leaf"]


HOSTILE = ["int f() {" + "(" * 50_000, "int f() { x(" + "f(" * 20_000, "#if A\n" * 5_000, "struct a {" * 5_000, "\x00\ufffd" * 1000, ""]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("language", [C(), Cpp()], ids=["c", "cpp"])
def test_hostile_sources_are_read_to_the_end(language: Language, text: str) -> None:
    """Depth and rubbish cost a problem, not the reader."""
    language.parse(Source("a.c", text, text.encode()))
