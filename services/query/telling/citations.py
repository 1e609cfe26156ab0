"""Every citation of an answer, checked against the indexed text while the answer is being written.

What is checked, sentence by sentence:

* ``[E3]`` must be an item of the evidence; others are dropped.
* ``path:line`` must be a line of an indexed file: inside an item it becomes that item's citation, elsewhere a citation of its own; a line that does
  not exist is dropped. When the sentence quotes code that stands at another line, the citation moves there.
* Of an answer that is composed from the evidence only the composer's own ``[E3]`` count: what it quotes was disarmed (``quoting``) and can cite
  nothing. A model quotes in its own ways: markers within code, and such as stand behind the same words in the evidence, are not its own.
* Identifiers in backticks must occur in what the sentence cites or in what that calls or is called by; otherwise the sentence is marked.

The idea of checking quotes literally instead of trusting them is old (attributed question answering, B. Bohnet et al., 2022); the rules are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from exegesis.model import Citation, Context, ContextItem
from services.query.flow import Flow, holds, is_description
from services.query.telling.columns import stands_in_columns
from services.query.telling.markup import CODE_SPAN, code_spans, leaves_code_open, make_safe, safe_language
from services.query.telling.prose import is_prose
from services.query.telling.quoting import without_marks
from services.query.telling.wording import plain

Lines = Callable[[str, str], Sequence[str]]
"""All lines of a file as indexed, by repository and path; empty when it is not indexed."""

_ID: Final = re.compile(r"E\d+")
_GROUP: Final = re.compile(r"[\[【(]\s*(?P<ids>E\d+(?:\s*[:,;&]\s*(?:and\s+)?(?:E?\d+(?:-\d+)?))*)\s*[\]】)]")
_RANGE: Final = re.compile(r"E(?P<first>\d+)\s*[-–]\s*E(?P<last>\d+)")
_PLACE: Final = re.compile(
    r"(?P<open>[\[(]?`?)(?<![\w.+@/\\-])(?P<path>[\w.+@\-]{1,120}(?:[/\\][\w.+@ \-]{1,80}?){0,16}\.[A-Za-z_]\w{0,11})"
    r"(?::|#L|,?\s+lines?\s+)(?P<start>\d+)(?:(?:-|–|\s+to\s+|-L)L?(?P<end>\d+))?(?::\d+)?(?P<close>`?[\])]?)"
)
_CALL_AT: Final = re.compile(r"\(line (?P<line>\d{1,7})\b(?=[^\[\]]{0,400}\[(?P<id>E\d+)\])")
"""A call as explanations tell it: its line, and behind it the citation of what calls."""
_COMPOSED: Final = re.compile(r"\[(?P<ids>E[0-9]+)\]")
"""The one form in which a composer cites."""

_IDENTIFIER: Final = re.compile(r"[A-Za-z_]\w{2,}")
_WHOLE_IDENTIFIER: Final = re.compile(r"\b[A-Za-z_]\w{2,}+(?!…)")
"""An ellipsis behind a word says that it was cut."""

_FENCE: Final = re.compile(r"^\s*(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
_BOUNDARY: Final = re.compile(r"(?<=\S)[.!?](?:\s*\[E[^\]\n]*\])*[ \t]+(?=[^\s\[])")
_NO_BOUNDARY: Final = re.compile(r"(?:^\s*(?:[-*>]\s+)?\d+|\be\.g|\bi\.e|\betc|\bvs|\bcf)$")

EVERYWHERE: Final = frozenset({"nil", "null", "None", "undefined", "true", "false", "True", "False", "self", "this", "super", "void", "Void"}) | {
    *("async", "await", "throws", "throw", "try", "catch", "guard", "return", "defer", "static", "class", "struct")
}
"""Words of programming languages: in backticks they name nothing that could be missing."""

UNVERIFIED: Final = "unverified"
SHORTEST_QUOTE: Final = 10
"""Characters from which a code span with more than an identifier counts as a quotation that stands somewhere."""

COPIED: Final = 12
"""Characters before a marker that stand before the same one in the evidence, from which it is a quotation and not the model's."""

