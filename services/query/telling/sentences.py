"""Sentences about evidence: what an item does, how it is reached, what it decides and hands over; each ends with its citation. Pure."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from exegesis.heads import is_licence
from exegesis.model import ContextItem, EdgeKind
from exegesis.terms import spoken, stem, stop_words
from services.query.flow import POSSIBLE, Call, Flow, Step, Verb, holds
from services.query.telling.branches import Branch, Outcome, When, blotted, numbered_lines, read_branches
from services.query.telling.comments import Comment
from services.query.telling.deeds import tell_deeds, tell_settings
from services.query.telling.names import base_name, owner_of, result_of
from services.query.telling.things import TYPES, VALUES
from services.query.telling.wording import code, deprecation, first_sentence, join_words, plain, shorten, statement, without_code

MOST_BRANCHES: Final = 2
"""Decisions told for one step."""

LONGEST_MESSAGE: Final = 100
"""Characters of the text of an error."""

MOST_CALLS: Final = 6
MOST_ALIKE: Final = 2
"""Other implementations of a requirement that are named."""

FEWEST_WORDS: Final = 4
"""A shorter sentence of a document is a label."""


def tell_steps(steps: Sequence[Step], flow: Flow, question: str = "") -> str:
    """A numbered list; a step may speak of others by their numbers. Of what it decides that is told first which says words of the question."""
    numbers = {step.item.id: number for number, step in enumerate(steps, start=1)}
    asked = stems(question)
    return "\n".join(f"{number}. {' '.join(tell_step(step, steps, flow, numbers, asked))}" for number, step in enumerate(steps, start=1))


def tell_step(step: Step, steps: Sequence[Step], flow: Flow, numbers: Mapping[str, int], asked: Collection[str]) -> Iterator[str]:
    item = step.item
    cited = cite(item)
    name = f"**{code(item.symbol or item.path)}**"
    handed = _handed_over(item, steps, flow, numbers)
    if alike := _told_alike(step, steps, numbers):
        yield f"{name} does what step {alike} does, in {code(base_name(item.symbol.partition('(')[0].rpartition('.')[0]) or item.path)} {cited}."
    elif same := _same_words(step, steps, numbers):
        does = "does this for" if step.by is not None and numbers.get(step.by.source.id) == same else "is described in the words of"
        yield f"{name} {does} step {same} {cited}."
    else:
        clause = clause_of(item, step.by.declared if step.by else "", {base_name(call.name) for call in handed if call.runs})
        yield f"{name} {clause or stands(item)} {cited}."
        if notice := deprecation(item):
            yield f"It is deprecated{notice.rstrip()} {cited}."
        yield from _reached(step, numbers.keys(), flow)
    yield from (f"{_branch(branch)} {cited}." for branch in _notable(item, asked))
    if first_sentence(item.doc) and _described(item) and (settings := tell_settings(item)):
        yield f"It sets {settings} {cited}."
    yield from _calls(item, handed, flow, numbers)


def clause_of(item: ContextItem, declared: str = "", told: Collection[str] = ()) -> str:
    """What an item does, in the words of its comment, its name, its statements or its signature; empty when none says anything.

    Of its statements not the calls of what is ``told`` anyway.
    """
    said = _described(item, declared) or ("" if item.kind in TYPES else tell_deeds(item, told))
    result = "" if said or item.kind in TYPES or told else result_of(item)
    return said or (f"returns {code(result)}" if result else "")


def _described(item: ContextItem, declared: str = "") -> str:
    """In the words of its comment or its name. Who may copy it is not what it does."""
    return "" if is_licence(item.doc) else statement(item, declared)


def _same_words(step: Step, steps: Sequence[Step], numbers: Mapping[str, int]) -> int:
    """The earlier step whose comment says the very same, of a wrapper or an overload; 0 for none."""
    said = first_sentence(step.item.doc)
    if not said or not _described(step.item):
        return 0  # a ruler, or the name of what follows
    earlier = (other.item for other in steps if numbers[other.item.id] < numbers[step.item.id])
    return next((numbers[other.id] for other in earlier if first_sentence(other.doc) == said), 0)


def _told_alike(step: Step, steps: Sequence[Step], numbers: Mapping[str, int]) -> int:
    """The earlier step that runs for the same declaration, when this one has nothing of its own to say; 0 for none."""
    by = step.by
    if by is None or by.edge.kind not in POSSIBLE or first_sentence(step.item.doc):
        return 0
    for other in steps:
        if other.item.id == step.item.id:
            return 0
        if other.by is not None and (other.by.edge.source, other.by.edge.kind) == (by.edge.source, by.edge.kind):
            return numbers[other.item.id]
    return 0


def _reached(step: Step, told: Collection[str], flow: Flow) -> Iterator[str]:
    """How the reader gets here, where no step says so: through a declaration, or from what is no step of its own."""
    by = step.by
    if by is None:
        return
    if by.edge.kind is EdgeKind.OVERRIDE:
        yield f"It may run in place of {code(by.source.symbol)}, which it overrides {cite(by.target)}."
    elif by.edge.kind in POSSIBLE:
        alike = [call.target for call in flow.calls_from(by.source) if call.caller == by.caller and call.edge.kind in POSSIBLE]
        others = list({item.id: item for item in alike if item.id not in told}.values())
        named = [f"{code(owner_of(item.symbol) or item.symbol)} {cite(item)}" for item in others[:MOST_ALIKE]]
        more = [f"{len(others) - MOST_ALIKE} more"] if len(others) > MOST_ALIKE else []
        beside = f", as may those of {join_words([*named, *more])}" if others else ""
        yield f"It may run for {code(by.source.symbol)} (declared at {place_of(by)}) {cite(by.source)}{beside}."
    elif by.source.id not in told:
        yield f"{code(by.source.symbol or by.source.path)} {by.verb.said(certain=by.certain)} it at {place_of(by)} {cite(by.source)}."


def _handed_over(item: ContextItem, steps: Sequence[Step], flow: Flow, numbers: Mapping[str, int]) -> list[Call]:
    """Calls of steps that are told, and of requirements that steps run for; each callee once, and last what is only referred to."""
    ways = {step.by.source.id for step in steps if step.by is not None and step.by.edge.kind in POSSIBLE}
    distinct: dict[str, Call] = {}
    for call in sorted(flow.calls_from(item), key=lambda call: not call.runs):
        distinct.setdefault(call.target.id, call)
    calls = [call for call in distinct.values() if call.edge.kind not in POSSIBLE and (call.target.id in numbers or call.target.id in ways)]
    return calls[:MOST_CALLS]


def _calls(item: ContextItem, handed: Sequence[Call], flow: Flow, numbers: Mapping[str, int]) -> Iterator[str]:
    """The hand-over to other steps."""
    for verb, certain in itertools.product(Verb, (True, False)):
        told = [call for call in handed if (call.verb, call.certain) == (verb, certain)]
        parts = [f"{code(callee_of(call))} (line {call.line}{_step_number(call, item, numbers)})" for call in told]
        if parts:
            yield f"It {verb.said(certain=certain)} {join_words(parts)} {_cite_lines(item, [call.line for call in told], flow)}."


def callee_of(call: Call) -> str:
    """The name as it stands at the call, initialisers with their type."""
    name = base_name(call.name)
    return f"{base_name(call.name.partition('(')[0].rpartition('.')[0])}.{name}" if name == "init" else name


def _step_number(call: Call, item: ContextItem, numbers: Mapping[str, int]) -> str:
    """Only where the reader could not guess it: not for the very next step."""
    number = numbers.get(call.target.id, 0)
    if not number or number == numbers.get(item.id, 0) + 1:
        return ""
    return f", {'back to ' if number <= numbers.get(item.id, 0) else ''}step {number}"


_WEIGHT_OF_OUTCOME: Final[Mapping[Outcome, int]] = {Outcome.THROWS: 0, Outcome.STOPS: 1, Outcome.RETURNS: 2}


def _notable(item: ContextItem, asked: Collection[str]) -> list[Branch]:
    """What says words of the question first, then failures, then early returns; in the order of the lines.

    A condition that had to be cut says too much and too little at once, and a switch that maps cases to values is no decision of the flow.
    """
    found = [branch for branch in read_branches(item) if not _rethrows(branch) and not branch.within.endswith("…")]
    found = [branch for branch in found if branch.outcome is Outcome.THROWS or not (branch.condition.endswith("…") or branch.when is When.CASE)]
    told = {(branch.when, branch.within, branch.condition, branch.outcome, branch.value): branch for branch in reversed(found)}
    branches = list(told.values())[::-1]
    order = sorted(range(len(branches)), key=lambda at: (-_said(branches[at], asked), _WEIGHT_OF_OUTCOME[branches[at].outcome], at))
    return [branches[at] for at in sorted(order[:MOST_BRANCHES])]


def _said(branch: Branch, asked: Collection[str]) -> int:
    """How many of the stems of a question a decision says."""
    return len(stems(f"{branch.within} {branch.condition} {branch.value} {branch.message}").intersection(asked))


def stems(text: str) -> frozenset[str]:
    """Of the words of a text and of the parts of its names, without those that every question has."""
    return frozenset(stem(word) for word in spoken(text).split() if word not in stop_words("long") | stop_words("conversation"))


def _rethrows(branch: Branch) -> bool:
    return branch.when is When.CAUGHT and branch.outcome is Outcome.THROWS and branch.value in {"", "error", "e"}


_BINDING: Final = re.compile(r"(?:let|var) \w+ = (?:try\?? |await )*([^=]+)")
"""``guard let x = f()`` asks whether ``f()`` has a value."""

_SHORT_BINDING: Final = re.compile(r"(?:let|var) (\w+)")
"""``guard let x`` asks whether ``x`` has one."""

_ANY_BINDING: Final = re.compile(r"(?:let|var) (\w+)(?: = (?:try\?? |await )*([^=]+))?")


def _bound_values(condition: str) -> list[str]:
    """What several bindings in one condition ask for; empty where something else is asked as well."""
    parts = re.split(r",\s*(?=(?:let|var)\b)", condition)
    found = [_ANY_BINDING.fullmatch(part) for part in parts]
    return [match[2] or match[1] for match in found if match] if all(found) and not any("," in re.sub(r"\(.*\)", "", part) for part in parts) else []


_NEGATION: Final = re.compile(r"!([\w.]+(?:\([^()]*\))?)")
"""A condition that is one negated value: said with the other of "if" and "unless"."""


_CAUGHT_AS: Final = re.compile(r"\s+as\s+\w+$")
_ANY_ERROR: Final = re.compile(r"(?:let\s+)?\w+")


def _branch(branch: Branch) -> str:
    when = f"{_when(branch)}, it {_outcome(branch)}"
    if not branch.within:
        return when
    around = "an error is caught" if branch.within == "error" else f"{code(branch.within)} holds"
    return f"Where {around}, {when[:1].lower()}{when[1:]}"


def _outcome(branch: Branch) -> str:
    if branch.outcome is Outcome.STOPS:
        return f"stops with {code(branch.value)}"
    value, message, does = branch.value, "", branch.outcome.value
    bare = blotted(value)
    if value.endswith("…") or any(bare.count(begin) != bare.count(end) for begin, end in ("()", "[]", "{}")):  # what it calls says enough
        value = re.split(r"[(\[{]", value, maxsplit=1)[0].rstrip("… ")
        said = f"“{shorten(plain(branch.message), LONGEST_MESSAGE)}”" if branch.message else ""
        if said and branch.outcome is Outcome.RETURNS:
            return f"returns {said}"
        message = f" ({said})" if said else ""
    if not branch.value:
        return "rethrows" if branch.outcome is Outcome.THROWS else "returns at once"
    return f"{does} {code(value) if value else 'a value'}{message}"


def _when(branch: Branch) -> str:
    if branch.when is When.CAUGHT:
        kind = _CAUGHT_AS.sub("", branch.condition)
        return "If an error is caught" if not kind or (_ANY_ERROR.fullmatch(kind) and kind[:1].islower()) else f"If {code(kind)} is caught"
    if branch.when is When.CASE:
        return f"In the case {code(branch.condition)}"
    if branch.condition.endswith("…"):
        return "In some cases"
    negated = branch.when is When.UNLESS
    condition = branch.condition
    if negation := _NEGATION.fullmatch(condition):
        condition, negated = negation[1], not negated
    when = "Unless" if negated else "If"
    said = code(condition)
    bound = _BINDING.fullmatch(condition) or _SHORT_BINDING.fullmatch(condition)
    if bound and not re.search(r",\s*(?:let|var)\b|,(?![^(\[]*[)\]])", bound[1]):
        when, said = "If", f"{code(bound[1])} {'is nil' if negated else 'has a value'}"
    elif len(values := _bound_values(condition)) > 1:
        missing = " or ".join(map(code, values)) + " is nil"
        when, said = "If", missing if negated else f"{join_words(list(map(code, values)))} have values"
    return f"Otherwise, {when.lower()} {said}" if branch.when is When.OTHERWISE else f"{when} {said}"


def tell_thing(item: ContextItem) -> str:
    signature = shorten(" ".join(item.signature.split()), 110)
    shown = f" ({code(signature)})" if item.kind in VALUES and signature and not first_sentence(item.doc) else ""
    return f"{code(item.symbol or item.path)} {about(item) or stands(item)}{shown} {cite(item)}."


def stands(item: ContextItem) -> str:
    """Where an item stands, for one of which nothing else can be said."""
    return f"stands at line {item.start} of {code(item.path.rpartition('/')[2])}"


def placed(item: ContextItem) -> str:
    """The name of an item and its file; code at the level of its file has only this."""
    return f"{code(item.symbol)} in {code(item.path.rpartition('/')[2])}" if item.symbol and item.symbol != item.path else code(item.path)


def about(item: ContextItem, *, bodies: bool = True) -> str:
    """What an item is or does, with ``bodies`` as far as its statements tell; a type also with what it holds. Empty when nothing can be said."""
    members = members_of(item) if item.kind in TYPES else []
    held = join_words([code(name) for name in members[:5]]) + (" and more" if len(members) > 5 else "")
    words = clause_of(item) if bodies else _described(item)
    return "; it ".join(part for part in (words, f"holds {held}" if members else "") if part)


_MEMBER: Final = re.compile(
    r"^\s*(?:(?:public|internal|private|fileprivate|open|static|final|lazy|weak|override|readonly|protected|const)(?:\(set\))?\s+)*(?:let|var|val|case)\s+(\w+)"
)


def members_of(item: ContextItem) -> list[str]:
    """Names of the values that the shown lines of a type declare, outermost first."""
    found = [(len(line) - len(line.lstrip()), match[1]) for _, line in numbered_lines(item) if (match := _MEMBER.match(line))]
    outermost = min((depth for depth, _ in found), default=0)
    return list(dict.fromkeys(name for depth, name in found if depth == outermost))


def tell_document(item: ContextItem) -> str:
    """The first sentence below the headings, quoted as what the document says."""
    said = first_sentence(plain(html.unescape(" ".join(_first_paragraph(item)))))
    said = said if len(said.split()) >= FEWEST_WORDS else ""
    title = without_code(item.symbol.rpartition(" › ")[2] or item.path.rpartition("/")[2]).strip("# ")
    return f"{title}: “{said}” {cite(item)}." if said else f"{title} {cite(item)}."


def tell_comment(comment: Comment) -> str:
    lines = f"line {comment.lines.start}" if comment.lines.start == comment.lines.end else f"lines {comment.lines.start} to {comment.lines.end}"
    return f"{code(comment.item.symbol or comment.item.path)}, {lines}: “{shorten(comment.text.rstrip('.'), 300)}” {cite(comment.item)}."


_RULE: Final = re.compile(r"([^\w\s])\1{2,}")
_MARKUP_LINE: Final = re.compile(r"#|\||<|!\[|\[!|@|\.\. |:[\w -]+:(?:\s|$)|[\w ]{1,30}:\s*(?:\[|<|https?:)|[a-z][\w-]*:\s|[-+=*~^_| ]{3,}$")
"""How lines begin that structure a document and say nothing."""


def _first_paragraph(item: ContextItem) -> Iterator[str]:
    """The lines of the first paragraph; a title with a rule beneath is none."""
    begun = False
    lines = [line.strip() for line in _outside_of_blocks(item.text.strip().split("\n"))]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if not line and begun:
            return
        if line and not _MARKUP_LINE.match(line) and not _RULE.fullmatch(line) and not _RULE.fullmatch(following):
            begun = True
            yield line


_BLOCK: Final = re.compile(r"\s*(?P<mark>`{3,}|~{3,})")


def _outside_of_blocks(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a document but those of code blocks and of the settings before its first line; a blank line for each of them."""
    first = lines[0].strip()
    has_settings = first in {"---", "+++"} and first in map(str.strip, lines[1:])
    closing = ""
    for number, line in enumerate(lines):
        opened = _BLOCK.match(line)
        if closing:
            closing = "" if line.strip().startswith(closing) else closing
            yield ""
        elif opened or (number == 0 and has_settings):
            closing = opened["mark"] if opened else first
            yield ""
        else:
            yield line


def place_of(call: Call) -> str:
    return f"line {call.line} of {code(call.path.rpartition('/')[2])}"


def _cite_lines(item: ContextItem, lines: Sequence[int], flow: Flow) -> str:
    """The parts of an oversize symbol that hold the lines, all of them for a line that none shows; the item itself where it is whole."""
    if all(holds(item, line) for line in lines):
        return cite(item)
    parts = [part for part in flow.items() if (part.repository, part.symbol_id) == (item.repository, item.symbol_id)]
    found = [part for line in lines for part in ([part for part in parts if holds(part, line)] or parts)]
    return " ".join(dict.fromkeys(map(cite, found or [item])))


def cite(item: ContextItem) -> str:
    return f"[{item.id}]"


def without_dash(clause: str) -> str:
    return clause if not clause.startswith("— ") else f"is described as “{clause.removeprefix('— ')}”"
