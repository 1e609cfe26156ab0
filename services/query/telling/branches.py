"""Where code decides: conditions under which it throws, returns or stops, read from its lines by keywords and indentation.

The same for all languages whose statements begin with these words, and told only where it is true as told: what happens stands directly in the block
that the condition opens, the block decides nothing else before it, all its lines are shown, and it belongs to the declaration itself and not to a
function or a closure within it. Blocks are told by indentation, as people read them; of code in columns by the words that end them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from exegesis.model import ContextItem
from services.query.flow import is_description
from services.query.telling.columns import say_lines, stands_in_columns
from services.query.telling.names import base_name


class Outcome(StrEnum):
    THROWS = "throws"
    RETURNS = "returns"
    STOPS = "stops"
    """Ends the program."""


class When(StrEnum):
    IF = "if"
    UNLESS = "unless"
    OTHERWISE = "otherwise"
    """If it holds, and no condition of the same statement before it does."""
    CAUGHT = "caught"
    """An error is caught, any where the condition is empty."""
    CASE = "case"


@dataclass(frozen=True, slots=True)
class Branch:
    line: int
    when: When
    condition: str
    """As written, at most :data:`LONGEST_CODE` characters and an ellipsis."""
    outcome: Outcome
    value: str
    """What is thrown or returned, likewise; empty for nothing."""
    message: str = ""
    """The text that is thrown, or that is returned as it stands; without its quotes, and whole."""
    within: str = ""
    """The condition of the one block around it that has one, as written; "error" where that is the catching of any."""


LONGEST_CODE: Final = 72
"""Characters of code that are quoted within a sentence; longer conditions say too much at once."""

REACH: Final = 6
"""Statements of a block among which its way out must be: early exits are short."""

JOINED: Final = 8
"""Lines over which one statement is followed."""

LONGEST_LINE: Final = 500
"""Characters. Longer lines are data or machine-made, and nobody reads a condition in them."""

_COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--|\"\"\"|@\w)")
"""Also attributes and what a preprocessor reads, which are no statements."""
_REMARK: Final = re.compile(r"\s*/\*.*?\*/|\s//.*|\s#\s.*")
_TEXT: Final = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`")

_OPENING: Final = re.compile(
    r"^(?:\}\s*)?(?P<word>guard|else\s+if|if|elif|elsif|catch|except|rescue|case)\b\s*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL
)
_WHEN: Final = {"guard": When.UNLESS, "catch": When.CAUGHT, "except": When.CAUGHT, "rescue": When.CAUGHT, "case": When.CASE, "if": When.IF}
"""What the word says that opens a statement; all others that do are further conditions of one before."""
_BLOCK: Final = {
    # where the condition ends that does not stand in parentheses, and the block begins
    When.UNLESS: re.compile(r"\belse\b\s*"),
    When.IF: re.compile(r"(?=\{)|:\s*$|:\s(?=raise|return)|\bthen\b|$"),
    When.OTHERWISE: re.compile(r"(?=\{)|:\s*$|:\s(?=raise|return)|\bthen\b|$"),
    When.CAUGHT: re.compile(r"(?=\{)|:\s*$|:\s(?=raise|return)|$"),
    When.CASE: re.compile(r":(?=\s|$)"),
}
_OPERATOR: Final = re.compile(r"[^\w{:\s]|(?:and|or|is|in|not|as)\b")
"""What goes on with a condition behind its first parentheses."""
_EXIT: Final = (
    (re.compile(r"^(?:throw|raise)\b\s*(?P<value>[^;}]*)", re.DOTALL), Outcome.THROWS),
    (re.compile(r"^return\b\s*(?P<value>[^;]*)", re.DOTALL), Outcome.RETURNS),
    (re.compile(r"^(?P<value>fatalError|preconditionFailure|panic|exit|abort|os\.Exit|sys\.exit|process\.exit)\s*\("), Outcome.STOPS),
)
_LEAVES: Final = re.compile(r"^(?:continue|break|goto|fallthrough|yield)\b")
"""Other ways out, which end a block and are not told."""
_DECIDES: Final = re.compile(
    r"^(?:\}\s*)?(?:guard|if|else|elif|elsif|unless|for|while|until|repeat|do|switch|select|match|case|default|try|catch|except|finally|rescue|with|async"
    r"\s+(?:for|with))\b|^[\w.]+:\s*(?:for|while|switch|do)\b|^(?:default|else|try|finally)\s*:|^\{$",
    re.IGNORECASE,
)
"""Statements whose block runs where it stands, unlike that of a closure or of a function within."""
_ALWAYS: Final = re.compile(
    r"^(?:for|while|until|repeat|do|switch|select|match|try|with|async\s+(?:for|with))\b|^[\w.]+:\s*(?:for|while|switch|do)\b", re.IGNORECASE
)
"""Of these those that depend on nothing that would have to be said: who reads of a loop's body knows that it runs for what it loops over."""
_GOES_ON: Final = (",", "&&", "||", "(", "[", "guard", " and", " or", "=", "+", "?", "\\")
_CONTINUES: Final = re.compile(r"^(?:&&|\|\||,|and\b|or\b|[?:]\s|\+\s|\.\w|else\s*\{)")
_HEAD: Final = 3
"""First lines of which one names what is declared."""
_WITHOUT_CLOSURES: Final = (".c",)
"""Suffixes of languages in which no function stands within another, so that a part of one decides for the whole."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    indent: int
    text: str
    """Without its indentation and remarks."""
    run: int
    """Which of the stretches of the file that are shown it belongs to."""


def read_branches(item: ContextItem) -> tuple[Branch, ...]:
    """The decisions in the lines of an item, in order."""
    if stands_in_columns(item.path):
        return tuple(_in_columns(tuple(said_lines(item))))
    code = _code_of(item)
    return tuple(_branches(code, has_head=_shows_head(item, code)))


def said_lines(item: ContextItem) -> Iterator[tuple[int, str]]:
    """Each line of an item with its number, as it is said where code stands in columns."""
    lines = numbered_lines(item)
    if not stands_in_columns(item.path):
        return lines
    known = list(lines)
    numbers, written = zip(*known, strict=True) if known else ((), ())
    return ((number, said) for number, said in zip(numbers, say_lines(written), strict=True) if said)


def numbered_lines(item: ContextItem) -> Iterator[tuple[int, str]]:
    """Each line of an item with its number in the file; none of what is no text of a file."""
    if is_description(item):
        return
    lines = iter(item.text.split("\n"))
    for run in item.runs:
        for number in range(run.start, run.end + 1):
            yield number, next(lines, "")


def quoted_lines(lines: Sequence[tuple[int, str]]) -> set[int]:
    """Lines of texts between three quotes: an "if" in a docstring decides nothing. None in a run that shows only one end of such a text."""
    found: set[int] = set()
    inside: set[int] = set()
    opened, before = False, 0
    for number, line in [*lines, (0, "")]:
        if number != before + 1:
            found |= set() if opened else inside
            inside, opened = set(), False
        before = number
        toggles = (line.count('"""') + line.count("'''")) % 2 == 1
        if opened or toggles:
            inside.add(number)
        opened ^= toggles
    return found


