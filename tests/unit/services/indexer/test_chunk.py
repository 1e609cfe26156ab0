"""Chunks of a file."""

from hypothesis import given
from hypothesis import strategies as st

from exegesis.model import Chunk, ChunkKind, Modifier, Span, Symbol, SymbolKind, stable_id
from services.indexer.chunk import CAP_LINES, LOOSE_LINES, MEMBER_SIGNATURE, WINDOW_LINES, chunk, split_lines
from services.indexer.language import Syntax


def declare(kind: SymbolKind, name: str, start: int, end: int, *, line: int = 0, parent: Symbol | None = None, signature: str = "") -> Symbol:
    qualified = f"{parent.qualified}.{name}" if parent else name
    return Symbol(
        id=stable_id(kind, qualified, start),
        name=name,
        qualified=qualified,
        kind=kind,
        path="a.swift",
        span=Span(start, end),
        line=line or start,
        column=1,
        parent=parent.id if parent else None,
        container=parent.qualified if parent and parent.kind.is_type else "",
        signature=signature or f"{kind} {name}",
        doc=f"About {name}.",
        modifiers=Modifier.NONE,
    )


def numbered(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))


def reassemble(chunks: tuple[Chunk, ...]) -> str:
    lines = {}
    for piece in chunks:
        texts = iter(split_lines(piece.text))
        for run in piece.runs:
            for number in range(run.start, run.end + 1):
                assert number not in lines
                lines[number] = next(texts)
        assert next(texts, None) is None
    assert sorted(lines) == list(range(1, len(lines) + 1))
    return "".join(lines[number] for number in sorted(lines))


def places(chunks: tuple[Chunk, ...]) -> list[tuple[ChunkKind, str, list[tuple[int, int]]]]:
    return [(piece.kind, piece.name, [(run.start, run.end) for run in piece.runs]) for piece in chunks]


SPANS = st.lists(
    st.tuples(st.sampled_from(list(SymbolKind)), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 5)), max_size=12
)


@given(
    st.text(alphabet="ab=- \n\r\u2028\x0b", max_size=120),
    SPANS,
    st.lists(st.integers(0, 50), max_size=10),
)
def test_lines_are_partitioned_whatever_the_syntax(text: str, spans: list[tuple[SymbolKind, int, int, int, int]], breaks: list[int]) -> None:
    """Every line belongs to one chunk, byte for byte, even where spans overlap, run backwards or leave the file; identifiers are unique."""
    symbols: list[Symbol] = []
    for kind, start, end, line, parent in spans:
        around = symbols[parent] if parent < len(symbols) else None
        symbol = declare(kind, f"s{len(symbols)}", start, end, line=line, parent=around)
        symbols.append(symbol)
    chunks = chunk("a.swift", text, Syntax(symbols=tuple(symbols), breaks=tuple(sorted(set(breaks)))))
    assert reassemble(chunks) == text
    assert len({piece.id for piece in chunks}) == len(chunks)
    assert [piece.start for piece in chunks] == sorted(piece.start for piece in chunks)


def test_a_type_keeps_what_no_member_owns() -> None:
    """The chunk of a type is its first line, its short members and its last line, with the signatures of all members."""
    outer = declare(SymbolKind.CLASS, "Session", 3, 14, signature="class Session")
    short = declare(SymbolKind.PROPERTY, "id", 4, 4, parent=outer, signature="let id: Int")
    method = declare(SymbolKind.METHOD, "start", 6, 9, line=7, parent=outer, signature="func start()")
    closure = declare(SymbolKind.CLOSURE, "closure@8", 8, 8, parent=method)
    long = declare(SymbolKind.PROPERTY, "state", 10, 13, parent=outer, signature="var state: State")
    chunks = chunk("a.swift", numbered(16), Syntax(symbols=(outer, short, method, closure, long)))
    assert places(chunks) == [
        (ChunkKind.FILE, "", [(1, 2), (15, 16)]),
        (ChunkKind.TYPE, "Session", [(3, 5), (14, 14)]),
        (ChunkKind.SYMBOL, "start", [(6, 9)]),
        (ChunkKind.SYMBOL, "state", [(10, 13)]),
    ]
    assert chunks[1].signature == "class Session\nlet id: Int\nfunc start()\nvar state: State"
    assert [piece.enclosing for piece in chunks] == ["", "", "Session", "Session"]
    assert [piece.doc for piece in chunks] == ["", "About Session.", "About start.", "About state."]


