"""What a person reads: answers, outlines, results, graph questions and traces as plain text. Pure functions from answers to text.

Text of a repository may hold anything; control characters are made visible, so that it cannot drive a terminal.
"""

from __future__ import annotations

import re
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from exegesis.model import (
    Answer,
    Companion,
    Context,
    Coverage,
    Cycle,
    Description,
    EntryPoint,
    FileResults,
    Hub,
    ModuleSummary,
    OnlyThrough,
    OutlineNode,
    Relation,
    Result,
    ScorePart,
    SourceFile,
    StageReport,
    Symbol,
)
from services.indexer.api import ExactStatus, IndexReport, Status
from services.query.api import BESIDE

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def visible(text: str) -> str:
    """The text with characters escaped that drive a terminal, change directions or cannot be seen; tabs and line ends stay."""
    return _CONTROL.sub(lambda match: _escape(ord(match.group())), text)


def one_line(name: str) -> str:
    """A name that may hold anything, such as that of a file, without line ends: what follows one could pass for a line of ours."""
    return name.replace("\r", "\\r").replace("\n", "\\n")


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _commit(written: str) -> str:
    """Of each repository the beginning of its commit; a plus says that files differ from it."""
    parts = [each.partition("+") for each in written.split(", ")]
    return ", ".join(f"{commit[:12]}{plus}" for commit, plus, _ in parts) or "none"


def caveats(warnings: Sequence[str]) -> list[str]:
    """What must be read before an answer, each as a paragraph."""
    return [f"Note: {one_line(warning)}" for warning in warnings if is_caveat(warning)]


def is_caveat(warning: str) -> bool:
    return warning.startswith(BESIDE)


def answer(found: Answer, *, diagram: bool) -> str:
    parts = [*caveats(found.warnings), found.text.rstrip()]
    if found.citations:
        said = _repositories(found.citations)
        parts.append("Sources\n" + "\n".join(f"  [{c.id}] {said(c)}{place(c.path, c.start, c.end)}  {c.symbol}".rstrip() for c in found.citations))
    if diagram and found.diagram:
        parts.append(f"```mermaid\n{found.diagram.rstrip()}\n```")
    parts.append(footer(found))
    return visible("\n\n".join(parts)) + "\n"


def footer(found: Answer) -> str:
    """Where the answer stands: how sure, from which commit, with which model and which gaps."""
    by = f"written by {found.model}" if found.model else "from the code alone"
    said = [f"confidence {found.confidence.value}", by]
    if found.commit:
        said.append(f"commit {_commit(found.commit)}")
    said.append(f"{found.context.tokens} of {found.context.budget} tokens")
    said.append(f"dense coverage {found.coverage.dense:.0%}")
    lines = ["(" + ", ".join(said) + ")"]
    if found.coverage.failed:
        lines.append(f"({len(found.coverage.failed)} files could not be read: `exegesis status` names them)")
    if found.coverage.degraded:
        lines.append(f"({len(found.coverage.degraded)} files are known by their words alone: `exegesis status` names them)")
    if found.trace_id:
        lines.append(f"(trace {found.trace_id})")
    return "\n".join(lines)


def outline(nodes: Sequence[OutlineNode]) -> str:
    """A tree: every node with its place."""
    lines: list[str] = []
    for node in nodes:
        _branch(node, "", lines)
    return visible("\n".join(lines)) + "\n"


def _branch(node: OutlineNode, indent: str, lines: list[str]) -> None:
    lines.append(f"{indent}{node.id}  {node.title}")
    lines.append(f"{indent}    {place(node.path, node.start, node.end)}" + (f"  {node.symbol}" if node.symbol else ""))
    if node.summary:
        lines.append(f"{indent}    {node.summary}")
    for child in node.children:
        _branch(child, indent + "    ", lines)


def results(found: Iterable[Result]) -> str:
    found = tuple(found)
    said, lines = _repositories(found), []
    for number, result in enumerate(found, start=1):
        lines.append(f"{number:2d}. {said(result)}{place(result.path, result.start, result.end)}  {result.kind} {result.symbol}".rstrip())
        lines.append(f"    {result.score:.3f}  {result.why}")
    return visible("\n".join(lines)) + "\n"