def _code_of(item: ContextItem) -> list[_Line]:
    """The lines that hold statements."""
    lines = list(numbered_lines(item))
    quoted = quoted_lines(lines)
    found: list[_Line] = []
    run = 0
    for (number, written), (before, _) in zip(lines, [(lines[0][0] - 1, ""), *lines] if lines else [], strict=False):
        run += number != before + 1
        text = _without_remarks(written).strip()
        if text and number not in quoted and len(written) <= LONGEST_LINE and not _COMMENT.match(written):
            expanded = written.expandtabs(4)
            found.append(_Line(number, len(expanded) - len(expanded.lstrip()), text, run))
    return found


def _without_remarks(written: str) -> str:
    kept, begin = [], 0
    for remark in _REMARK.finditer(blotted(written)):
        kept.append(written[begin : remark.start()])
        begin = remark.end()
    return "".join([*kept, written[begin:]])


def blotted(code: str) -> str:
    """As long, with texts in quotes blotted out."""
    return _TEXT.sub(lambda found: "_" * len(found[0]), code)


def _shows_head(item: ContextItem, code: Sequence[_Line]) -> bool:
    """Whether the first lines declare the item; a later part of a long one, or a piece of it, begins anywhere."""
    if not code:
        return False
    outermost = min(line.indent for line in code)
    name = re.compile(rf"(?<!\w){re.escape(base_name(item.symbol))}(?!\w)")
    declares = any(line.indent == outermost and name.search(line.text) for line in code[:_HEAD])
    return item.path.endswith(_WITHOUT_CLOSURES) or (code[0].indent == outermost and declares)


