from __future__ import annotations

from exegesis.model import Chunk, ChunkKind, Coverage, Span
from services.query.gaps import warn_of_gaps
from services.query.local import join_coverage
from services.query.source import assemble
from tests.fakes.evidence import context, item


def chunk(number: int, text: str, *runs: tuple[int, int]) -> Chunk:
    return Chunk(number, "A.swift", ChunkKind.SYMBOL, tuple(Span(*run) for run in runs), text)


def test_a_file_is_put_together_from_its_chunks() -> None:
    """The header of a type is discontinuous; order does not matter; a line that no chunk holds is empty."""
    assert assemble([chunk(2, "    f()\n", (2, 2)), chunk(1, "class A {\n}\n", (1, 1), (3, 3)), chunk(3, "// end", (5, 5))]) == (
        "class A {",
        "    f()",
        "}",
        "",
        "// end",
    )
    assert assemble([]) == ()


def test_files_that_failed_beside_the_evidence_are_named() -> None:
    """Those elsewhere say nothing about this answer."""
    coverage = {"app": Coverage(3, 1, failed=(("Sources/Broken.swift", "crashed"), ("Docs/Other.md", "too long")))}
    assert warn_of_gaps(coverage, context([item(1, "f()")])) == ("1 file beside the evidence could not be indexed: Sources/Broken.swift.",)
    coverage = {"app": Coverage(3, 3, degraded=(("Sources/Odd.swift", "the parser failed"), ("Docs/Other.md", "the parser failed")))}
    assert warn_of_gaps(coverage, context([item(1, "f()")])) == (
        "1 file beside the evidence could be indexed as plain text only: Sources/Odd.swift.",
    )
    assert warn_of_gaps({"app": Coverage(1, 1)}, context([item(1, "f()")])) == ()


def test_coverage_of_several_repositories_adds_up() -> None:
    """Dense coverage is that of the least covered."""
    joined = join_coverage(
        [Coverage(5, 3, (("binary", 2),), dense=1.0), Coverage(4, 1, (("ignored", 2),), (("x", "crashed"),), dense=0.5, degraded=(("y", "failed"),))]
    )
    assert joined == Coverage(9, 4, (("binary", 2), ("ignored", 2)), (("x", "crashed"),), dense=0.5, degraded=(("y", "failed"),))
