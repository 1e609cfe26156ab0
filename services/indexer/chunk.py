"""A file as chunks: pieces that are found and shown as one.

A chunk is a whole symbol wherever that is possible, because on eleven repositories whole symbols with their names rank .03 better (NDCG@10) than
windows of lines, and because people read functions and not windows. The lines of a file are partitioned among its chunks: every line belongs to
exactly one, so a file can be put together again from them, byte for byte.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import Chunk, ChunkKind, Modifier, Span, Symbol, SymbolKind, stable_id
from services.indexer.language import Syntax

CAP_LINES = 120
"""Longest chunk of a symbol. Caps from 60 to 300 rank alike (within .003); 120 holds nineteen of twenty functions whole."""

CAP_LINES_OF_PROCEDURES = 400
"""Longest chunk of a procedure of RPG and its relatives: with one statement on a line and columns for each of its parts it says in three lines what
others say in one. Of 617 real ones 32 are longer than ``CAP_LINES``, two of them than this; a context shows an excerpt of a long one."""

LONG_LINES = 150
"""A function of more lines is a module in disguise: the functions within it (`subscribe` in `createStore`) are found and shown by themselves."""

LOOSE_LINES = 60
"""Non-blank lines in a chunk of top-level code that no symbol owns."""

WINDOW_LINES = 50
"""Lines of a window where there is no syntax; 25 is a little better alone, 100 worse, and half as many chunks cost half as much."""

WHOLE_LINES = 3
"""A member or property whose declaration has fewer lines stays with what is around it: one line says less than the list that it stands in."""

MEMBER_SIGNATURE = 160
"""Characters of a member's signature that the chunk of its type repeats."""

MEMBER_SIGNATURES = 200
"""Members that the chunk of a type lists; beyond that a table of constants would drown everything else the chunk says."""

_LOOSE = -1
"""Owner of lines that no symbol owns."""

_OPAQUE = frozenset({SymbolKind.PROPERTY, SymbolKind.VARIABLE})
"""Besides callables: what is declared inside their code is shown with it."""

_ALONE_IF_LONG = _OPAQUE | {SymbolKind.PROTOTYPE}
"""What stays with its surroundings while it has fewer than ``WHOLE_LINES`` lines, wherever it stands: a header of C declares a thousand functions on
as many lines, and each alone would outrank the function."""

_NEVER_ALONE = frozenset({SymbolKind.CLOSURE, SymbolKind.CASE, SymbolKind.MODULE})


def chunk(path: str, text: str, syntax: Syntax | None) -> tuple[Chunk, ...]:
    r"""The chunks of a file in the order of their first lines; their runs partition its lines.

    Args:
        path: Path of the file, part of every identifier.
        text: The decoded file. Lines end at ``\n`` and nowhere else.
        syntax: What its language sees in it; None without a language. A file of which its language saw only problems is treated like one without.
            Spans that are out of order or out of range cost quality, never a line.

    """
    lines = split_lines(text)
    unreadable = syntax is None or (syntax.problems and not syntax.symbols)
    pieces = _windows(len(lines)) if syntax is None or unreadable else _pieces(lines, syntax)
    return tuple(_build(path, lines, pieces))


def split_lines(text: str) -> list[str]:
    r"""Lines with their ends; unlike ``str.splitlines`` only ``\n`` ends one."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    return lines


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk in the making: which lines, of what. ``lines`` are 0-based and ascending."""

    kind: ChunkKind
    lines: Sequence[int]
    symbol: Symbol | None = None
    enclosing: str = ""
    signature: str = ""
    part: int = 0
    parts: int = 1


def _windows(count: int) -> Iterator[_Piece]:
    for start in range(0, count, WINDOW_LINES):
        yield _Piece(ChunkKind.WINDOW, range(start, min(start + WINDOW_LINES, count)))