def _branches(code: Sequence[_Line], *, has_head: bool) -> Iterator[Branch]:
    for first, line in enumerate(code if has_head else ()):
        if not _OPENING.match(line.text):
            continue
        statement, last = _whole(code, first)
        opened = _read_condition(statement)
        within = _within(code, first)
        if opened is None or within is None:
            continue
        when, condition, inline = opened
        found = _way_out(inline) if inline else _in_block(code, line.indent, last + 1, line.run)
        if found is not None and (condition or when is When.CAUGHT):
            yield _branch(line.number, when, condition, found, within)


def _branch(line: int, when: When, condition: str, found: tuple[Outcome, str], within: str = "") -> Branch:
    outcome, value = found
    return Branch(line, when, _shorten(condition), outcome, _shorten(value), _message(value, outcome), _shorten(within))


def _whole(code: Sequence[_Line], first: int) -> tuple[str, int]:
    """A statement that goes on over several lines, on one line, and the index of its last."""
    statement, last = code[first].text, first
    while last + 1 < len(code) and last - first < JOINED and code[last + 1].run == code[first].run:
        following = code[last + 1]
        is_open = _depth(statement) > 0 or statement.endswith(_GOES_ON)
        if not is_open and not (_CONTINUES.match(following.text) and (following.indent > code[first].indent or statement.startswith("guard"))):
            break
        statement, last = f"{statement} {following.text}", last + 1
    return statement, last


def _depth(statement: str) -> int:
    """Brackets that are open at the end; braces open blocks and do not count."""
    bare = blotted(statement)
    return bare.count("(") + bare.count("[") - bare.count(")") - bare.count("]")


def _read_condition(statement: str) -> tuple[When, str, str] | None:
    """What a statement asks, and the statements behind it on its line."""
    match = _OPENING.match(statement)
    if match is None:
        return None
    when, rest = _WHEN.get(match["word"].lower(), When.OTHERWISE), match["rest"].strip()
    close = _closing(rest)
    if close and not _OPERATOR.match(rest[close + 1 :].lstrip()):
        return when, rest[1:close].strip(), _inside(rest[close + 1 :])
    end = _BLOCK[when].search(blotted(rest))
    return (when, rest[: end.start()].strip(), _inside(rest[end.end() :])) if end else None


def _closing(text: str) -> int:
    """Index of the parenthesis that closes the one that a text begins with; 0 where there is none."""
    depth = 0
    for index, character in enumerate(blotted(text)):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index
    return 0


def _inside(block: str) -> str:
    """What stands in a block on one line."""
    inner = block.strip().removeprefix(":").strip()
    return inner[1:].removesuffix("}").strip() if inner.startswith("{") else inner


def _exits(text: str) -> bool:
    return any(pattern.match(text) for pattern, _ in _EXIT) or bool(_LEAVES.match(text))