LONGEST_SENTENCE: Final = 4_000
"""Characters after which text is verified although no sentence has ended, so that endless ones cost no more than their length."""

MOST_LED_TO: Final = 3
"""Members to whose lines one sentence about a description leads."""

FEWEST_WORDS: Final = 4
"""A line with fewer words (a heading, "Steps:") claims nothing."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What verification found over a whole answer."""

    text: str
    citations: tuple[Citation, ...]
    """Those that the text uses, in the order of first use."""
    sentences: int
    """Sentences that claim something."""
    supported: int
    """Of these, cited and not marked."""
    rejected: int
    """Citations that were dropped."""

    @property
    def share(self) -> float:
        """Share of supported sentences, in [0, 1]; 0 for an answer that claims nothing."""
        return self.supported / self.sentences if self.sentences else 0.0


class CitationChecker:
    """Feed it an answer in any portions; it returns verified text as sentences become complete. What it returned, joined, is ``Checked.text``."""

    def __init__(self, context: Context, flow: Flow, lines: Lines) -> None:
        self._items: Mapping[str, ContextItem] = {item.id: item for item in context.items}
        self._flow = flow
        self._lines = lines
        self._next_id = 1 + max((int(item.id[1:]) for item in context.items if _ID.fullmatch(item.id)), default=0)
        self._places: dict[tuple[str, str, int, int], Citation] = {}
        self._used: dict[str, Citation] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._flat_texts: dict[str, str] = {}
        self._pending = ""
        self._composed = False
        self._fence = ""
        self._at_line_start = True
        self._ends_in_code = False
        self._written: list[str] = []
        self._sentences = self._supported = self._rejected = 0

    # ---- streaming

    def feed(self, text: str, *, composed: bool = False) -> str:
        """``composed``: by ourselves from the evidence, and not by a model. Finish before changing from one to the other."""
        self._composed = composed
        self._pending += text
        ready: list[str] = []
        while (end := self._end_of_sentence()) is not None:
            sentence, self._pending = self._pending[:end], self._pending[end:]
            ready.append(self._take(sentence))
        return self._write("".join(ready))

    def finish(self) -> str:
        """Verify what is left, and close a block that was left open."""
        rest, self._pending = self._pending, ""
        last = self._take(rest) if rest else ""
        if self._fence:
            last += ("" if last.endswith("\n") or not last else "\n") + self._fence + "\n"
            self._fence = ""
        return self._write(last)

    def checked(self) -> Checked:
        return Checked("".join(self._written), tuple(self._used.values()), self._sentences, self._supported, self._rejected)

    def _write(self, text: str) -> str:
        self._written.append(text)
        return text

    def _end_of_sentence(self) -> int | None:
        """Where the first complete sentence or line of the pending text ends."""
        newline = self._pending.find("\n")
        line_end = None if newline < 0 else newline + 1
        if self._fence or (self._at_line_start and _FENCE.match(self._pending[:line_end])):
            return line_end
        for match in _BOUNDARY.finditer(self._pending, 0, line_end or len(self._pending)):
            before = self._pending[: match.start()]
            closed = before.count("[") <= before.count("]") and before.count("(") <= before.count(")")
            if closed and not _NO_BOUNDARY.search(before) and not leaves_code_open(before):
                return match.end()
        return LONGEST_SENTENCE if line_end is None and len(self._pending) > LONGEST_SENTENCE else line_end

    def _take(self, sentence: str) -> str:
        body = sentence.rstrip("\n")
        ending = sentence[len(body) :]
        begins_line, self._at_line_start = self._at_line_start, bool(ending)
        if begins_line and (fence := _FENCE.match(body)):
            return self._toggle_fence(fence["ticks"], fence["info"], body) + ending
        if self._fence:
            return sentence
        verified = self._verify(body) + ending
        touching, self._ends_in_code = self._ends_in_code and not begins_line and verified.startswith("`"), verified.endswith("`")
        return f" {verified}" if touching else verified

    def _toggle_fence(self, ticks: str, info: str, line: str) -> str:
        """Fences are written without indentation: only then every viewer agrees where code begins and ends."""
        if not self._fence:
            self._fence = ticks
            return ticks + safe_language(info)
        if ticks.startswith(self._fence) and not info.strip():
            closing, self._fence = self._fence, ""
            return closing
        return line

    # ---- one sentence

    def _verify(self, sentence: str) -> str:
        cited: dict[str, None] = {}
        text = self._resolve(sentence, cited)
        text = self._lead_to_calls(self._lead_to_members(text, cited), cited)
        text = text if self._composed else self._move_quotes(text, cited)
        text = make_safe(text)
        text = re.sub(r"[ \t]+([.,;:])(?=\s|$)", r"\1", text) if text != sentence else text
        for identifier in cited:
            self._use(identifier)
        if len(re.findall(r"\w+", re.sub(r"\[E\d+\]", "", text))) < FEWEST_WORDS or text.lstrip().startswith("#") or text.rstrip().endswith(":"):
            return text
        self._sentences += 1
        strange = self._strangers(text, cited) if cited else []
        if strange:
            spaces = text[len(text.rstrip()) :]
            return f"{text.rstrip()} ({UNVERIFIED}: {', '.join(f'`{name}`' for name in strange[:3])}){spaces}"
        self._supported += bool(cited)
        return text

    def _resolve(self, sentence: str, cited: dict[str, None]) -> str:
        if self._composed:
            return _COMPOSED.sub(lambda match: self._resolve_ids(match["ids"], cited), sentence)

        def resolve(match: re.Match[str]) -> str:
            return _disarmed(match.group()) if self._is_copied(match) else self._resolve_ids(match["ids"], cited)

        quotes = [span for span in code_spans(sentence) if not _PLACE.fullmatch(span)]
        resolved = ""
        for text, is_quoted in _apart(sentence):
            resolved += without_marks(text) if is_quoted else _GROUP.sub(resolve, _RANGE.sub(_spell_range, self._resolve_places(text, quotes, cited)))
        return resolved

    def _is_copied(self, match: re.Match[str]) -> bool:
        """Whether a marker stands in the evidence behind the same words: then whoever wrote the evidence wrote it."""
        before = _flat(match.string[: match.start()])[-COPIED:]
        needle = _flat(match.string[: match.end()])[-(len(_flat(match.group())) + COPIED) :]
        if len(before) < COPIED or not any(needle in self._flat_text_of(item) or needle in _flat(item.doc) for item in self._items.values()):
            return False
        self._rejected += 1
        return True

    def _resolve_ids(self, group: str, cited: dict[str, None]) -> str:
        known: list[str] = []
        for identifier in _ID.findall(group):
            if identifier in self._items or any(place.id == identifier for place in self._places.values()):
                known.append(identifier)
            else:
                self._rejected += 1
        cited.update(dict.fromkeys(known))
        return " ".join(f"[{identifier}]" for identifier in dict.fromkeys(known))

    def _resolve_places(self, prose: str, quotes: Sequence[str], cited: dict[str, None]) -> str:
        def resolve(match: re.Match[str]) -> str:
            if self._is_copied(match):
                return match.group()
            start = int(match["start"][:9])
            end = int(match["end"][:9]) if match["end"] else start
            identifier = self._place(match["path"].replace("\\", "/"), start, end, quotes)
            if identifier is None:
                self._rejected += 1
                return ""
            cited[identifier] = None
            return f"[{identifier}]"

        return _PLACE.sub(resolve, prose)

    def _place(self, written: str, start: int, end: int, quotes: Sequence[str]) -> str | None:
        """The citation for a place that a model wrote, or None when there is no such place."""
        found = self._file(written)
        if found is None:
            return None
        repository, path = found
        lines = self._lines(repository, path)
        for quote in quotes:
            if len(quote) >= 4 and not any(quote in line for line in lines[max(start - 1, 0) : end]):
                occurrences = [number for number, line in enumerate(lines, start=1) if quote in line]
                if len(occurrences) == 1:
                    start = end = occurrences[0]
                    break
        if not 1 <= start <= end <= len(lines):
            return None
        inside = [item for item in self._items.values() if item.path == path and item.repository == repository and holds(item, start)]
        if inside:
            return inside[0].id
        key = (repository, path, start, end)
        if key not in self._places:
            self._places[key] = Citation(f"E{self._next_id}", repository, path, start, end, "")
            self._next_id += 1
        return self._places[key].id

    def _file(self, written: str) -> tuple[str, str] | None:
        """The indexed file that a written path means: itself, or the only file of the evidence whose path ends with it."""
        known = dict.fromkeys((item.repository, item.path) for item in self._items.values())
        for repository, path in known:
            if path == written:
                return repository, path
        ending = [place for place in known if place[1].endswith("/" + written)]
        if len(ending) == 1:
            return ending[0]
        for repository in dict.fromkeys(repository for repository, _ in known):
            if self._lines(repository, written):
                return repository, written
        return None

    def _move_quotes(self, text: str, cited: dict[str, None]) -> str:
        """A sentence with one citation that quotes code of another item is about that other item."""
        if len(cited) != 1:
            return text
        (only,) = cited
        item = self._items.get(only)
        quotes = [span for span in code_spans(text) if len(span) >= SHORTEST_QUOTE and not _IDENTIFIER.fullmatch(span)]
        if item is None or not quotes or any(_flat(quote) in self._flat_text_of(item) or _names(quote, item) for quote in quotes):
            return text
        holders = [other for other in self._items.values() if any(_flat(quote) in self._flat_text_of(other) for quote in quotes)]
        if len(holders) != 1:
            return text
        cited.clear()
        cited[holders[0].id] = None
        return text.replace(f"[{only}]", f"[{holders[0].id}]")

    def _lead_to_members(self, text: str, cited: dict[str, None]) -> str:
        """A description is no text of a file: what a sentence cites of it are the lines of the declarations that the sentence names."""
        for identifier in [each for each in cited if each in self._items and is_description(self._items[each])]:
            item = self._items[identifier]
            lines = self._lines(item.repository, item.path)
            names = dict.fromkeys(_IDENTIFIER.findall(" ".join(code_spans(text))))
            shown = [line for run in item.runs for line in range(run.start, run.end + 1) if line <= len(lines)]
            found = [line for name in names for line in shown[1:] if name in _IDENTIFIER.findall(lines[line - 1])][:MOST_LED_TO]
            if not found:
                continue
            del cited[identifier]
            places = [self._cite_line(item, line) for line in dict.fromkeys(found)]
            cited.update(dict.fromkeys(places))
            text = text.replace(f"[{identifier}]", " ".join(f"[{place}]" for place in places))
        return text

    def _lead_to_calls(self, text: str, cited: dict[str, None]) -> str:
        """Of a long declaration some lines are shown, and its calls are told wherever they stand: the line of one that is not shown is cited too."""
        far: dict[str, list[str]] = {}
        for told in _CALL_AT.finditer(text):
            item, line = self._items.get(told["id"]), int(told["line"])
            if item is None or item.id not in cited or any(run.start <= line <= run.end for run in item.runs):
                continue
            if line <= len(self._lines(item.repository, item.path)) and any(call.line == line for call in self._flow.calls_from(item)):
                far.setdefault(item.id, []).append(self._cite_line(item, line))
        for identifier, places in far.items():
            cited.update(dict.fromkeys(places))
            text = text.replace(f"[{identifier}]", " ".join(f"[{each}]" for each in dict.fromkeys((identifier, *places))), 1)
        return text

    def _cite_line(self, item: ContextItem, line: int) -> str:
        key = (item.repository, item.path, line, line)
        if key not in self._places:
            self._places[key] = Citation(f"E{self._next_id}", item.repository, item.path, line, line, item.symbol)
            self._next_id += 1
        return self._places[key].id

    def _strangers(self, text: str, cited: Mapping[str, None]) -> list[str]:
        """Identifiers in backticks that stand neither in what is cited nor in its neighbours in the graph."""
        near = [self._items[identifier] for identifier in cited if identifier in self._items]
        led = {(place.repository, place.path, place.symbol) for place in self._places.values() if place.id in cited and place.symbol}
        near += [item for item in self._items.values() if is_description(item) and (item.repository, item.path, item.symbol) in led]
        for item in tuple(near):
            near += [call.target for call in self._flow.calls_from(item)] + [call.source for call in self._flow.calls_to(item)]
        words = set().union(*(self._words_of(item) for item in near))
        for place in self._places.values():
            if place.id in cited:
                words |= {
                    word for line in self._lines(place.repository, place.path)[place.start - 1 : place.end] for word in _IDENTIFIER.findall(line)
                }
        if any(stands_in_columns(item.path) for item in near):  # RPG: letter case says nothing there
            words = {word.lower() for word in words}
            return [word for word in self._spoken(text) if word.lower() not in words and word not in EVERYWHERE]
        return [word for word in self._spoken(text) if word not in words and word not in EVERYWHERE]

    @staticmethod
    def _spoken(text: str) -> Iterable[str]:
        """The identifiers in backticks, each once."""
        return dict.fromkeys(word for span in code_spans(text) for word in _WHOLE_IDENTIFIER.findall(span) if not span.startswith(('"', "'")))

    def _words_of(self, item: ContextItem) -> frozenset[str]:
        if item.id not in self._words:
            shown = f"{item.text} {item.symbol} {item.signature} {item.doc} {item.path}"
            self._words[item.id] = frozenset(_IDENTIFIER.findall(shown))
        return self._words[item.id]

    def _flat_text_of(self, item: ContextItem) -> str:
        if item.id not in self._flat_texts:
            self._flat_texts[item.id] = _flat(item.text)
        return self._flat_texts[item.id]

    def _use(self, identifier: str) -> None:
        if identifier in self._used:
            return
        item = self._items.get(identifier)
        if item is not None:
            end = item.runs[0].end if is_description(item) else item.end
            title = plain(item.symbol) if is_prose(item) and "<" in item.symbol else item.symbol
            self._used[identifier] = Citation(item.id, item.repository, item.path, item.start, end, title)
        else:
            self._used[identifier] = next(place for place in self._places.values() if place.id == identifier)


