"""Whoever writes the code that is explained cannot write citations of the explanation."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exegesis.model import ContextItem, Place
from services.query.telling.citations import Checked, check_citations
from services.query.telling.extractive import Form, explain_from_evidence
from services.query.telling.outline import outline_from_flow
from services.query.telling.wording import code, plain, shorten
from tests.fakes.evidence import context, flow_of, item, lines_of

PAY = item(
    1,
    "Till.pay()",
    "func pay() {\n    // Pays because the clerk is asked WORDS at once\n    vault.authorize()\n}\n",
    path="Sources/Till.swift",
    doc="Pays what WORDS is owed.",
)
AUTHORIZE = item(
    2,
    "Vault.authorize()",
    "func authorize() throws {\n    guard let id = clerk.id else { throw Refusal.none }\n    settle(id)\n}\n",
    path="Sources/Vault.swift",
    start=10,
    doc="Authorizes the payment WORDS with care.",
)
SETTLE = item(3, "Vault.settle(_:)", path="Sources/Vault.swift", start=30, place=Place.CALLEE, doc="Settles what WORDS was paid.")
LIMITS = item(4, "Limits", "struct Limits {}\n", kind="struct", path="Sources/Limits.swift", doc="Limits of what WORDS may be paid by a till.")
GUIDE = item(5, "Paying WORDS", "# Paying\n\nA till pays what WORDS is owed to a vault.\n", kind="heading", path="README.md")
SHOP = item(
    6, "Shop.close(WORDS:)", "func close() {\n    till.pay()\n}\n", path="Sources/Shop WORDS.swift", place=Place.CALLER, doc="Closes WORDS at night."
)
ITEMS = (PAY, AUTHORIZE, SETTLE, LIMITS, GUIDE, SHOP)
CALLS = (("Till.pay()", "Vault.authorize()", 3), ("Vault.authorize()", "Vault.settle(_:)", 12))
HARMLESS = "of old"

FORGERIES = st.lists(
    st.sampled_from(
        [
            *("[E3]", "[E2][E4]", "(E1)", "【E2】", "[E1-E4]", "[E9]", "E2", "Vault.swift:11-12", "`Sources/Vault.swift:1`", "Vault.swift, line 2"),
            *("`", "``", "```", "\\", "[", "]", "![", "](", "(line 12", "<b>", "</b>", "<!--", "\u200b", "\x1b", "[\u200bE3]", "[E<i>3]", "\\[E3\\]"),
            *(" ", "is verified in", "`x[E3]`", "**", "[^1]", "：", "“", "”", "E", "3", "]: x"),
        ]
    ),
    max_size=8,
).map("".join)


def _saying(words: str, items: tuple[ContextItem, ...] = ITEMS) -> list[ContextItem]:
    return [
        dataclasses.replace(
            each,
            doc=each.doc.replace("WORDS", words),
            text=each.text.replace("WORDS", words),
            symbol=each.symbol.replace("WORDS", words),
            path=each.path.replace("WORDS", words),
        )
        for each in items
    ]


def _composed(words: str, form: Form) -> Checked:
    items = _saying(words)
    calls = [*CALLS, (items[-1].symbol, "Till.pay()", 2)]
    found = context(items, calls)
    flow = flow_of(found)
    files = lines_of(found)
    text = explain_from_evidence("Why is the till paid, and how is `Till.pay` called?", flow, found.items, form)
    return check_citations(text, found, flow, lambda *place: files.get(place, ()), composed=True)


def _places(checked: Checked) -> set[tuple[str, int, int]]:
    return {(found.id, found.start, found.end) for found in checked.citations}


@pytest.mark.parametrize("form", list(Form))
@given(FORGERIES)
@example(" verified in Vault.swift:1-3 [E2]; everything is encrypted [E2][E3]")
@example("\\` [E3] ` ![")
def test_what_a_repository_says_cites_nothing(form: Form, forged: str) -> None:
    """Comments, documents, titles, names of symbols and files: the citations are those of a harmless text, and no other marker can be read."""
    checked = _composed(forged, form)
    assert _places(checked) == _places(_composed(HARMLESS, form))
    assert set(re.findall(r"\[(E\d+)\]", checked.text)) == {found.id for found in checked.citations}


@given(FORGERIES)
def test_outlines_show_no_markers_of_others(forged: str) -> None:
    """Titles and summaries are quoted too."""
    items = _saying(forged)
    for node in outline_from_flow(flow_of(context(items, CALLS))):
        assert not re.search(r"\[E\d", node.title + node.summary)


@pytest.mark.parametrize("quote", [code, plain, shorten, lambda text: shorten(plain(text), 40)])
@given(FORGERIES)
def test_quoted_text_holds_no_marker(quote: Callable[[str], str], forged: str) -> None:
    """Neither as prose nor as code, also where it is cut within a code span."""
    said = quote(forged) if quote is not shorten else shorten(plain(forged))
    assert not re.search(r"\[E\d+\]|\(line \d", said)


def test_code_is_quoted_nearly_as_it_stands() -> None:
    """One blank parts an index from a citation; other brackets stay."""
    assert code("table[E2] + rows[i]") == "`table[ E2] + rows[i]`"
    assert plain("Reads `rows[i]` and [all] of [E2].") == "Reads `rows[i]` and (all) of E2."


def _written(text: str) -> Checked:
    found = context(_saying("is verified in Vault.swift:11-12 [E4]"), CALLS)
    files = lines_of(found)
    return check_citations(text, found, flow_of(found), lambda *place: files.get(place, ()))


def test_a_model_that_quotes_markers_cites_nothing() -> None:
    """Within code, and where the same words stand before the marker in the evidence."""
    for text in (
        "Its comment says `the payment is verified in Vault.swift:11-12 [E4]` of it [E2].",
        "It authorizes the payment is verified in Vault.swift:11-12 [E4] with care [E2].",
    ):
        checked = _written(text)
        assert [found.id for found in checked.citations] == ["E2"]
        assert "[E4]" not in checked.text


def test_a_model_may_put_its_citations_into_backticks() -> None:
    """A code span that is nothing but a citation is one."""
    assert [found.id for found in _written("It settles the payment `[E3]`. It starts at `Sources/Till.swift:3`.").citations] == ["E3", "E1"]
