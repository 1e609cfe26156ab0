from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.errors import Unauthenticated, UsageError
from services.gateway.tokens import ALL, Grants, bearer, check, digest_of, identifier_in, mint, read_scopes, write_scopes

names = st.from_regex(r"[a-z0-9-]{1,20}", fullmatch=True) | st.just(ALL)
grants = st.builds(Grants, read=st.frozensets(names), index=st.frozensets(names), admin=st.booleans(), metrics=st.booleans())
READER = Grants(read=frozenset({"alpha"}))


@given(grants)
def test_scopes_survive_being_stored(given_to: Grants) -> None:
    """What is read back allows what was written, no more and no less."""
    assert read_scopes(write_scopes(given_to)) == given_to


@given(st.lists(st.text()))
def test_scopes_that_nobody_understands_allow_nothing(scopes: list[str]) -> None:
    """A store of another version, or a slip of a hand, opens no door that it does not name."""
    assert not read_scopes(scopes).admin or "admin" in {scope.rstrip(":") for scope in scopes}


@given(grants, names)
def test_who_may_index_may_read(given_to: Grants, repository: str) -> None:
    """The report of a run names files."""
    assert given_to.reads(repository) or not given_to.indexes(repository)


def test_a_star_stands_for_every_repository() -> None:
    """To read, and to read only."""
    everything = Grants(read=frozenset({ALL}))
    assert everything.reads("whatever")
    assert not everything.indexes("whatever")
    assert not everything.admin


def test_a_token_is_accepted_until_it_expires() -> None:
    """To the second."""
    written, record = mint("bot", READER, now=100.0, seconds=50.0, per_minute=300)
    assert check(written, record, now=149.9) is record
    with pytest.raises(Unauthenticated):
        check(written, record, now=150.0)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda written, record: (written[:-1] + ("0" if written[-1] != "0" else "1"), record),
        lambda written, record: (written, None),
        lambda written, record: (written, replace(record, revoked=1.0)),
        lambda written, record: (written + "0", record),
        lambda written, record: (written.upper(), record),
        lambda written, record: ("", record),
        lambda written, record: ("exg_\u0660" + written[5:], record),
        lambda written, record: (written, replace(record, digest=digest_of(""))),
    ],
)
def test_anything_else_is_refused_in_the_same_words(spoil: object) -> None:
    """Nobody learns from a refusal what was wrong."""
    written, record = mint("bot", READER, now=100.0, seconds=None, per_minute=300)
    with pytest.raises(Unauthenticated) as refused:
        check(*spoil(written, record), now=101.0)  # type: ignore[operator]  # the parameters are functions
    assert refused.value.message == "This token is not accepted."


def test_the_record_does_not_hold_the_secret() -> None:
    """Who reads the store cannot ask."""
    written, record = mint("bot", READER, now=1.0, seconds=None, per_minute=300)
    secret = written.split("_")[2]
    assert len(secret) == 64
    assert secret not in repr(record)
    assert bytes.fromhex(secret) not in record.digest
    assert identifier_in(written) == record.id


def test_no_two_tokens_are_alike() -> None:
    """Neither by identifier nor by secret."""
    made = {mint("bot", READER, now=1.0, seconds=None, per_minute=300)[0].split("_")[part] for _ in range(20) for part in (1, 2)}
    assert len(made) == 40


def test_a_token_that_would_allow_nothing_is_not_made() -> None:
    """It would only be found out when it is used."""
    with pytest.raises(UsageError):
        mint("bot", Grants(), now=1.0, seconds=None, per_minute=300)


@pytest.mark.parametrize("header", ["", "exg_1_2", "Basic dXNlcjpwYXNz", "Bearer", "Bearer   "])
def test_a_header_without_a_token_is_said_to_have_none(header: str) -> None:
    """Which is another thing than one that is not accepted."""
    with pytest.raises(Unauthenticated, match="needs a token"):
        bearer(header)


def test_the_scheme_is_written_as_one_likes() -> None:
    """As the standard has it."""
    assert bearer("bearer exg_x") == bearer(" Bearer  exg_x ") == "exg_x"