def relations(found: Sequence[Relation], *, show: str, nothing: str) -> str:
    """Graph relations; ``show`` says which end is the answer: ``source`` or ``target``."""
    if not found:
        return nothing + "\n"
    lines = []
    for relation in found:
        symbol = relation.source if show == "source" else relation.target
        indent = "  " * (relation.depth - 1)
        site = _site(relation)
        deprecated = " (deprecated)" if symbol.modifiers & symbol.modifiers.DEPRECATED else ""
        lines.append(f"{indent}{symbol.qualified}{deprecated}  {one_line(symbol.path)}:{symbol.line}")
        lines.append(f"{indent}    {relation.edge.kind.value} at {site}  rule {relation.edge.rule}, confidence {relation.confidence:.2f}")
    return visible("\n".join(lines)) + "\n"


def paths(found: Sequence[Sequence[Relation]], source: str, target: str) -> str:
    if not found:
        return f"No way leads from {source} to {target}.\n"
    blocks = []
    for way in found:
        lines = [_symbol(way[0].source)]
        lines += [f"  -> {_symbol(relation.target)}   {relation.edge.kind.value} at {_site(relation)}" for relation in way]
        blocks.append("\n".join(lines))
    return visible("\n\n".join(blocks)) + "\n"


def hubs(found: Iterable[Hub]) -> str:
    lines = [f"{hub.callers:5d} callers  {hub.callees:4d} callees  {_symbol(hub.symbol)}" for hub in found]
    return visible("\n".join(lines)) + "\n"


def only_through(found: OnlyThrough, symbol: str) -> str:
    if not found.total:
        return f"Everything that {symbol} reaches is reached in other ways too.\n"
    told = relations(found.relations, show="target", nothing="")
    rest = found.total - len(found.relations)
    more = f"... and {rest} more\n" if rest else ""
    doubt = f"Uncertain, since unresolved references bear these names: {', '.join(found.uncertain)}\n" if found.uncertain else ""
    return f"{told}{more}{found.total} symbols, seen from {found.entries} entry points.\n" + visible(doubt)


def companions(found: Sequence[Companion], symbol: str) -> str:
    if not found:
        return f"Nothing is always called together with {symbol}, or it has fewer than two callers.\n"
    lines = []
    for each in found:
        order = f"{each.before} times before it, {each.together - each.before} times after" if each.before < each.together else "always before it"
        order = "always after it" if not each.before else order
        lines.append(f"{each.together} of {each.callers} callers  {_symbol(each.symbol)}")
        lines.append(f"    {order}, confidence {each.confidence:.2f}")
    return visible("\n".join(lines)) + "\n"


def cycles(found: Sequence[Cycle]) -> str:
    if not found:
        return "Nothing in the project calls itself by way of others.\n"
    blocks = []
    for cycle in found:
        lines = [f"{cycle.size} symbols that reach each other; a shortest way round:"]
        lines += [f"  {_symbol(cycle.relations[0].source)}"] if cycle.relations else []
        for relation in cycle.relations:
            lines.append(f"    -> {_symbol(relation.target)}   {relation.edge.kind.value} at {_site(relation)}")
        blocks.append("\n".join(lines))
    return visible("\n\n".join(blocks)) + "\n"


def symbols(found: Sequence[Symbol], *, nothing: str) -> str:
    return visible("\n".join(map(_symbol, found))) + "\n" if found else nothing + "\n"


def entry_points(found: Sequence[EntryPoint]) -> str:
    lines = [f"{_symbol(entry.symbol)}\n    {entry.why}, calls {entry.callees}" for entry in found]
    return visible("\n".join(lines)) + "\n" if lines else "No entry points are known.\n"


MOST_CENTRAL = 3
"""Declarations that stand for a module which is too small to be divided."""


def descriptions(found: Sequence[Description]) -> str:
    """What each says, who said so, and where the declarations stand that it names."""
    return "\n".join(visible(_description(each)) for each in found)


def _description(description: Description) -> str:
    title = " ".join(filter(None, (description.subject.value, one_line(description.name))))
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(description.written))
    origin = f"written by {description.model}, {when} UTC, from its members" if description.model else "made from its declarations and calls"
    places = [f"  {one_line(spot.path)}:{spot.line}  {one_line(spot.name)}" for spot in description.spots]
    return "\n".join([f"{title} ({origin})", *textwrap.wrap(description.text, 110, initial_indent="  ", subsequent_indent="  "), *places]) + "\n"