def _pieces(lines: Sequence[str], syntax: Syntax) -> list[_Piece]:
    by_id = {symbol.id: symbol for symbol in syntax.symbols}
    members = _members(syntax.symbols)
    owners = _owners(lines, syntax.symbols, by_id)
    owned: defaultdict[int, list[int]] = defaultdict(list)
    for number, owner in enumerate(owners):
        owned[owner].append(number)
    breaks = frozenset(line - 1 for line in syntax.breaks)
    pieces: list[_Piece] = []
    for owner, numbers in owned.items():
        if owner == _LOOSE:
            loose = _cut(numbers, LOOSE_LINES, breaks, lambda number: bool(lines[number].strip()))
            pieces.extend(_Piece(ChunkKind.GAP if nth else ChunkKind.FILE, cut) for nth, cut in enumerate(loose))
            continue
        symbol = syntax.symbols[owner]
        cap = CAP_LINES_OF_PROCEDURES if symbol.kind is SymbolKind.PROCEDURE else CAP_LINES
        cuts = list(_cut(numbers, cap, breaks, lambda _: True))
        for part, cut in enumerate(cuts):
            pieces.append(
                _Piece(
                    kind=_kind(symbol),
                    lines=cut,
                    symbol=symbol,
                    enclosing=symbol.container or _enclosing(symbol, by_id),
                    signature=_signature(symbol, members[symbol.id]) if part == 0 else symbol.signature,
                    part=part,
                    parts=len(cuts),
                )
            )
    pieces.sort(key=lambda piece: piece.lines[0])
    return pieces


# ------------------------------------------------------------------------------------------------------------ who owns a line


def _owners(lines: Sequence[str], symbols: Sequence[Symbol], by_id: Mapping[int, Symbol]) -> list[int]:
    """For each line the position of the symbol whose chunk it belongs to, or ``_LOOSE``.

    Symbols take lines from the symbol around them, never from a sibling, so of two declarations on one line the first has it. A type keeps the lines
    down to its name, whatever else begins there.
    """
    owners = [_LOOSE] * len(lines)
    hidden: dict[int, bool] = {}
    owner_of: dict[int, int] = {}
    for position, symbol in enumerate(symbols):
        parent = by_id.get(symbol.parent) if symbol.parent is not None else None
        inside_code = hidden[symbol.id] = parent is not None and _is_shown_with(parent, symbol, within_code=hidden.get(parent.id, False))
        around = owner_of.get(parent.id, _LOOSE) if parent is not None else _LOOSE
        owner_of[symbol.id] = around
        if inside_code or not _stands_alone(symbol, parent):
            continue
        first = max(symbol.span.start - 1, 0)
        if around != _LOOSE:
            first = max(first, symbols[around].line)
        for number in range(first, min(symbol.span.end, len(lines))):
            if owners[number] == around:
                owners[number] = position
                owner_of[symbol.id] = position
    _give_blank_lines(lines, owners)
    _give_bare_headings(lines, owners, symbols)
    return owners


def _is_shown_with(parent: Symbol, symbol: Symbol, *, within_code: bool) -> bool:
    """Whether a symbol is code of its parent, which shows it. ``within_code``: the parent is code of another symbol itself."""
    if symbol.kind is SymbolKind.SUBROUTINE and Modifier.ENTRY in parent.modifiers:
        return False  # a program of RPG III is one procedure of thousands of lines, and its subroutines are what is asked about
    is_function_of_function = symbol.kind.is_callable and parent.kind.is_callable
    if is_function_of_function and not within_code and parent.span.end - parent.span.start >= LONG_LINES:
        return False
    return within_code or parent.kind.is_callable or parent.kind in _OPAQUE


def _stands_alone(symbol: Symbol, parent: Symbol | None) -> bool:
    if symbol.kind in _NEVER_ALONE:
        return False
    if symbol.kind is SymbolKind.HEADING:
        return True
    if symbol.kind not in _ALONE_IF_LONG and (parent is None or not parent.kind.is_type):
        return True
    return symbol.span.end - max(symbol.line, symbol.span.start) + 1 >= WHOLE_LINES


def _give_blank_lines(lines: Sequence[str], owners: list[int]) -> None:
    """Blank lines go with the line above, so that a gap between two symbols does not make a run of its own."""
    blank = [not line.strip() for line in lines]
    for number in range(1, len(lines)):
        if blank[number]:
            owners[number] = owners[number - 1]
    filled = next((number for number, empty in enumerate(blank) if not empty), 0)
    owners[:filled] = [owners[filled]] * filled if owners else []


def _is_rule(line: str) -> bool:
    """What stands beneath a heading, and in some documents above it as well: one sign, again and again."""
    return not line.strip(line[0]) and not line[0].isalnum()


