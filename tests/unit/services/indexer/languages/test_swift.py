from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exegesis.model import Modifier, SymbolKind
from services.indexer.language import Source, Syntax, language_of, languages
from services.indexer.languages.swift import Swift

SAMPLES = sorted((Path(__file__).parents[4] / "languages" / "swift").glob("*.swift"))
SAMPLE = "\n".join(path.read_text(encoding="utf-8") for path in SAMPLES if path.name != "broken.swift")


def parse(text: str, path: str = "Sources/App/File.swift") -> Syntax:
    return Swift().parse(Source(path, text, text.encode()))


def assert_sound(text: str, syntax: Syntax) -> None:
    lines = text.count("\n") + 1
    widths = [len(line) for line in text.encode().split(b"\n")]
    identifiers = {symbol.id for symbol in syntax.symbols}
    assert len(identifiers) == len(syntax.symbols)
    seen: set[int] = set()
    for symbol in syntax.symbols:
        assert 1 <= symbol.span.start <= symbol.line <= symbol.span.end <= lines
        assert 1 <= symbol.column <= widths[symbol.line - 1] + 1
        assert symbol.parent is None or symbol.parent in seen
        seen.add(symbol.id)
    for reference in syntax.references:
        assert reference.source in identifiers
        assert 1 <= reference.line <= lines
        assert 1 <= reference.column <= widths[reference.line - 1] + 1
    assert list(syntax.breaks) == sorted(set(syntax.breaks))
    assert all(1 <= line <= lines for line in syntax.breaks)
    starts = [symbol.span.start for symbol in syntax.symbols]
    assert starts == sorted(starts)
    positions = [(reference.line, reference.column) for reference in syntax.references]
    assert positions == sorted(positions)


def test_swift_files_are_claimed() -> None:
    """A path that ends in .swift belongs to Swift, and the parts of the language are not taken for languages."""
    assert isinstance(language_of("a/B.swift"), Swift)
    assert [name for name, language in languages().items() if isinstance(language, Swift)] == ["swift"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SAMPLE)), st.integers(0, 4000))
def test_any_piece_of_a_source_is_read(start: int, length: int) -> None:
    """However a source is cut, parsing ends, and everything found lies inside of what was given."""
    text = SAMPLE[start : start + length]
    assert_sound(text, parse(text))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SAMPLE)), st.integers(0, 60))
def test_a_hole_in_a_source_is_survived(start: int, length: int) -> None:
    """However much is missing in the middle, parsing ends, and everything found lies inside of what was given."""
    text = SAMPLE[:start][-3000:] + SAMPLE[start + length :][:3000]
    assert_sound(text, parse(text))


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='{}()[]<>.,:;="\\/*#@!?& \n\u00e9aAlet var func case class', max_size=200))
def test_noise_is_survived(text: str) -> None:
    """Text that is no Swift at all is parsed without an exception."""
    assert_sound(text, parse(text))


@pytest.mark.parametrize(
    "text", [f"{SAMPLE}\r\n", SAMPLE.replace("\n", "\r\n"), f"\ufeff{SAMPLE}", f"#!/usr/bin/swift\n{SAMPLE}"], ids=["end", "crlf", "bom", "shebang"]
)
def test_variations_of_a_source_are_sound(text: str) -> None:
    """Line ends, byte order marks and interpreter lines do no harm."""
    syntax = parse(text)
    assert_sound(text, syntax)
    assert "Session.request(_:method:tags:done:)" in {symbol.qualified for symbol in syntax.symbols}


