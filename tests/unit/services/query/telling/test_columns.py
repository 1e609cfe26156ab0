"""Code in columns, as it is said."""

import pytest

from exegesis.model import ContextItem, Place, Span
from services.query.telling.branches import Outcome, read_branches
from services.query.telling.columns import say_lines, stands_in_columns
from services.query.telling.deeds import tell_deeds, tell_settings
from services.query.telling.wording import deprecation

FIXED = """     P setMode         B                   EXPORT
     D   peSetting                    1A   const
      *  Checks first.
     c                   if        select(peSession) < 0
     c                   callp     setError
     c                   return    -1
     c                   endif
     c                   if        peSetting <> *ON
     c                               and peSetting <> *OFF
     c                   callp     setError('Binary mode ' +
     c                               'must be *ON')
     c                   return    -1
     c                   endif
     c                   eval      wkBinary = peSetting
     c                   return    0
     P                 E
"""

FREE = """dcl-proc total;
  dcl-s sum int(10);
  if count = 0; // nothing there
    return none;
  endif;
  balance = sumOf(first:
                  last);
  return balance;
end-proc;
"""


def item(text: str, path: str = "a/PAY.rpgle", doc: str = "") -> ContextItem:
    lines = text.count("\n")
    return ContextItem("E1", "r", path, (Span(11, 10 + lines),), text, "pay", "procedure", 1.0, Place.ANCHOR, "", 0, 1, doc=doc)


def test_as_many_lines_as_there_are() -> None:
    """So that they keep their numbers; what declares and what continues is blank."""
    said = list(say_lines(FIXED.split("\n")))
    assert len(said) == len(FIXED.split("\n"))
    assert said[:4] == ["", "", "// Checks first.", "if select(peSession) < 0"]
    assert said[7:9] == ["if peSetting <> *ON and peSetting <> *OFF", ""]
    assert list(say_lines(FREE.split("\n")))[2:8] == ["if count = 0", "return none", "}", "balance = sumOf(first: last)", "", "return balance"]


def test_decisions_of_fixed_code() -> None:
    """With the lines on which they stand."""
    found = [(branch.line, branch.condition, branch.outcome, branch.value) for branch in read_branches(item(FIXED))]
    assert found == [
        (14, "select(peSession) < 0", Outcome.RETURNS, "-1"),
        (18, "peSetting <> *ON and peSetting <> *OFF", Outcome.RETURNS, "-1"),
    ]


def test_what_it_sets() -> None:
    """A procedure may say what it is for, and what it leaves behind besides."""
    assert tell_settings(item(FIXED)) == "`wkBinary`"
    assert tell_settings(item("func f() {\n  x = 1\n}\n", "a.swift")) == ""
    assert tell_deeds(item(FREE)) == "sets `balance` and returns `balance`"


@pytest.mark.parametrize(
    ("doc", "said"),
    [("Deprecated. See: setMode", " (“See: setMode”)"), ("Sets it.\nobsolete", " "), ("The deprecated one calls this.", "")],
)
def test_comments_deprecate(doc: str, said: str) -> None:
    """Where a language has no attribute for it, and only at the beginning of a line."""
    assert deprecation(item(FIXED, doc=doc)) == said
    assert deprecation(item(FIXED, "a.swift", doc)) == ""


def test_lines_of_any_kind_are_said() -> None:
    """Nothing of what it is given is too odd."""
    odd = ["", "\t", "     C", "     C" + " " * 40, "x" * 10_000, ";", "if", "     c                   EXSR      load", "'", "     C/free"]
    assert len(list(say_lines(odd * 50))) == len(odd) * 50
    assert "load()" in say_lines(odd)


def test_only_some_languages_have_columns() -> None:
    """Told by the name of the file."""
    assert stands_in_columns("a/B.SQLRPGLE")
    assert not stands_in_columns("a/B.swift")
