"""Lines of code that stands in columns, as a reader would say them: RPG, for which free statements are made of its fixed ones.

Deliberately shallow, like everything that reads lines here: operations become the words that other languages use for them. What only declares says
nothing. A statement that goes on over several lines stands on its first, and the others are blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

SUFFIXES: Final = (".rpgle", ".sqlrpgle", ".rpgleinc", ".rpginc", ".sqlrpg", ".rpg", ".rpg38", ".rpg36", ".mbr")
"""Of RPG, as its language in the indexer claims them."""

JOINED: Final = 12
"""Lines of one statement that are joined."""

_FIXED: Final = re.compile(r"[^A-Za-z]{5}[HFDPCIOhfdpcio][ /+*\d]")
_COMMENT: Final = re.compile(r".{5}(?:.\*|\*)|\s*//")
_WORD: Final = re.compile(r"\s*(?P<word>[A-Za-z-]+)(?:\([A-Za-z: ]{1,12}\))?(?=[\s;]|$)\s*(?P<rest>.*)", re.DOTALL)
_EXTENDED: Final = frozenset(
    {"CALLP", "EVAL", "EVALR", "IF", "ELSEIF", "DOW", "DOU", "WHEN", "FOR", "RETURN", "ON-ERROR", "MONITOR", "SORTA", "XML-INTO", "DATA-INTO"}
)
_SAID: Final = {
    "IF": "if {}",
    "ELSEIF": "else if {}",
    "WHEN": "case {}:",
    "DOW": "while {}",
    "DOU": "until {}",
    "RETURN": "return {}",
    "ON-ERROR": "catch {}",
    "CALLP": "{}",
    "EVAL": "{}",
    "EVALR": "{}",
    "EXSR": "{}()",
}
"""How operations are said; those of :data:`_CLOSES` end a block, all others nothing."""

_CLOSES: Final = frozenset({"ELSE", "END", "ENDIF", "ENDDO", "ENDFOR", "ENDSL", "ENDMON", "ENDSR", "OTHER", "SELECT", "MONITOR"})
_SILENT: Final = frozenset({"CTL-OPT", "BEGSR", "EXEC", "ITER", "LEAVE", "LEAVESR", "FOR", "FOR-EACH", "END-PROC"})


def stands_in_columns(path: str) -> bool:
    """Whether the lines of a file are to be read by this module."""
    return path.lower().endswith(SUFFIXES)


def say_lines(lines: Sequence[str]) -> Iterator[str]:
    """As many lines as there are, each as it is said; empty where it says nothing."""
    said: list[str] = []
    first = -1
    open_free = False
    for raw in lines:
        line = raw.expandtabs(8)
        said.append("")
        if _COMMENT.match(line):
            said[-1] = "// " + line.lstrip(" 0123456789cCdDpPhHfF").lstrip("/* ")
        elif _FIXED.match(line):
            if open_free:
                said[first], open_free = _say_free(said[first]), False
            first = _say_fixed(line[:80], said, first)
        elif line.strip():
            if open_free and len(said) - first <= JOINED:
                said[first] += " " + line.strip()
            else:
                first = len(said) - 1
                said[first] = line.strip()
            open_free = not line.rstrip().endswith(";") and "; //" not in line
            if not open_free:
                said[first] = _say_free(said[first])
    if open_free and first >= 0:
        said[first] = _say_free(said[first])
    yield from said


def _say_fixed(line: str, said: list[str], first: int) -> int:
    """Adds a calculation to what is said; gives the index of the statement that the next line may continue, -1 for none."""
    if line[5] not in "Cc" or line[6:7] in {"/", "+"}:
        return -1
    if not line[6:35].strip():
        if first >= 0 and len(said) - first <= JOINED:
            said[first] += " " + line[35:].strip()
        return first
    word = line[25:35].partition("(")[0].strip().upper()
    if word in _EXTENDED:
        said[-1] = _say(word, line[35:].strip())
        return len(said) - 1
    factor, result = line[35:49].strip(), line[49:63].strip()
    if word in {"MOVE", "MOVEL", "Z-ADD"} and result:
        said[-1] = f"{result} = {factor}"
    elif word == "CALL" and factor:
        said[-1] = factor.strip("'") + "()"
    else:
        said[-1] = _say(word, factor)
    return -1


def _say_free(statement: str) -> str:
    text = re.sub(r"\s*//.*$", "", statement).rstrip("; ")
    match = _WORD.match(text)
    if match is None:
        return text
    word = match["word"].upper()
    if word.startswith(("DCL-", "END-")) or word in _SILENT:
        return ""
    if word in _SAID or word in _CLOSES:
        return _say(word, match["rest"].strip())
    return text


def _say(word: str, rest: str) -> str:
    if word in _CLOSES:
        return "}"
    return _SAID[word].format(rest).strip() if word in _SAID else ""
