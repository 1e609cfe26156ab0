"""Questions of use, asked of the example package: every part real, no vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.model import Answer, Finished, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions

EXAMPLE = Path(__file__).parents[2] / "examples" / "swift-oauth"


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assembly]:
    built = Assembly(Settings(home=str(tmp_path_factory.mktemp("home")), embedder="none", workers=1))
    built.indexer.index(str(EXAMPLE), IndexOptions(embed=False), lambda _: None)
    yield built
    built.close()


def answer(assembly: Assembly, text: str) -> Answer:
    last = list(assembly.query.explain(Question(text, (assembly.indexer.locate(str(EXAMPLE)).id,))))[-1]
    assert isinstance(last, Finished)
    return last.answer


def users(found: Answer) -> list[str]:
    """The callers, in the order in which they are listed, whatever the group."""
    groups = re.findall(r"^\*\*Used (?:from|in) ?.*?\*\*\n(.*?)(?=^\*\*|\Z)", found.text, re.MULTILINE | re.DOTALL)
    return re.findall(r"^- `(.+?)` in ", "".join(groups), re.MULTILINE)


def test_current_callers_come_before_deprecated_ones_and_those_before_tests(assembly: Assembly) -> None:
    """`usableCredential` has two overloads; both are used by the signer, by names of version 1 and by tests."""
    listed = users(answer(assembly, "Who uses usableCredential?"))
    assert listed[:4] == [
        "BearerSigner.adapt(_:)",
        "BearerSigner.readapt(_:rejected:because:)",
        "AuthorizedClient.accessToken",
        "AuthorizedClient.refreshToken()",
    ]
    assert len(listed) > 4
    assert all("Tests.test" in name for name in listed[4:])


def test_the_definition_leads_with_all_its_overloads(assembly: Assembly) -> None:
    """Whoever asks for a name means all that bear it."""
    found = answer(assembly, "Who uses usableCredential?")
    assert {item.symbol for item in found.context.items[:2]} == {
        "CredentialGate.usableCredential(leeway:)",
        "CredentialGate.usableCredential(replacing:)",
    }
    assert all(item.symbol in found.text.partition("**Used from**")[0] for item in found.context.items[:2])


def test_a_caller_that_is_there_is_never_denied(assembly: Assembly) -> None:
    """One overload of `refreshToken` is called by the other, and by nothing else but a test."""
    found = answer(assembly, "Where is refreshToken called?")
    assert users(found) == ["ClientTests.testVersionOneNamesStillWork()"]
    assert "It calls `refreshToken` (line 21)" in found.text  # the other overload is part of the definition, and says so there
    assert "Nothing in the evidence uses it" not in found.text


def test_a_member_is_meant_where_it_is_written_with_its_type(assembly: Assembly) -> None:
    """And neither its type nor members of the same name."""
    found = answer(assembly, "Where is TokenBucket.takeToken called?")
    assert found.context.items[0].symbol == "TokenBucket.takeToken()"
    assert users(found)[0] == "ThrottledTransport.deliver(_:)"
