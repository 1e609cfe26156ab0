"""An answer from the map of a repository: its parts, how they depend on each other, where it starts; every declaration with its citation. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from exegesis.heads import is_licence
from exegesis.model import ContextItem, ModulePart, ModuleSummary, OutlineNode, Symbol, SymbolKind
from services.query.flow import holds
from services.query.sides import Side
from services.query.survey import CENTRAL_OF_MODULE, CENTRAL_OF_PART, MOST_EXPORTED, Entry, Said, Survey
from services.query.telling.diagram import escape_label
from services.query.telling.markup import make_safe
from services.query.telling.names import base_name
from services.query.telling.wording import as_clause, code, first_sentence, join_words, plain, shorten, without_code

MOST_DEPENDENCIES: Final = 6
"""Of one module that are told one by one."""

MOST_BESIDE: Final = 6
"""Modules of tests, examples and the like that are named."""

LONGEST_TITLE: Final = 90

_KINDS: Final[Mapping[str, str]] = {
    "vendored": "somebody else's code",
    "tests": "tests",
    "examples": "examples",
    "documents": "documents",
    "build": "what builds it",
}


def tell_map(survey: Survey, sides: Collection[Side], items: Sequence[ContextItem]) -> str:
    """The sides of the map that are asked for, as Markdown, after a sentence on the whole; empty where nothing is mapped."""
    if not survey.modules:
        return ""
    finder = _Finder(survey.repository, items)
    sections = [" ".join(_whole(survey, finder))]
    if not survey.own:  # of what is beside it only programs are told one by one
        sides = [side for side in sides if side is Side.ENTRIES and survey.entries]
    if Side.PARTS in sides:
        sections.append(_section("Parts", _parts(survey, finder)))
    if Side.DEPENDENCIES in sides:
        sections.append(_section("Dependencies", _dependencies(survey, finder)))
    if Side.ENTRIES in sides:
        sections.append(_section("Where it starts", _starts(survey, finder)))
    return "\n\n".join(section for section in sections if section) + "\n"


class _Finder:
    """The citation of a line, as far as an item shows it."""

    def __init__(self, repository: str, items: Sequence[ContextItem]) -> None:
        self._of_path: dict[str, list[ContextItem]] = {}
        for item in items:
            if item.repository == repository:
                self._of_path.setdefault(item.path, []).append(item)

    def cite(self, path: str, line: int) -> str:
        found = next((item for item in self._of_path.get(path, ()) if holds(item, line)), None)
        return f" [{found.id}]" if found else ""

    def named(self, symbol: Symbol) -> str:
        """The name with its citation; a declaration that no item shows is named without one."""
        return f"{code(symbol.qualified.partition('(')[0] or symbol.name)}{self.cite(symbol.path, symbol.line)}"

    def described(self, symbol: Symbol) -> str:
        """The name with what its comment says first."""
        said = _clause(symbol)
        name = code(symbol.qualified.partition("(")[0] or symbol.name)
        return f"{name}{f' {said}' if said else ''}{self.cite(symbol.path, symbol.line)}"


def _clause(symbol: Symbol) -> str:
    said = first_sentence(symbol.doc)
    if not said or is_licence(symbol.doc):
        return ""
    base = base_name(symbol.name).lower()
    first, _, rest = said.partition(" ")
    if first.strip("`():").lower() == base and rest:
        said = shorten(rest.lstrip("-–—: "))  # which closes a code span that began with the name
    clause = as_clause(said)
    if said[:1].islower() and clause.startswith("— "):
        return said
    return f"({said})" if clause.startswith("— ") else clause


def _whole(survey: Survey, finder: _Finder) -> Iterator[str]:
    """What the repository says it is, how many modules it has, and what lies beside them."""
    if said := survey.said.get(""):
        yield f"**{_name(survey.name)}** says of itself: “{_quoted(said)}”{finder.cite(said.path, said.head.lines.start)}."
    own = [module for module in survey.modules if not module.kind]
    told = survey.own
    if len(own) == 1:
        divided = f", in {len(own[0].parts)} parts" if own[0].parts else ""
        yield f"Its code is one module, {_module(own[0])} ({_count(own[0].files, 'file')}){divided}."
    elif own:
        more = f" and {len(own) - len(told)} smaller ones" if len(own) > len(told) else ""
        yield f"Its code has {len(own)} modules: {join_words([_module(module) for module in told])}{more}."
    beside = []
    for kind, what in _KINDS.items():
        if found := [_module(module) for module in survey.modules if module.kind == kind]:
            rest = [f"{len(found) - MOST_BESIDE} more"] if len(found) > MOST_BESIDE else []
            beside.append(f"{what} ({join_words([*found[:MOST_BESIDE], *rest])})")
    if beside:
        yield f"Beside it lie {join_words(beside)}." if own else f"It has no code of its own, but {join_words(beside)}."


def _parts(survey: Survey, finder: _Finder) -> Iterator[str]:
    for module in survey.own:
        said = survey.said.get(module.name)
        own = f"“{_quoted(said)}”{finder.cite(said.path, said.head.lines.start)}. " if said else ""
        yield f"- {_module(module)} ({_count(module.files, 'file')}): {own}{_begun(_centre(module, survey, finder))}"
        for part in module.parts:
            where = f" in {_name(part.folder)}" if part.folder else ""
            yield f"  - *{_name(part.name)}* ({_count(part.files, 'file')}{where}): {_central(part.central[:CENTRAL_OF_PART], finder)}"


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _centre(module: ModuleSummary, survey: Survey, finder: _Finder) -> str:
    exported = survey.exported.get(module.name, ())
    if exported:
        return _exports(exported, finder)
    if module.parts:
        return f"It falls into {len(module.parts)} parts:"
    return _central(module.central[:CENTRAL_OF_MODULE], finder) or "nothing in it is used by name."


def _central(symbols: Sequence[Symbol], finder: _Finder) -> str:
    """Those that most else uses; the first in its own words."""
    if not symbols:
        return ""
    first, *rest = symbols
    others = f"; also {join_words([finder.named(symbol) for symbol in rest])}" if rest else ""
    return f"around {finder.described(first)}{others}."


# -------------------------------------------------------------------------------------------------------- dependencies


def _dependencies(survey: Survey, finder: _Finder) -> Iterator[str]:
    own = {module.name: module for module in survey.own}
    yield from _layers(own)
    for circle in dict.fromkeys(tuple(sorted({module.name, *module.circle} & own.keys())) for module in own.values() if module.circle):
        if len(circle) > 1:
            yield f"- {join_words([_bold(name) for name in circle])} depend on each other in a circle."
    for module in own.values():
        needs = [(name, edges) for name, edges in module.depends_on if name != module.name]
        for name, edges in needs[:MOST_DEPENDENCIES]:
            yield f"- {_module(module)} depends on {_bold(name)} ({_count(edges, 'use')}){_example(survey, module.name, name, finder)}."
        if len(needs) > MOST_DEPENDENCIES:
            yield f"- {_module(module)} depends on {len(needs) - MOST_DEPENDENCIES} more."
    if not any(module.depends_on for module in own.values()):
        yield "- No module of its own code depends on another." if len(own) > 1 else "- There is one module of code, so nothing to depend on."
    users = [module for module in survey.modules if module.kind and module.depends_on]
    if users:
        yield f"- Its {join_words(sorted({_KINDS[module.kind] for module in users}))} depend on it, and it on none of them."


def _layers(own: Mapping[str, ModuleSummary]) -> Iterator[str]:
    layers: dict[int, list[str]] = {}
    for module in own.values():
        layers.setdefault(module.layer, []).append(module.name)
    if len(layers) > 1:
        told = [f"{join_words([_bold(name) for name in names])}" for _, names in sorted(layers.items())]
        yield f"- From the ground up, each layer on those before it: {'; then '.join(told)}."


def _example(survey: Survey, source: str, target: str, finder: _Finder) -> str:
    example = survey.examples.get((source, target))
    if example is None:
        return ""
    user = code(example.user.qualified.partition("(")[0] or example.user.name)
    return f", for example {user} uses {code(example.used.name)} at line {example.line}{finder.cite(example.user.path, example.line)}"


# --------------------------------------------------------------------------------------------------------------- starts


def _starts(survey: Survey, finder: _Finder) -> Iterator[str]:
    own = [entry for entry in survey.entries if not entry.kind]
    for entry in own:
        yield f"- {_start(entry, finder)}"
    for module in survey.own:
        if exported := survey.exported.get(module.name, ()):
            yield f"- {_module(module)} has no main procedure: it serves others. {_exports(exported, finder)}"
    if not own and not survey.exported:
        central = [finder.described(symbol) for module in survey.own[:3] for symbol in module.central[:2]]
        around = f" What most of it turns around: {'; '.join(central)}." if central else ""
        library = ": it is a library" if survey.own else ""
        yield f"- Nothing in its own code starts a program{library}.{around}"
    for kind in ("examples", "tests"):
        aside = [entry for entry in survey.entries if entry.kind == kind]
        if aside and len(own) <= len(aside):
            yield f"- Programs among its {kind}:"
            yield from (f"  - {_start(entry, finder)}" for entry in aside)
        elif aside:
            yield f"- Programs among its {kind}: {join_words([finder.named(entry.symbol) for entry in aside])}."


def _exports(exported: Sequence[Symbol], finder: _Finder) -> str:
    named = [finder.named(symbol) for symbol in exported[:MOST_EXPORTED]]
    return f"It exports {_count(len(exported), 'procedure')}; most called are {join_words(named)}."


def _start(entry: Entry, finder: _Finder) -> str:
    """An entry point, what it is, and what it calls first. What stands above the first statement of a member is no description of it."""
    symbol = entry.symbol
    said = "" if symbol.kind is SymbolKind.PROCEDURE else _clause(symbol)
    what = "is run when its file is" if symbol.kind is SymbolKind.MODULE else "starts a program"
    words = f" and {said}" if said and not said.startswith("(") else f" {said}" if said else ""
    calls = join_words([code(called.name) for called, _ in entry.calls])
    places = "".join(dict.fromkeys(finder.cite(symbol.path, line) for _, line in entry.calls))
    leads = f"; it calls {calls}{places}" if calls else ""
    return f"{code(symbol.qualified.partition('(')[0] or symbol.name)} {what}{words}{finder.cite(symbol.path, symbol.line)}{leads}."


# ---------------------------------------------------------------------------------------------------- outline and diagram


def outline_of_map(survey: Survey) -> tuple[OutlineNode, ...]:
    """Where programs start, then modules with their parts and what these turn around. Without identifiers: whoever joins outlines numbers them."""
    starts = [_node(entry.symbol, f"Starts: {entry.symbol.name}") for entry in survey.entries if not entry.kind]
    return (*starts, *filter(None, (_module_node(module) for module in survey.own)))


def _module_node(module: ModuleSummary) -> OutlineNode | None:
    children = [node for part in module.parts if (node := _part_node(part))] or [_node(symbol) for symbol in module.central[:CENTRAL_OF_MODULE]]
    first = next(iter(module.central or module.entry_points), None)
    if first is None:
        return None
    title = f"{module.name} ({_count(module.files, 'file')})"
    needs = f"depends on {', '.join(name for name, _ in module.depends_on[:MOST_DEPENDENCIES])}" if module.depends_on else ""
    return OutlineNode("", _title(title), first.path, first.span.start, first.line, first.qualified, plain(make_safe(needs)), tuple(children))


def _part_node(part: ModulePart) -> OutlineNode | None:
    if not part.central:
        return None
    first = part.central[0]
    children = tuple(_node(symbol) for symbol in part.central[:CENTRAL_OF_PART])
    return OutlineNode("", _title(part.name), first.path, first.span.start, first.line, first.qualified, f"{_count(part.files, 'file')}", children)


def _node(symbol: Symbol, title: str = "") -> OutlineNode:
    said = first_sentence(symbol.doc)
    words = title or (f"{symbol.name}: {said}" if said else symbol.name)
    return OutlineNode("", _title(words), symbol.path, symbol.span.start, max(symbol.line, symbol.span.start), symbol.qualified)


def _title(words: str) -> str:
    return shorten(plain(make_safe(words)).replace("`", ""), LONGEST_TITLE)


def draw_modules(surveys: Sequence[Survey]) -> str:
    """Modules and what they depend on as a Mermaid flowchart; the number on an arrow is that of the uses behind it. Empty without modules."""
    lines = ["flowchart TD"]
    for order, survey in enumerate(surveys):
        number = {module.name: f"M{order}_{place}" for place, module in enumerate(survey.own)}
        lines += [f'    {number[module.name]}["{escape_label(module.name)}"]' for module in survey.own]
        for module in survey.own:
            lines += [f'    {number[module.name]} -->|"{edges}"| {number[name]}' for name, edges in module.depends_on if name in number]
    return "\n".join(lines) + "\n" if len(lines) > 1 else ""


# ---------------------------------------------------------------------------------------------------------------- words


def _section(title: str, lines: Iterator[str]) -> str:
    told = "\n".join(lines)
    return f"**{title}**\n\n{told}" if told else ""


def _quoted(said: Said) -> str:
    """Its first sentence; of one that only names the file the whole beginning."""
    first = first_sentence(said.head.text)
    return _name(first if len(first.split()) > 2 else shorten(plain(said.head.text))).rstrip(". ")


def _module(module: ModuleSummary) -> str:
    return _bold(module.name)


def _bold(name: str) -> str:
    return f"**{_name(name)}**"


def _name(text: str) -> str:
    """A name of a folder, a module or a part as plain text: it is no quotation of code."""
    return without_code(text).replace("*", "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
