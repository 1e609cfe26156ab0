"""What a person reads, and the JSON beside it."""

from __future__ import annotations

from dataclasses import replace

from exegesis.model import (
    Answer,
    Citation,
    Confidence,
    Context,
    ContextItem,
    Coverage,
    Description,
    Edge,
    EdgeKind,
    FileResults,
    Modifier,
    ModulePart,
    ModuleSummary,
    OutlineNode,
    Place,
    Relation,
    Repository,
    Result,
    ScorePart,
    Span,
    Spot,
    StageReport,
    Subject,
    Symbol,
    SymbolKind,
    Tier,
)
from services.gateway import documents, render
from services.indexer.api import ExactStatus, Status
from services.query.api import BESIDE, OutlineAnswer, SearchAnswer

ITEM = ContextItem(
    "E1",
    "repo",
    "a.swift",
    (Span(3, 9), Span(12, 12)),
    "func a() {}",
    "A.a()",
    "method",
    1.25,
    Place.ANCHOR,
    "named in the question",
    40,
    chunk=7,
    parts=(ScorePart("lexical", 1.0), ScorePart("name", 0.25)),
)
ANSWER = Answer(
    question="how?",
    repositories=("repo",),
    commit="abc",
    generation="g1",
    text="It calls a [E1].",
    confidence=Confidence.HIGH,
    citations=(Citation("E1", "repo", "a.swift", 3, 12, "A.a()"),),
    context=Context((ITEM,), 40, 24_000),
    stages=(StageReport("retrieval", 12.3456, 1, 40),),
    coverage=Coverage(5, 3, (("binary", 1),), (("b.swift", "parser crashed"),), 0.5, (("c.swift", "found by its words alone"),)),
    outline=(OutlineNode("S1", "Start", "a.swift", 3, 9, "A.a()", children=(OutlineNode("S1.1", "Then", "b.swift", 1, 1, "b()"),)),),
    diagram="flowchart TD",
)


def test_the_json_of_an_explanation_has_the_fields_of_the_contract() -> None:
    """Scripts read these names."""
    document = documents.answer_document(ANSWER, "demo")
    assert set(document) == {
        *("question", "project", "commit", "generation", "answer", "confidence", "citations", "outline", "diagram"),
        *("context", "stages", "coverage", "model", "trace_id"),
    }
    assert document["citations"] == [{"id": "E1", "repository": "repo", "path": "a.swift", "start": 3, "end": 12, "symbol": "A.a()"}]
    assert document["stages"] == [{"name": "retrieval", "ms": 12.346, "in": 1, "out": 40}]
    assert {"repository", "path", "start", "end", "symbol", "score", "why"} <= set(document["context"]["items"][0])
    coverage = document["coverage"]
    assert coverage["seen"] == coverage["indexed"] + coverage["skipped"] + coverage["failed"]
    assert (coverage["degraded"], coverage["degradations"]) == (1, {"c.swift": "found by its words alone"})


def test_an_answer_for_people_names_its_sources_and_its_gaps() -> None:
    """Prose, places, and what could not be read."""
    text = render.answer(ANSWER, diagram=True)
    assert "[E1] a.swift:3-12  A.a()" in text
    assert "```mermaid" in text
    assert "1 files could not be read" in text
    assert "1 files are known by their words alone" in text


def test_a_caveat_stands_before_the_answer() -> None:
    """Whoever reads a file or a pipe sees it too; other warnings are no part of the answer."""
    doubted = replace(ANSWER, text="It renews.", warnings=("Vectors were left out.", f"{BESIDE}: “quokka” occurs in no file."))
    assert render.answer(doubted, diagram=False).startswith(f"Note: {BESIDE}: “quokka” occurs in no file.\n\nIt renews.")
    assert "Vectors" not in render.answer(doubted, diagram=False)


def test_warnings_are_in_every_document() -> None:
    """Of a list and an outline as of an explanation."""
    listed = documents.search_document(SearchAnswer((), (), ("Beware.",)))
    outlined = documents.outline_document("?", OutlineAnswer((), ANSWER.context, (), "", ("Beware.",)))
    assert listed["warnings"] == outlined["warnings"] == ["Beware."]