def test_signatures_of_members_are_cut() -> None:
    """A member with a hundred parameters does not take over the chunk of its type."""
    outer = declare(SymbolKind.CLASS, "C", 1, 9)
    method = declare(SymbolKind.METHOD, "m", 2, 5, parent=outer, signature="x" * 1000)
    assert len(chunk("a.swift", numbered(9), Syntax(symbols=(outer, method)))[0].signature.split("\n")[1]) == MEMBER_SIGNATURE


def test_what_is_declared_in_code_stays_there() -> None:
    """Functions and types inside a function, and closures, are shown with it."""
    outer = declare(SymbolKind.FUNCTION, "outer", 1, 12)
    inner = declare(SymbolKind.FUNCTION, "inner", 2, 6, parent=outer)
    local = declare(SymbolKind.STRUCT, "Local", 7, 11, parent=outer)
    member = declare(SymbolKind.METHOD, "member", 8, 10, parent=local)
    assert places(chunk("a.swift", numbered(12), Syntax(symbols=(outer, inner, local, member)))) == [(ChunkKind.SYMBOL, "outer", [(1, 12)])]


def test_functions_within_a_long_function_stand_alone() -> None:
    """A function of hundreds of lines is a module in disguise; what is within its functions, and whatever is no function, is shown with it."""
    outer = declare(SymbolKind.FUNCTION, "createStore", 1, 200)
    inner = declare(SymbolKind.FUNCTION, "subscribe", 20, 40, parent=outer)
    innermost = declare(SymbolKind.FUNCTION, "unsubscribe", 30, 35, parent=inner)
    state = declare(SymbolKind.VARIABLE, "state", 50, 60, parent=outer)
    chunks = chunk("a.js", numbered(200), Syntax(symbols=(outer, inner, innermost, state)))
    assert [piece.runs[0].end for piece in chunks if piece.name == "subscribe"] == [40]
    assert {piece.name for piece in chunks} == {"createStore", "subscribe"}


def test_a_short_function_at_top_level_stands_alone() -> None:
    """It has no type to stay with; a short global does stay with the file."""
    function = declare(SymbolKind.FUNCTION, "f", 2, 2)
    variable = declare(SymbolKind.VARIABLE, "v", 3, 3)
    assert places(chunk("a.swift", numbered(3), Syntax(symbols=(function, variable)))) == [
        (ChunkKind.FILE, "", [(1, 1), (3, 3)]),
        (ChunkKind.SYMBOL, "f", [(2, 2)]),
    ]


def test_prototypes_of_a_line_stay_in_their_header() -> None:
    """A header is a list; a prototype of several lines is read like a function."""
    short = declare(SymbolKind.PROTOTYPE, "ping", 2, 2)
    long = declare(SymbolKind.PROTOTYPE, "pong", 3, 6)
    assert places(chunk("a.h", numbered(6), Syntax(symbols=(short, long)))) == [
        (ChunkKind.FILE, "", [(1, 2)]),
        (ChunkKind.SYMBOL, "pong", [(3, 6)]),
    ]


def test_of_two_declarations_on_one_line_the_first_has_it() -> None:
    """No line is shown twice."""
    first = declare(SymbolKind.FUNCTION, "a", 1, 3)
    second = declare(SymbolKind.FUNCTION, "b", 3, 5)
    assert places(chunk("a.swift", numbered(5), Syntax(symbols=(first, second)))) == [
        (ChunkKind.SYMBOL, "a", [(1, 3)]),
        (ChunkKind.SYMBOL, "b", [(4, 5)]),
    ]


