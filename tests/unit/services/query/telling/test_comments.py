from __future__ import annotations

from services.query.telling.comments import comments_on, read_comments
from tests.fakes.evidence import item

TEXT = """\
/* Keeps the state. */
final class Client {
    /// Opaque value, to avoid
    /// forged callbacks.
    private var state = ""

    // MARK: - state
    #if DEBUG
    func f() {} // state of things
    # a hash comment about callbacks
}
"""


def test_blocks_of_comment_lines() -> None:
    """Lines that follow one another are one comment; separators, directives and comments behind code are none."""
    found = list(read_comments(item(1, "Client", TEXT, start=10)))
    assert [(comment.lines.start, comment.lines.end, comment.text) for comment in found] == [
        (10, 10, "Keeps the state."),
        (12, 13, "Opaque value, to avoid forged callbacks."),
        (19, 19, "a hash comment about callbacks"),
    ]


def test_a_reason_about_the_subject_comes_first() -> None:
    """What a comment stands above counts as said by it, and so does giving a reason."""
    (best, *others) = comments_on("Why is there a state?", [item(1, "Client", TEXT)], 4)
    assert best.text.startswith("Opaque value")
    assert [comment.text for comment in others] == ["Keeps the state."]


def test_comments_about_something_else_are_left_out() -> None:
    """Not one word of the question, not one line in the answer."""
    assert comments_on("Why quotas?", [item(1, "Client", TEXT)], 4) == ()


def test_a_word_that_every_comment_has_says_little() -> None:
    """And the same comment is told once, however often it was copied."""
    common = "".join(f"// Creates the store of part {number}, which creates.\nlet a{number} = 0\n" for number in range(4))
    items = [
        item(1, "a", common),
        item(2, "b", "/**\n * Deprecated for another.\n */\nlet b = 0\n"),
        item(3, "c", "// Deprecated for another.\nlet c = 0\n"),
    ]
    found = comments_on("Why is creating the store deprecated?", items, 3)
    assert [comment.text for comment in found[:1]] == ["Deprecated for another."]
    assert len({comment.text for comment in found}) == 3


def test_an_example_in_a_docstring_is_no_comment() -> None:
    """Though it has some."""
    text = 'def f():\n    """Copies.\n\n    # do some work here\n    """\n    # Keeps the state here.\n    pass\n'
    assert [comment.text for comment in read_comments(item(1, "f", text, path="a.py"))] == ["Keeps the state here."]


def test_rulers_and_licences_are_no_comments() -> None:
    """A ruler says nothing, and who may copy a file is no reason for anything."""
    text = "// Copyright of the authors, all rights reserved\nrun()\n// ++++++ It waits for the answer ++++++\nwait()\n"
    assert [comment.text for comment in read_comments(item(1, "run()", text))] == ["It waits for the answer"]
