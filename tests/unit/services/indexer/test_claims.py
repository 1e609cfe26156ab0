"""Which files are worth reading."""

from collections import Counter

import pytest

from services.indexer.claims import TEXTS, UNCLAIMED, Claim, claim
from services.indexer.language import languages


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env.local",
        "prod.env",
        "id_rsa",
        "keys/id_ed25519.old",
        "cert.pem",
        "app.p12",
        ".netrc",
        ".npmrc",
        "secrets.yml",
        "credentials.json",
    ],
)
def test_files_that_hold_secrets_are_not_read(path: str) -> None:
    """Their names suffice."""
    reason = claim(path)
    assert isinstance(reason, str)
    assert reason.startswith("may hold secrets")


@pytest.mark.parametrize("path", ["env.swift", "environment.swift", "KeyStore.swift", "Secrets.swift", "credentials.swift", "secret.md"])
def test_source_about_secrets_is_source(path: str) -> None:
    """Only kinds of files that hold them are left out, not those that speak of them."""
    assert isinstance(claim(path), Claim)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("Package.resolved", "lock file"),
        ("yarn.lock", "lock file"),
        ("jquery.min.js", "minified"),
        ("App/Assets.xcassets/Icon.appiconset/Contents.json", "part of an Xcode catalogue or project"),
        ("logo.png", UNCLAIMED),
        (".hidden", UNCLAIMED),
    ],
)
def test_what_nobody_asks_about_is_left_unread(path: str, reason: str) -> None:
    """Files of programs, and kinds that are not text."""
    assert claim(path) == reason


def test_languages_claim_their_files_and_other_text_is_text() -> None:
    """A language's file may be larger than other text, and prose is known as such."""
    swift, notes, config = claim("a/B.swift"), claim("NOTES.txt"), claim("a.yml")
    assert isinstance(swift, Claim)
    assert isinstance(notes, Claim)
    assert isinstance(config, Claim)
    assert (swift.language, notes.language, config.language) == ("swift", "", "")
    assert (notes.prose, config.prose) == (True, False)
    assert swift.limit > config.limit


def test_no_suffix_or_name_is_claimed_twice() -> None:
    """Of two claims only one would ever be asked, and which says nothing where they are written."""
    known = languages().values()
    suffixes = [suffix for language in known for suffix in language.suffixes] + [f".{suffix}" for text in TEXTS for suffix in text.suffixes]
    names = [name for language in known for name in language.filenames] + [name for text in TEXTS for name in text.names]
    folders = [folder for language in known for folder in language.folders]
    assert [what for claims in (suffixes, names, folders) for what, times in Counter(claims).items() if times > 1] == []