DEEP = {
    "parentheses": "let x = " + "(" * 20_000 + "1" + ")" * 20_000,
    "braces": "func f() " + "{ if true " * 5_000 + "{}" + "}" * 5_000,
    "closures": "let x = " + "{ " * 3_000 + "1" + " }" * 3_000,
    "brackets": "let x = " + "[" * 5_000 + "]" * 5_000,
    "types": "struct A { " * 2_000 + "}" * 2_000,
    "generics": "let x: " + "A<" * 5_000 + "B" + ">" * 5_000,
    "arguments": "let x = " + "f(" * 3_000 + ")" * 3_000,
    "ternaries": "let x = a" + " ? b : c" * 3_000,
    "patterns": "func f() { switch x { case " + ".a(" * 3_000 + "let y" + ")" * 3_000 + ": break } }",
    "custom operators": "let x = a" + " <+> b" * 3_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_nesting_too_deep_is_given_up_and_said(text: str) -> None:
    """Nesting beyond all reason costs what lies deeper, not the stack, and is reported."""
    syntax = parse(f"func before() {{}}\n{text}\nfunc after() {{}}\n")
    assert any("nested too deeply" in problem for problem in syntax.problems)
    assert {"before", "after"} <= {symbol.name for symbol in syntax.symbols}


@pytest.mark.parametrize("text", ["let x = " + "a.b(c: " * 300 + "1" + ")" * 300, "func f() { " + "switch a { case .b: " * 300 + "}" * 300 + "}"])
def test_deep_sources_leave_room_on_the_stack(text: str) -> None:
    """What nests deepest in frames is parsed even from far down a caller's own stack."""

    def below(frames: int) -> Syntax:
        return below(frames - 1) if frames else parse(text)

    assert below(350).problems


UNFINISHED = {
    "braces": "func f() " + "{ if true " * 5_000,
    "parentheses": "let x = " + "(" * 5_000,
    "class": "class A { func f() { if x { \n",
    "comment": "/* never closed\nfunc hidden() {}\n",
    "closing": "}}}}}\n",
}


@pytest.mark.parametrize("text", UNFINISHED.values(), ids=UNFINISHED.keys())
def test_what_never_closes_is_survived_and_said(text: str) -> None:
    """Unbalanced sources are parsed as far as they can be, and reported."""
    syntax = parse(text)
    assert_sound(text, syntax)
    assert syntax.problems


def test_functions_next_to_stray_braces_are_found() -> None:
    """A stray closing brace does not hide the declarations after it."""
    assert [symbol.name for symbol in parse("}}}}}\nfunc ok() {}\n").symbols] == ["ok"]


def test_a_missing_brace_does_not_hide_what_follows() -> None:
    """Declarations after a type whose brace is missing are found where they stand."""
    syntax = parse(f"class Cut {{\n    func first() {{ if x {{\n}}\n\n{SAMPLE}")
    found = {symbol.qualified: symbol for symbol in syntax.symbols}
    assert found.keys() >= {symbol.qualified for symbol in parse(SAMPLE).symbols if symbol.name != "main" and symbol.kind is not SymbolKind.CLOSURE}
    assert syntax.problems


def test_types_that_never_close_keep_their_members() -> None:
    """The methods of a class whose brace is missing are still its methods."""
    syntax = parse("class Cut {\n    func first() { one() }\n    func second() { if x {\n")
    assert [symbol.qualified for symbol in syntax.symbols][:2] == ["Cut", "Cut.first()"]


LONG = {
    "chains": ("func f() { x", ".m()", " }"),
    "members": ("func f() { x", ".m", " }"),
    "sums": ("let x = a", " + b", ""),
    "else": ("func f() { if a { b() } ", "else if c { d() } ", "}"),
    "locals": ("func f() {\n let a = x\n", " let a = a.next()\n", "}"),
    "cases": ("enum E {\n", "  case a\n", "}"),
    "one line": ("", "let a = 1;", ""),
    "comments": ("", "// x\n", "func f() {}"),
    "block comments": ("", "*/\nfunc f() {}\n", ""),
}


@pytest.mark.parametrize("shape", LONG.values(), ids=LONG.keys())
def test_time_grows_with_length_only(shape: tuple[str, str, str]) -> None:
    """Eight times as much of the same costs far less than the 64 times of a quadratic walk."""
    first, middle, last = shape

    def seconds(count: int) -> float:
        text = first + middle * count + last
        times = []
        for _ in range(3):
            start = time.process_time()
            parse(text)
            times.append(time.process_time() - start)
        return min(times)

    assert seconds(2_400) < 30 * max(seconds(300), 0.002)


def test_an_edit_elsewhere_keeps_identifiers() -> None:
    """Lines added above move symbols, closures among them, without changing who they are."""
    before = parse(SAMPLE)
    after = parse("import Extra\n\nlet added = 1\n" + SAMPLE)
    assert {symbol.id for symbol in before.symbols} <= {symbol.id for symbol in after.symbols}


def test_the_same_declaration_elsewhere_is_another() -> None:
    """Identifiers tell apart files, overloads, and equal extensions of one file."""
    text = "extension A { func f() {} }\nextension A { func f() {} }\nfunc f(a: Int) {}\nfunc f(a: String) {}\n"
    one, other = parse(text, "A.swift"), parse(text, "B.swift")
    identifiers = [symbol.id for symbol in (*one.symbols, *other.symbols)]
    assert len(set(identifiers)) == len(identifiers) == 12


def test_parsing_is_repeatable() -> None:
    """The same source yields the same facts, in the same order."""
    assert parse(SAMPLE) == parse(SAMPLE)


def test_closures_of_three_lines_are_symbols_with_their_own_references() -> None:
    """A long closure owns what it refers to; its parent is the function around it."""
    syntax = parse("func f() {\n    g {\n        h()\n    }\n}\n")
    function, closure = syntax.symbols
    assert (closure.kind, closure.name, closure.parent) == (SymbolKind.CLOSURE, "closure@2", function.id)
    assert [(reference.name, reference.source) for reference in syntax.references] == [("g", function.id), ("h", closure.id)]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("App/main.swift", "let x = run()\n", True),
        ("App/File.swift", "let x = run()\n", False),
        ("tool.swift", "#!/usr/bin/env swift\nlet x = run()\n", True),
        ("Snippet.swift", "run()\n", True),
        ("View.swift", "struct V {}\n\n#Preview { V() }\n", False),
    ],
    ids=["main.swift", "globals", "shebang", "statements", "preview"],
)
def test_top_level_code_is_a_symbol_where_it_runs(path: str, text: str, *, found: bool) -> None:
    """Top-level code of main.swift and of scripts belongs to an entry symbol called main; other files have none."""
    syntax = parse(text, path)
    mains = [symbol for symbol in syntax.symbols if symbol.name == "main"]
    assert bool(mains) == found
    if found:
        assert Modifier.ENTRY in mains[0].modifiers
        assert {reference.source for reference in syntax.references if reference.name == "run"} == {mains[0].id}


