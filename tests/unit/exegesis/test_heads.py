"""What files say of themselves at their top."""

from __future__ import annotations

from exegesis.heads import head_of, telling_paragraph


def numbered(text: str) -> list[tuple[int, str]]:
    return list(enumerate(text.split("\n"), start=1))


def test_a_licence_is_passed_over() -> None:
    """The first comment that says something about the file is its head, with the lines where it stands."""
    head = head_of(numbered("// Copyright 2014 Somebody.\n// All rights reserved.\n\n// Package web routes requests to handlers.\npackage web\n"))
    assert head is not None
    assert (head.text, head.lines.start, head.lines.end) == ("Package web routes requests to handlers.", 4, 4)


def test_comments_of_members_in_columns_are_read() -> None:
    """Fixed RPG writes stars in column 7 and a sequence before them."""
    head = head_of(numbered("      /copy VERSION\n\n      **  This is the File Transfer Protocol API service program.\n      **   To build this:\n"))
    assert head is not None
    assert head.text.startswith("This is the File Transfer Protocol API service program.")


def test_blocks_and_docstrings_are_comments() -> None:
    """Their lines bear no mark of their own."""
    assert (head := head_of(numbered("/*\nPackage gin implements a web framework.\n\nSee elsewhere.\n*/\npackage gin")))
    assert head.text == "Package gin implements a web framework."
    assert (head := head_of(numbered('"""Tools that read and write tokens."""\nimport json')))
    assert head.text == "Tools that read and write tokens."


def test_what_editors_and_tools_write_is_no_head() -> None:
    """The name of the file and who made it say nothing, marks for linters neither."""
    assert head_of(numbered("//\n//  Session.swift\n//  Created by Somebody on 1.1.\n//\nimport Foundation")) is None
    assert head_of(numbered("# -*- coding: utf-8 -*-\n# ruff: noqa\nimport os")) is None


def test_a_document_is_told_by_the_paragraph_that_says_what_it_is() -> None:
    """News and badges may come first."""
    text = "# Gin\n\n[![Build](x)](y)\n\nWe are excited to announce the release of version two.\n\nGin is a web framework written in Go.\n"
    head = telling_paragraph(numbered(text))
    assert head is not None
    assert (head.text, head.lines.start) == ("Gin is a web framework written in Go.", 7)