def _within(code: Sequence[_Line], index: int) -> str | None:
    """The condition of the block in which a statement stands, empty where it runs in any case; None where its block belongs to a closure or a
    function within the declaration, depends on more than one condition, or is not shown.
    """
    outermost = code[0].indent
    body = min((line.indent for line in code if line.indent > outermost), default=outermost)
    indent, run = code[index].indent, code[index].run
    around: list[str] = []
    for at in range(index - 1, -1, -1):
        line = code[at]
        if indent <= body:
            break
        if line.run != run:
            return None
        if line.indent >= indent or line.text[:1] in {")", "]"}:
            continue
        if line.text == "{":  # its statement stands above it, as far out as itself
            indent = line.indent + 1
            continue
        if not _DECIDES.match(line.text):
            return None
        if not _ALWAYS.match(line.text):
            opened = _read_condition(_whole(code, at)[0])
            if opened is None or opened[0] not in {When.IF, When.CAUGHT, When.CASE}:
                return None
            around.append(opened[1] if opened[0] is not When.CAUGHT else "error")
        indent = line.indent
    return None if len(around) > 1 else "".join(around)


def _in_block(code: Sequence[_Line], indent: int, start: int, run: int) -> tuple[Outcome, str] | None:
    """The way out that stands directly in the block after a condition with this indentation."""
    if start < len(code) and code[start].text == "{":
        start += 1
    if start >= len(code) or code[start].indent <= indent:
        return None
    inside = code[start].indent
    statements = 0
    for index in range(start, len(code)):
        line = code[index]
        if line.run != run or line.indent < inside or statements >= REACH:
            return None
        if line.indent > inside:
            continue  # of a statement that goes on, or a closure
        statements += 1
        if _exits(line.text):
            return _way_out(_whole(code, index)[0])
        if _DECIDES.match(line.text):
            return None
    return None


def _way_out(text: str) -> tuple[Outcome, str] | None:
    """How the first of some statements that leaves leaves; None for one that only goes on with a loop."""
    begin = 0
    for masked in blotted(text).split(";"):
        written = text[begin : begin + len(masked)]
        begin += len(masked) + 1
        skipped = len(masked) - len(masked.lstrip())
        for pattern, outcome in _EXIT:
            if match := pattern.match(masked[skipped:]):
                return outcome, written[skipped:][slice(*match.span("value"))].strip()
        if _LEAVES.match(masked.lstrip()):
            return None
    return None


def _message(value: str, outcome: Outcome) -> str:
    """The text in what is thrown, or the text that is returned: where it says something, and the whole of one that is written in pieces."""
    pieces = list(_TEXT.finditer(value))
    if not pieces or outcome is Outcome.STOPS or (outcome is Outcome.RETURNS and value[: pieces[0].start()].strip(" (f")):
        return ""
    adjacent = itertools.takewhile(lambda pair: not value[pair[0].end() : pair[1].start()].strip(" +f"), itertools.pairwise(pieces))
    text = "".join(piece[0][1:-1] for piece in [pieces[0], *(after for _, after in adjacent)]).strip()
    return text if " " in text else ""


def _in_columns(lines: Sequence[tuple[int, str]]) -> Iterator[Branch]:
    """Of code in columns, whose blocks are ended by words that are said as braces."""
    for first, (number, line) in enumerate(lines):
        opened = _read_condition(line) if not _COMMENT.match(line) else None
        if opened is None or opened[2]:
            continue
        when, condition, _ = opened
        for _, following in itertools.islice(lines, first + 1, first + 1 + REACH):
            found = _way_out(following)
            if found is not None and condition:
                yield _branch(number, when, condition, found)
            if found is not None or following.startswith("}") or _DECIDES.match(following):
                break


def _shorten(code: str) -> str:
    flat = " ".join(code.split()).strip(" ,")
    if flat.startswith("(") and _closing(flat) == len(flat) - 1:
        flat = flat[1:-1].strip()
    return flat if len(flat) <= LONGEST_CODE else flat[: LONGEST_CODE - 1].rstrip() + "…"