def test_valid_unit_tuples_are_no_problem() -> None:
    """The grammar has no empty tuple; that is not held against a source."""
    assert parse("func f() -> Result<Void, Error> { .success(()) }\n").problems == ()


MANIFEST = """
// swift-tools-version:5.9
import PackageDescription
let core = "Core"
let package = Package(
    name: "Thing",
    products: [.library(name: "Thing", targets: ["Core"])],
    targets: [
        .target(name: core, dependencies: [.target(name: "Nowhere"), .product(name: "Log", package: "swift-log")]),
        .executableTarget(name: "my-tool", dependencies: ["Core"], path: "Tools/tool"),
        .testTarget(name: "\\(core)Tests", dependencies: ["Core"]),
        .target(name: "Linked"),
        .plugin(name: "Gen", capability: .buildTool()),
        .target(name: computed()),
    ]
)
"""


def test_targets_come_from_the_manifest() -> None:
    """Paths are given the innermost target whose written or conventional folder holds them."""
    paths = [
        "Package.swift",
        "Sources/Core/A.swift",
        "Sources/Core/Sub/B.swift",
        "Tools/tool/main.swift",
        "Tests/CoreTests/T.swift",
        "Linked/L.swift",
        "Plugins/Gen/P.swift",
        "Sources/Other/O.swift",
    ]
    assert Swift().modules({"Package.swift": MANIFEST}, paths) == {
        "Sources/Core/A.swift": "Core",
        "Sources/Core/Sub/B.swift": "Core",
        "Tools/tool/main.swift": "my_tool",
        "Tests/CoreTests/T.swift": "CoreTests",
        "Linked/L.swift": "Linked",
        "Plugins/Gen/P.swift": "Gen",
    }


def test_nested_packages_have_their_own_targets() -> None:
    """The targets of a package in a subfolder lie below that folder."""
    manifest = 'let package = Package(name: "P", targets: [.target(name: "P", path: ".")])'
    outer = 'let package = Package(name: "O", targets: [.target(name: "O", path: "Source")])'
    paths = ["Source/A.swift", "Packages/P/B.swift", "C.swift"]
    assert Swift().modules({"Package.swift": outer, "Packages/P/Package.swift": manifest}, paths) == {
        "Source/A.swift": "O",
        "Packages/P/B.swift": "P",
    }


def test_a_path_may_be_given_to_a_target_later() -> None:
    """Manifests are code: a target in a constant may get its path by assignment."""
    manifest = (
        'let core: Target = .target(name: "Core")\ncore.path = "Sources"\ncore.exclude = ["x"]\nlet package = Package(name: "P", targets: [core])'
    )
    assert Swift().modules({"Package.swift": manifest}, ["Sources/A.swift", "Tests/B.swift"]) == {"Sources/A.swift": "Core"}


def test_broken_manifests_name_what_they_can() -> None:
    """A manifest that does not parse is no error."""
    assert Swift().modules({"Package.swift": 'let package = Package(targets: [.target(name: "A"'}, ["Sources/A/a.swift"]) in (
        {},
        {"Sources/A/a.swift": "A"},
    )