def _names(quote: str, item: ContextItem) -> bool:
    """Whether a code span is no quotation but the name of the item or of its file."""
    return quote in item.symbol or item.path.endswith(quote)


def check_citations(text: str, context: Context, flow: Flow, lines: Lines, *, composed: bool = False) -> Checked:
    """A whole answer at once."""
    checker = CitationChecker(context, flow, lines)
    checker.feed(text, composed=composed)
    checker.finish()
    return checker.checked()


def _apart(sentence: str) -> Iterator[tuple[str, bool]]:
    """Prose and quoted code, in order. A code span that is nothing but a citation is prose: so models like to write them."""
    position = 0
    for match in CODE_SPAN.finditer(sentence):
        written = match["code"].strip()
        if not (_PLACE.fullmatch(written) or _GROUP.fullmatch(written)):
            yield sentence[position : match.start()], False
            yield match.group(), True
            position = match.end()
    yield sentence[position:], False


def _disarmed(marker: str) -> str:
    return marker.strip("[]【】() ")


def _spell_range(match: re.Match[str]) -> str:
    first, last = int(match["first"]), int(match["last"])
    if not first <= last <= first + 20:
        return match.group()
    return ", ".join(f"E{number}" for number in range(first, last + 1))


def _flat(code: str) -> str:
    return " ".join(code.split())