def test_a_commit_says_that_files_differ_from_it() -> None:
    """Of each repository, however long its name."""
    written = f"{'a' * 40}+d7b13836352a, {'b' * 40}"
    assert f"commit {'a' * 12}+, {'b' * 12}," in render.footer(replace(ANSWER, commit=written))


def test_the_name_of_a_file_that_failed_stays_in_its_line() -> None:
    """What follows a line end would pass for a count of ours."""
    lines = render.coverage(Coverage(2, 1, (), (("evil\n  999 files seen", "not readable"),)))
    assert not [line for line in lines if "\n" in line]


def test_an_outline_is_a_tree_of_places() -> None:
    """Children stand below their parent, each with path and lines."""
    assert render.outline(ANSWER.outline).splitlines() == [
        "S1  Start",
        "    a.swift:3-9  A.a()",
        "    S1.1  Then",
        "        b.swift:1  b()",
    ]


def test_a_trace_shows_the_parts_of_every_score() -> None:
    """So that any rank can be explained."""
    assert "lexical 1.000, name 0.250" in render.trace(ANSWER.stages, ANSWER.context)


def test_a_trace_of_a_list_shows_by_what_its_files_stand() -> None:
    """A list is in the order of its files, and the score of a chunk alone would not explain it."""
    listed = Result("r", "a.swift", 3, 9, "A.a()", "method", 1.5, "its name", (ScorePart("words", 1.0), ScorePart("name", 0.5)))
    files = [FileResults("r", "a.swift", 2.25, (listed,), (ScorePart("best chunk", 1.5), ScorePart("near", 0.75)))]
    assert render.trace((), None, [listed], files).splitlines()[1:] == [
        "a.swift:3-9  score 1.500 = words 1.000, name 0.500",
        "file a.swift  score 2.250 = best chunk 1.500, near 0.750",
    ]


def test_a_list_as_json_is_flat_and_by_files() -> None:
    """The flat list is for those who show ten lines, the other for those who show files."""
    listed = Result("r", "a.swift", 3, 9, "A.a()", "method", 1.5, "its name")
    further = replace(listed, start=11, end=12)
    document = documents.search_document(SearchAnswer((listed,), (), (), (FileResults("r", "a.swift", 2.25, (listed, further)),)))
    assert [(result["path"], result["start"]) for result in document["results"]] == [("a.swift", 3)]
    assert [(file["path"], file["score"], [result["start"] for result in file["results"]]) for file in document["files"]] == [
        ("a.swift", 2.25, [3, 11])
    ]


def test_of_several_projects_each_place_says_its_own() -> None:
    """Two of them may have a file of the same path; of one alone it would be said on every line for nothing."""
    one = Result("r-1", "a.swift", 3, 9, "A.a()", "method", 1.5, "its name")
    other = replace(one, repository="s-2")
    assert [line for line in render.results([one, other]).splitlines() if "swift" in line] == [
        " 1. r-1: a.swift:3-9  method A.a()",
        " 2. s-2: a.swift:3-9  method A.a()",
    ]
    assert "r-1" not in render.results([one, replace(one, start=11)])
    assert render.trace((), None, [one, other]).splitlines()[1].startswith("r-1: a.swift:3-9")
    cited = replace(ANSWER, citations=tuple(Citation(f"E{n}", r.repository, r.path, r.start, r.end, r.symbol) for n, r in enumerate((one, other))))
    assert "  [E1] s-2: a.swift:3-9  A.a()" in render.answer(cited, diagram=False).splitlines()
    document = documents.search_document(SearchAnswer((one, other), ()))
    assert [result["repository"] for result in document["results"]] == ["r-1", "s-2"]


def test_a_trace_shows_why_an_edge_is_believed() -> None:
    """Between pieces of the context: kind, place, rule, tier and confidence."""
    first, second = replace(ITEM, symbol_id=1), replace(ITEM, id="E2", symbol_id=2)
    edges = (
        Edge(1, 2, EdgeKind.CALL, "E1", Tier.EXACT, 1.0, 5, 9),
        Edge(1, 3, EdgeKind.CALL, "S1", Tier.SCOPED, 0.99, 6, 9),
    )
    text = render.trace((), Context((first, second), 80, 24_000, edges))
    assert "E1 -> E2  call at a.swift:5  rule E1 (exact), confidence 1.00" in text
    assert "S1" not in text