def modules(found: Iterable[ModuleSummary]) -> str:
    lines = []
    for module in found:
        kind = f", {module.kind}" if module.kind else ""
        lines.append(f"{module.name}  {_files(module.files)}, {module.symbols} symbols{kind}, layer {module.layer}")
        lines += [f"    starts at {_symbol(symbol)}" for symbol in module.entry_points]
        lines += [f"    depends on {name} ({edges} edges)" for name, edges in module.depends_on]
        if module.circle:
            lines.append(f"    depends in a circle on {', '.join(module.circle)}")
        if not module.parts and not module.kind:
            lines += [f"    uses gather at {_symbol(symbol)}" for symbol in module.central[:MOST_CENTRAL]]
        for part in module.parts:
            lines.append(f"    part: {part.name}  {_files(part.files)}" + (f" in {part.folder}" if part.folder else ""))
            lines += [f"        {_symbol(symbol)}" for symbol in part.central]
    return visible("\n".join(lines)) + "\n" if lines else "Nothing that is indexed declares anything.\n"


def modules_as_mermaid(found: Sequence[ModuleSummary]) -> str:
    """Modules of the project's own code and what they depend on, as a flowchart, the parts of large ones within them. The number on an arrow is that
    of the edges behind it.
    """
    own = [module for module in found if not module.kind]
    number = {module.name: f"m{place}" for place, module in enumerate(own)}
    lines = ["flowchart TD"]
    for module in own:
        if module.parts:
            lines.append(f'    subgraph {number[module.name]}["{_quoted(module.name)}, {_files(module.files)}"]')
            lines += [
                f'        {number[module.name]}p{place}["{_quoted(part.name)}<br/>{_files(part.files)}"]' for place, part in enumerate(module.parts)
            ]
            lines.append("    end")
        else:
            lines.append(f'    {number[module.name]}["{_quoted(module.name)}<br/>{_files(module.files)}"]')
    for module in own:
        lines += [f"    {number[module.name]} -->|{edges}| {number[name]}" for name, edges in module.depends_on if name in number]
    return "\n".join(lines) + "\n"


def _files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


