"""Which questions are about the whole, and which side of it."""

from __future__ import annotations

import pytest

from services.query.sides import Side, asks_for_more, read_sides

ALL = frozenset(Side)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("show me the main procedure", {Side.ENTRIES}),
        ("Where does the program start?", {Side.ENTRIES}),
        ("what are the parts of this system", {Side.PARTS}),
        ("Which packages does this repository have?", {Side.PARTS}),
        ("how do the modules depend on each other", {Side.DEPENDENCIES}),
        ("Are there cycles between the modules?", {Side.DEPENDENCIES}),
        ("How is this code base organized?", {Side.PARTS, Side.DEPENDENCIES}),
        ("What are the modules and how do they depend on each other?", {Side.PARTS, Side.DEPENDENCIES}),
        ("What modules does this project have and how are they related?", {Side.PARTS, Side.DEPENDENCIES}),
        ("How does everything fit together?", {Side.DEPENDENCIES}),
        ("What are the building blocks of this library?", {Side.PARTS}),
        ("Break the system down into its parts", {Side.PARTS}),
        ("In which layers is the system built?", {Side.PARTS}),
        ("Show me where the program starts", {Side.ENTRIES}),
        ("Which program is run first?", {Side.ENTRIES}),
        ("Which programs are there?", {Side.ENTRIES}),
        ("What executables does this package have?", {Side.ENTRIES}),
        ("List all programs", {Side.ENTRIES}),
        ("Which service programs exist?", {Side.PARTS}),
        ("Give me an overview of the modules", {Side.PARTS, Side.DEPENDENCIES}),
        ("Give me an overview of the architecture", ALL),
        ("what does this app do?", ALL),
    ],
)
def test_questions_about_the_whole_ask_for_sides_of_the_map(question: str, sides: set[Side]) -> None:
    """The table of rows decides, one row for each kind of question."""
    assert read_sides(question) == sides


@pytest.mark.parametrize(
    "question",
    [
        "what are the parts of a URL",
        "architecture of the retry policy",
        "How do components of the request pipeline interact?",
        "which modules use the retry policy",
        "explain oauth authentication protocol",
        "what does this function do",
        "What are the modules of a Blueprint and how do they depend on it?",
        "What are the components of a date and how are they compared?",
        "How do the layers of a CALayer depend on each other?",
        "How does a component depend on its parent?",
        "What is the entry point of the request pipeline?",
        "Where does the retry start?",
        "Which programs call getDeptDetail?",
        "List the programs that print a mask",
    ],
)
def test_questions_about_something_in_particular_ask_for_none(question: str) -> None:
    """Parts of something in the code are no parts of the code."""
    assert read_sides(question) == frozenset()


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ("What are the modules and how do they depend on each other?", False),
        ("show me the main procedure", False),
        ("List all packages.", False),
        ("Give me an overview of the architecture of this project", False),
        ("How do the modules depend on each other and where is the token refreshed?", True),
        ("Give me a map of this library: which folders hold migrations?", True),
    ],
)
def test_who_asks_for_the_map_alone_says_no_other_words(question: str, more: bool) -> None:  # noqa: FBT001 - a column of the table
    """Anything in particular beside it has to be found like for any other question."""
    assert asks_for_more(question) is more


def test_a_long_text_is_read_at_its_beginning_and_its_end() -> None:
    """Rules look back and forth, which would take minutes over a pasted log; who pastes one asks before it or after it."""
    log = "list the spaces" + " " * 50_000 + "how do" + " " * 50_000 + "list the " * 20_000
    assert read_sides(log) == frozenset()
    assert read_sides(f"{log} What is the architecture of this project?") == frozenset(Side)