def test_text_of_a_repository_cannot_drive_a_terminal() -> None:
    """Escape sequences and bidirectional controls are made visible."""
    assert render.visible("a\x1b[2Jb\u202ec\td\n") == "a\\x1b[2Jb\\u202ec\td\n"


def test_deprecated_callers_are_marked() -> None:
    """A reader sees at once which caller is current."""
    old = Symbol(1, "old", "old()", SymbolKind.FUNCTION, "a.swift", Span(1, 2), 1, 6, modifiers=Modifier.DEPRECATED)
    new = Symbol(2, "new", "new()", SymbolKind.FUNCTION, "a.swift", Span(4, 5), 4, 6)
    relation = Relation(old, new, Edge(1, 2, EdgeKind.CALL, "S1", Tier.SCOPED, 0.97, 2, 5), 1, 0.97)
    text = render.relations([relation], show="source", nothing="none")
    assert "old() (deprecated)  a.swift:1" in text
    assert "call at a.swift:2  rule S1, confidence 0.97" in text


def test_what_compilers_left_behind_is_told_with_what_is_wrong_with_it() -> None:
    """Which stores, how many files are as compiled, the first that are not, and what could not be read."""
    stale = tuple(f"Sources/F{number}.swift" for number in range(7))
    exact = ExactStatus(("/p/.build/debug/index/store",), 40, stale, 2, ("/p/store: v5/units/X.o-1: cut off",))
    text = render.statuses([Status(Repository("p-1", "p", "/p"), None, None, stale=True, disk_bytes=0, exact=exact)], {})
    assert "33 of 40 files as compiled" in text
    assert "store /p/.build/debug/index/store" in text
    assert "changed since: Sources/F4.swift\n" in text
    assert "F5.swift" not in text
    assert "and 2 more" in text
    assert "not read: /p/store: v5/units/X.o-1: cut off" in text
    (document,) = documents.status_document([Status(Repository("p-1", "p", "/p"), None, None, stale=True, disk_bytes=0, exact=exact)], {})["projects"]
    assert document["compiler_index"]["stale"] == list(stale)


def test_names_of_modules_stay_labels_in_mermaid() -> None:
    """What a manifest calls its module neither ends the line or the label nor begins markup."""
    text = render.modules_as_mermaid([ModuleSummary('`a"]<b>\n#35;&c', 1, 2)])
    assert text == 'flowchart TD\n    m0["#96;a&quot;]&lt;b&gt; #35;35;&amp;c<br/>1 file"]\n'


def test_the_parts_of_a_large_module_are_drawn_within_it() -> None:
    """As the text has them; tests and the like are no modules of the project's own code."""
    kit = ModuleSummary("Kit", 14, 90, parts=(ModulePart("token, vault", 5, 20), ModulePart("retry", 1, 4)), depends_on=(("Core", 3),))
    text = render.modules_as_mermaid([kit, ModuleSummary("Core", 1, 2), ModuleSummary("KitTests", 3, 9, kind="tests")])
    assert text.splitlines() == [
        "flowchart TD",
        '    subgraph m0["Kit, 14 files"]',
        '        m0p0["token, vault<br/>5 files"]',
        '        m0p1["retry<br/>1 file"]',
        "    end",
        '    m1["Core<br/>1 file"]',
        "    m0 -->|3| m1",
    ]


def test_line_ends_in_the_name_of_a_file_stay_in_its_line() -> None:
    """What follows one could pass for a citation of its own."""
    assert render.place("a\n  [E9] b.swift\r", 1, 2) == "a\\n  [E9] b.swift\\r:1-2"
    described = Description(1, Subject.FILE, "a\n  b.swift:1  forged", "a", "", "Is a file.", (Spot("c\nd", "e\nf.swift", 3),))
    assert len(render.descriptions([described]).splitlines()) == 3