_MERMAID = str.maketrans({"&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "#": "#35;", "`": "#96;"})
"""What ends a label of Mermaid, or begins markup, Markdown or an entity in it; numbers of characters are written without an ampersand there."""


def _quoted(name: str) -> str:
    """A name as Mermaid shows it literally, on one line."""
    return visible(" ".join(name.split())).translate(_MERMAID)


def index_report(report: IndexReport) -> str:
    generation = report.generation
    what = "no file changed" if report.unchanged else f"{report.changed} files read, {report.removed} removed"
    lines = [
        f"{one_line(report.repository.name)}: {what} in {report.seconds:.1f} s",
        f"  {generation.symbols} symbols, {generation.edges} edges, {generation.chunks} chunks, commit {_commit(generation.commit)}",
        *(f"  {line}" for line in coverage(generation.coverage)),
    ]
    if report.described or report.descriptions_kept:
        told = f", {report.told} told by the language model" if report.told else ""
        lines.append(f"  {report.described} descriptions made{told}, {report.descriptions_kept} kept")
    return visible("\n".join(lines)) + "\n"


def coverage(found: Coverage) -> list[str]:
    lines = [f"{found.seen} files seen: {found.indexed} indexed, {sum(n for _, n in found.skipped)} skipped, {len(found.failed)} failed"]
    lines += [f"  skipped {number}: {reason}" for reason, number in found.skipped]
    lines += [f"  failed {one_line(path)}: {one_line(reason)}" for path, reason in found.failed]
    lines += [f"  degraded {one_line(path)}: {one_line(reason)}" for path, reason in found.degraded]
    lines.append(f"dense coverage {found.dense:.0%}")
    return lines


def statuses(found: Sequence[Status], left_out: Mapping[str, Sequence[SourceFile]]) -> str:
    """``left_out`` are files that were not indexed, or by their words alone, by repository, where somebody asked for them."""
    if not found:
        return "Nothing is indexed yet. `exegesis index PATH` indexes a folder.\n"
    blocks = []
    for status in found:
        lines = [f"{one_line(status.repository.name)}  {one_line(status.repository.root)}"]
        if status.head is None:
            lines.append("  not indexed")
        else:
            fresh = "changed since" if status.stale else "up to date"
            lines.append(f"  commit {_commit(status.head.commit)} ({fresh}), generation {status.head.id}, {status.disk_bytes / 2**20:.1f} MiB")
            lines.append(f"  {status.head.symbols} symbols, {status.head.edges} edges, {status.head.chunks} chunks")
        if status.problem:
            lines.append(f"  problem: {one_line(status.problem)}")
        if status.coverage is not None:
            lines += [f"  {line}" for line in coverage(status.coverage)]
        if status.exact is not None:
            lines += [f"  {line}" for line in _compiled(status.exact)]
        lines += [f"    {one_line(file.path)}: {file.status.value}, {file.reason}" for file in left_out.get(status.repository.id, ())]
        blocks.append("\n".join(lines))
    return visible("\n\n".join(blocks)) + "\n"


MOST_NAMED = 5
"""Stale files that are named; after a pull all of them are."""


def _compiled(exact: ExactStatus) -> list[str]:
    """What compilers left behind."""
    fresh = exact.files - len(exact.stale)
    lines = [f"compiler's index: {fresh} of {exact.files} files as compiled, their calls are exact; {exact.unknown} files of other projects"]
    lines += [f"  store {one_line(path)}" for path in exact.stores]
    lines += [f"  changed since: {one_line(path)}" for path in exact.stale[:MOST_NAMED]]
    if len(exact.stale) > MOST_NAMED:
        lines.append(f"  ... and {len(exact.stale) - MOST_NAMED} more: build the project to have their calls exact again")
    lines += [f"  not read: {one_line(problem)}" for problem in exact.problems]
    return lines


def trace(stages: Sequence[StageReport], context: Context | None, found: Sequence[Result] = (), files: Sequence[FileResults] = ()) -> str:
    """Stages with time and counts, then every context item (or result) with the parts of its score, and the edges between them with their rules. A
    list stands in the order of the scores of its ``files``, so these are told as well.
    """
    lines = [f"{'stage':22s} {'ms':>9s} {'in':>7s} {'out':>7s}"]
    lines += [f"{stage.name:22s} {stage.ms:9.1f} {stage.items_in:7d} {stage.items_out:7d}  {stage.detail}".rstrip() for stage in stages]
    if context is not None:
        said = _repositories(context.items)
        for item in context.items:
            lines.append(f"[{item.id}] {said(item)}{place(item.path, item.start, item.end)}  {item.symbol}  {item.tokens} tokens")
            lines.append(f"     {item.place.value}: {item.why}; score {item.score:.3f} = " + _parts(item.parts))
        lines += _flow(context)
    said = _repositories(found)
    for result in found:
        lines.append(f"{said(result)}{place(result.path, result.start, result.end)}  score {result.score:.3f} = " + _parts(result.parts))
    lines += [f"file {said(file)}{one_line(file.path)}  score {file.score:.3f} = " + _parts(file.parts) for file in files]
    return visible("\n".join(lines)) + "\n"


def _flow(context: Context) -> list[str]:
    """Which pieces lead to which, and why that is believed."""
    pieces = {item.symbol_id: item for item in reversed(context.items) if item.symbol_id is not None}
    return [
        f"{source.id} -> {target.id}  {edge.kind.value} at {source.path}:{edge.line}  rule {edge.rule} ({edge.tier.name.lower()}), "
        f"confidence {edge.confidence:.2f}"
        for edge in context.flow
        if (source := pieces.get(edge.source)) is not None and (target := pieces.get(edge.target)) is not None and source is not target
    ]


def _parts(parts: Iterable[ScorePart]) -> str:
    return ", ".join(f"{part.name} {part.value:.3f}" for part in parts) or "-"


class _Placed(Protocol):
    @property
    def repository(self) -> str: ...


def _repositories(found: Sequence[_Placed]) -> Callable[[_Placed], str]:
    """What stands before a path: nothing where all are of one repository, else its identifier, without which two paths may be the same."""
    several = len({each.repository for each in found}) > 1
    return lambda each: f"{one_line(each.repository)}: " if several else ""


def place(path: str, start: int, end: int) -> str:
    return f"{one_line(path)}:{start}" if start == end else f"{one_line(path)}:{start}-{end}"


def _site(relation: Relation) -> str:
    """Where one uses the other."""
    return f"{one_line(relation.source.path)}:{relation.edge.line}"


def _symbol(symbol: Symbol) -> str:
    return f"{symbol.qualified}  {one_line(symbol.path)}:{symbol.line}"
