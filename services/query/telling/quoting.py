"""Text of a repository as an answer may quote it: whatever it holds, nothing in it reads as a citation. Pure.

An answer speaks of its evidence by markers (``[E3]``), and of lines of calls by ``(line 12)``; the checker resolves both. A comment can hold the same
letters, so everything that is quoted passes one of these two on its way into a sentence.
"""

from __future__ import annotations

import re
from typing import Final

CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""What nobody sees: stripped before anything is looked for, so that it cannot part what is joined again later."""

_SPAN: Final = re.compile(r"(`[^`]*`)")
_IN_CODE: Final = re.compile(r"(?<=\[)(?=E\d)|(?<=\()(?=line \d)")
_IDS: Final = re.compile(r"\(\s*(E\d+(?:\s*[,;&]\s*E\d+)*)\s*\)")
_LINE: Final = re.compile(r"\((?=line \d)")
_OPENING: Final = re.compile(r"<(?=[A-Za-z/!?])")
"""Of a tag that does not end within the quotation: it would end, and take away, what stands behind it."""

_BRACKETS: Final = str.maketrans("[]【】", "()()")


def without_marks(code: str) -> str:
    """Code as it stands, with a blank where it could be read as a citation: ``table[ E2]``."""
    return _IN_CODE.sub(" ", CONTROL.sub("", code))


def prose_without_marks(text: str) -> str:
    """Prose with round brackets for square ones and ids without any; code spans of it keep theirs."""
    parts = _SPAN.split(re.sub(r"\\*`+", "`", CONTROL.sub("", text)))
    return "".join(without_marks(part) if _SPAN.fullmatch(part) else _bare(part) for part in parts)


def _bare(prose: str) -> str:
    return _OPENING.sub("< ", _LINE.sub("(at ", _IDS.sub(r"\1", prose.translate(_BRACKETS))))
