"""Whose code a folder holds."""

import pytest

from services.indexer.licence import FILE, is_foreign

APACHE = "Apache License\nVersion 2.0, January 2004\nCopyright [yyyy] [name of copyright owner]\n"
OURS = "MIT License\n\nCopyright (c) 2020-2024 Example Works, Inc.\n\nPermission is hereby granted"
OURS_TOO = "BSD License\n\nCopyright © 2021, Example Works and contributors\nAll rights reserved."
THEIRS = "The LibTomMath License\n\nCopyright (C) 2018 Tom St Denis\n"


@pytest.mark.parametrize("project", [APACHE, OURS])
def test_another_licence_of_another_holder_is_foreign(project: str) -> None:
    """A copied library is recognised, whatever the project's own licence."""
    assert is_foreign(THEIRS, project, ("LICENSE", "bn.c"))


@pytest.mark.parametrize(
    ("licence", "project", "siblings"),
    [
        (OURS, OURS.replace("\n", "  \n"), ("LICENSE", "a.swift")),
        (OURS_TOO, OURS, ("LICENSE", "a.swift")),
        (THEIRS, OURS, ("LICENSE", "Package.swift")),
        (THEIRS, "", ("LICENSE", "a.swift")),
    ],
    ids=["same text", "same holder", "package", "project without licence"],
)
def test_what_may_be_the_projects_own_is_not_foreign(licence: str, project: str, siblings: tuple[str, ...]) -> None:
    """Only certain signs count, because foreign code is ranked lower."""
    assert not is_foreign(licence, project, siblings)


def test_licence_files_are_known_by_name() -> None:
    """With the usual spellings and suffixes, and no source file among them."""
    assert all(FILE.fullmatch(name) for name in ("LICENSE", "LICENCE.md", "COPYING", "license.txt", "LICENSE-MIT", "UNLICENSE"))
    assert not any(FILE.fullmatch(name) for name in ("License.swift", "LicenseView.tsx", "licenses"))