def test_blank_lines_go_with_the_line_above() -> None:
    """Gaps between symbols make no runs of their own; blank lines at the start go with what follows."""
    first = declare(SymbolKind.FUNCTION, "a", 2, 2)
    second = declare(SymbolKind.FUNCTION, "b", 5, 5)
    chunks = chunk("a.swift", "\nfunc a() {}\n\n \nfunc b() {}\n\n", Syntax(symbols=(first, second)))
    assert places(chunks) == [(ChunkKind.SYMBOL, "a", [(1, 4)]), (ChunkKind.SYMBOL, "b", [(5, 6)])]


def test_oversize_symbols_are_cut_at_statement_ends() -> None:
    """Parts end where a statement does, keep name and signature, and number themselves; the doc comment stands in the first."""
    breaks = tuple(range(7, 400, 7))
    symbol = declare(SymbolKind.FUNCTION, "long", 1, 400)
    chunks = chunk("a.swift", numbered(400), Syntax(symbols=(symbol,), breaks=breaks))
    assert all(piece.end - piece.start < CAP_LINES for piece in chunks)
    assert all(piece.end in breaks for piece in chunks[:-1])
    assert [(piece.part, piece.parts) for piece in chunks] == [(part, len(chunks)) for part in range(len(chunks))]
    assert {(piece.name, piece.signature, piece.symbol) for piece in chunks} == {("long", "function long", symbol.id)}
    assert [piece.doc for piece in chunks] == ["About long."] + [""] * (len(chunks) - 1)


def test_without_breaks_any_line_is_good_enough() -> None:
    """A function that is one statement is still cut."""
    chunks = chunk("a.swift", numbered(300), Syntax(symbols=(declare(SymbolKind.FUNCTION, "long", 1, 300),)))
    assert [(piece.start, piece.end) for piece in chunks] == [(1, 120), (121, 240), (241, 300)]


def test_loose_code_is_one_file_chunk_and_gaps() -> None:
    """Sixty filled lines make the chunk of the file; blank lines do not count."""
    text = "".join(f"line {number}\n\n" for number in range(LOOSE_LINES + 1))
    chunks = chunk("a.swift", text, Syntax())
    assert [(piece.kind, piece.start, piece.end) for piece in chunks] == [
        (ChunkKind.FILE, 1, 2 * LOOSE_LINES),
        (ChunkKind.GAP, 2 * LOOSE_LINES + 1, 2 * LOOSE_LINES + 2),
    ]


def test_without_a_language_there_are_windows() -> None:
    """So it is for text that nobody parses, and for source of which only problems were seen."""
    for syntax in (None, Syntax(problems=("no sense in it",))):
        chunks = chunk("a.txt", numbered(WINDOW_LINES + 1), syntax)
        assert [(piece.kind, piece.start, piece.end) for piece in chunks] == [(ChunkKind.WINDOW, 1, WINDOW_LINES), (ChunkKind.WINDOW, 51, 51)]


def test_identity_does_not_depend_on_lines() -> None:
    """An edit above a symbol leaves the identifier of its chunk alone; namesakes are told apart by their order."""
    before = (declare(SymbolKind.FUNCTION, "f", 1, 3), declare(SymbolKind.FUNCTION, "f", 4, 6))
    after = (declare(SymbolKind.FUNCTION, "f", 11, 13), declare(SymbolKind.FUNCTION, "f", 14, 16))
    old = chunk("a.swift", numbered(6), Syntax(symbols=before))
    new = [piece for piece in chunk("a.swift", numbered(16), Syntax(symbols=after)) if piece.name]
    assert [piece.id for piece in old] == [piece.id for piece in new]
    assert old[0].id != old[1].id


def test_empty_files_have_no_chunks() -> None:
    """There is nothing to find in them."""
    assert chunk("a.swift", "", Syntax()) == chunk("a.txt", "", None) == ()


def test_only_newlines_end_lines() -> None:
    """Form feeds, separators and lone carriage returns stand inside lines, as compilers count."""
    assert split_lines("a\x0cb\u2028c\rd\r\ne") == ["a\x0cb\u2028c\rd\r\n", "e"]
