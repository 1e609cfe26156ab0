"""The command line is a contract: scripts are written against it."""

from __future__ import annotations

import pytest

from exegesis.model import Options, SymbolKind
from services.gateway.arguments import build_parser, options_of, parse


def test_every_option_of_an_explanation_reaches_its_options() -> None:
    """What a person tunes is what the query service is asked with."""
    numbers = ["--limit", "3", "--neighbors", "4", "--budget", "900"]
    switches = ["--lexical-prefilter", "--oversize-anchors", "--include-dependencies", "--whole-files", "--no-llm", "--no-dense"]
    arguments = parse(["explain", "why?", "--project", "a", "--project", "b", *numbers, *switches, "--json", "--trace", "--diagram"])
    assert arguments.project == ["a", "b"]
    assert options_of(arguments) == Options(
        limit=3,
        neighbors=4,
        budget=900,
        lexical_prefilter=True,
        oversize_anchors=True,
        include_dependencies=True,
        whole_files=True,
        use_model=False,
        dense=False,
    )


def test_without_options_the_defaults_are_those_of_the_product() -> None:
    """The command line adds no defaults of its own."""
    assert options_of(parse(["explain", "why?"])) == Options()


@pytest.mark.parametrize("option", ["--no-llm", "--whole-files", "--oversize-anchors", "--budget=900", "--neighbors=1"])
def test_a_search_takes_no_option_that_would_change_nothing(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It composes no context and asks no model."""
    assert options_of(parse(["search", "retry", "--limit", "3", "--no-dense", "--lexical-prefilter"])) == Options(
        limit=3, dense=False, lexical_prefilter=True
    )
    with pytest.raises(SystemExit):
        parse(["search", "retry", option])
    assert option.partition("=")[0] in capsys.readouterr().err


def test_a_kind_narrows_a_search() -> None:
    """--kind takes the names of the vocabulary."""
    assert options_of(parse(["search", "retry", "--kind", "protocol"])).kind is SymbolKind.PROTOCOL


@pytest.mark.parametrize(
    "written",
    [[], ["explain"], ["explain", "q", "--budget", "0"], ["explain", "q", "--limit", "-1"], ["search", "q", "--kind", "poem"], ["graph", "callers"]],
)
def test_what_makes_no_sense_is_a_usage_error(written: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2 and a message on standard error."""
    with pytest.raises(SystemExit) as stopped:
        parse(written)
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_help_teaches_by_examples() -> None:
    """The first screen shows what can be asked and what exit codes mean."""
    text = build_parser().format_help()
    assert "exegesis explain " in text
    assert "3 nothing relevant found" in text


@pytest.mark.parametrize(
    "written",
    [
        ["serve", "indexer"],
        ["index", ".", "--scip=index.scip"],
    ],
)
def test_what_a_later_version_brings_is_said_to_come(written: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The contract names it, so it is a usage error of its own and not a slip of the pen."""
    with pytest.raises(SystemExit) as stopped:
        parse(written)
    assert stopped.value.code == 2
    assert "comes with a later version" in capsys.readouterr().err


@pytest.mark.parametrize("written", [["index", "."], ["explain", "why?"], ["outline", "why?"], ["search", "words"]])
def test_an_index_store_can_be_named_wherever_indexing_happens(written: list[str]) -> None:
    """Left out, whatever was said last holds."""
    assert parse(written).index_store == ""
    assert parse([*written, "--index-store", "DerivedData"]).index_store == "DerivedData"


def test_a_question_without_quotes_is_told_to_have_some(capsys: pytest.CaptureFixture[str]) -> None:
    """The shell makes an argument of each word, which says nothing to somebody who asked."""
    with pytest.raises(SystemExit) as ended:
        parse(["explain", "how", "does", "it", "work"])
    assert ended.value.code == 2
    assert "unrecognized arguments: does it work (a question of several words goes in quotes)" in capsys.readouterr().err


def test_the_bare_command_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, since nothing was answered."""
    with pytest.raises(SystemExit) as ended:
        parse([])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert (said.out, "examples:" in said.err, "describe" in said.err) == ("", True, True)