def _give_bare_headings(lines: Sequence[str], owners: list[int], symbols: Sequence[Symbol]) -> None:
    """A heading with nothing between it and the next one goes with what follows: alone it would be found by its words and answer nothing."""
    following = owners[-1] if owners else _LOOSE
    start = len(owners)
    while start:
        end = start
        owner = owners[end - 1]
        while start and owners[start - 1] == owner:
            start -= 1
        if owner != _LOOSE and following not in {owner, _LOOSE} and symbols[owner].kind is SymbolKind.HEADING:
            filled = [line.strip() for line in lines[start:end] if line.strip()]
            if (
                len(filled) == 1
                or (len(filled) == 2 and _is_rule(filled[1]))
                or (len(filled) == 3 and filled[0] == filled[2] and _is_rule(filled[0]))
            ):
                owners[start:end] = [following] * (end - start)
        following = owners[start]


# ----------------------------------------------------------------------------------------------------------- cutting, building


def _cut(numbers: Sequence[int], cap: int, breaks: frozenset[int], counts: Callable[[int], bool]) -> Iterator[Sequence[int]]:
    """Cut lines into parts of at most ``cap`` lines that count: after the last statement that ends in the second half of a part, or anywhere."""
    start = 0
    while start < len(numbers):
        size = 0
        end = start
        best = start
        while end < len(numbers):
            size += counts(numbers[end])
            if size > cap:
                break
            end += 1
            ends_here = end == len(numbers) or numbers[end] != numbers[end - 1] + 1 or numbers[end - 1] in breaks
            if ends_here and 2 * size > cap:
                best = end
        if end < len(numbers) and best > start:
            end = best
        yield numbers[start:end]
        start = end


def _kind(symbol: Symbol) -> ChunkKind:
    if symbol.kind is SymbolKind.HEADING:
        return ChunkKind.SECTION
    if symbol.kind.is_type and symbol.kind is not SymbolKind.TYPEALIAS:
        return ChunkKind.TYPE
    return ChunkKind.SYMBOL


def _members(symbols: Sequence[Symbol]) -> defaultdict[int, list[Symbol]]:
    members: defaultdict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        if symbol.parent is not None and symbol.kind not in {SymbolKind.CLOSURE, SymbolKind.HEADING}:
            members[symbol.parent].append(symbol)
    return members


def _signature(symbol: Symbol, members: Sequence[Symbol]) -> str:
    if not symbol.kind.is_type:
        return symbol.signature
    listed = (member.signature[:MEMBER_SIGNATURE] for member in members[:MEMBER_SIGNATURES])
    return "\n".join(signature for signature in (symbol.signature, *listed) if signature)


def _enclosing(symbol: Symbol, by_id: Mapping[int, Symbol]) -> str:
    parent = by_id.get(symbol.parent) if symbol.parent is not None else None
    return parent.qualified if parent is not None else ""


def _build(path: str, lines: Sequence[str], pieces: Iterable[_Piece]) -> Iterator[Chunk]:
    seen: Counter[tuple[ChunkKind, str]] = Counter()
    ordinals: dict[int, int] = {}
    for piece in pieces:
        symbol = piece.symbol
        name = (piece.kind, symbol.qualified if symbol else "")
        # Numbered among equals and not by line: an edit above a symbol must not give it another identity.
        if symbol is not None and symbol.id in ordinals:
            ordinal = ordinals[symbol.id]
        else:
            ordinal = seen[name]
            seen[name] += 1
            if symbol is not None:
                ordinals[symbol.id] = ordinal
        yield Chunk(
            id=stable_id("chunk", path, *name, ordinal, piece.part),
            path=path,
            kind=piece.kind,
            runs=_runs(piece.lines),
            text="".join([lines[number] for number in piece.lines]),
            symbol=symbol.id if symbol else None,
            symbol_kind=symbol.kind if symbol else None,
            name=symbol.name if symbol else "",
            qualified=symbol.qualified if symbol else "",
            enclosing=piece.enclosing,
            signature=piece.signature,
            doc=symbol.doc if symbol and piece.part == 0 else "",
            part=piece.part,
            parts=piece.parts,
        )


def _runs(numbers: Sequence[int]) -> tuple[Span, ...]:
    """Consecutive 0-based lines as 1-based spans."""
    runs: list[Span] = []
    start = previous = numbers[0]
    for number in numbers[1:]:
        if number != previous + 1:
            runs.append(Span(start + 1, previous + 1))
            start = number
        previous = number
    runs.append(Span(start + 1, previous + 1))
    return tuple(runs)
