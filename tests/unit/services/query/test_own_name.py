from __future__ import annotations

from pathlib import Path

import pytest

from exegesis.model import Options, Question
from services.query.own_name import forms_of, with_whole_for_its_name
from tests.fakes.small_repository import Piece, small_repository

FILES = {"src/app.py": [Piece("Flask", "route()"), Piece("match", "url()")]}


def asked(text: str, folder: Path, name: str = "acme/flask@258d68b") -> str:
    corpus = small_repository(folder, FILES)
    return with_whole_for_its_name(Question(text, (corpus.repository,), Options()), [corpus], {corpus.repository: name}).text


@pytest.mark.parametrize(
    "text",
    [
        "How are the parts of Flask structured?",
        "Overview of flask",
        "What is the architecture of Flask?",
        "What are the main parts of flask?",
        "How is the Flask framework structured?",
        "Give me an overview of Flask.",
        "What does flask do?",
        "Explain flask",
        "Which modules does flask have?",
    ],
)
def test_a_repository_by_its_name_is_the_whole(text: str, tmp_path: Path) -> None:
    """Where the question asks for the whole."""
    assert "this project" in asked(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "How does Flask match a URL?",
        "What does Flask do?",
        "What is Flask?",
        "What is the structure of Flask.match?",
        "How are Flask's routes organized?",
        "Why is flask slow?",
        "What is the architecture of flask-login?",
        "Where is Flask used?",
        "How is this project structured?",
        "What is the architecture of redux?",
    ],
)
def test_a_name_may_stand_for_less(text: str, tmp_path: Path) -> None:
    """For a type that bears it, for what belongs to it, for the place that is asked about, or for something else."""
    assert asked(text, tmp_path) == text


@pytest.mark.parametrize(
    ("name", "forms"),
    [("GRDB.swift", {"GRDB.swift", "GRDB"}), ("apple/swift-log", {"swift-log"}), ("flask@258d68b", {"flask"}), ("x", set()), ("", set())],
)
def test_people_shorten_names(name: str, forms: set[str]) -> None:
    """What a host, a checkout or a language adds to a name nobody says."""
    assert set(forms_of(name)) == forms
