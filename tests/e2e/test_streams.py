"""The command works whatever its standard streams are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import HOUSE, Run


def _shell(line: str, home: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A line of shell in which ``$exegesis`` is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", line],
        env={
            "PATH": os.defpath,
            "EXEGESIS_HOME": str(home),
            "EXEGESIS_EMBEDDER": "none",
            "PYTHONPATH": str(HOUSE),
            "exegesis": f"{sys.executable} -m exegesis",
            **environment,
        },
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_do_no_harm(closed: str, tmp_path: Path) -> None:
    """Nobody listens, and the work is done all the same."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.swift").write_text("func refresh() {}\n")
    done = _shell(f"$exegesis index {tmp_path}/project {closed}", tmp_path / "home")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert b"1 files seen: 1 indexed" in _shell("$exegesis status", tmp_path / "home").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_behind_standard_output_is_a_failure_in_words(tmp_path: Path) -> None:
    """Exit code 1, and one line that says why."""
    done = _shell("$exegesis status > /dev/full", tmp_path)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr
    assert b"fault of Exegesis" not in done.stderr
    assert b"Exception ignored" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_behind_standard_error_costs_the_remarks_alone(tmp_path: Path) -> None:
    """The answer goes on."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.swift").write_text("func refresh() {}\n")
    done = _shell(f"$exegesis search refresh --project {tmp_path}/project 2> /dev/full", tmp_path / "home")
    assert (done.returncode, b"a.swift" in done.stdout) == (0, True)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_encoding_without_the_characters_of_an_answer(encoding: str, tmp_path: Path) -> None:
    """Characters that cannot be written are escaped; JSON stays JSON and says the same."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "é😀.swift").write_text("func renewKey() {}\n")
    command = f"$exegesis search renewKey --project {tmp_path}/project"
    text = _shell(command, tmp_path / "home", PYTHONIOENCODING=encoding)
    assert (text.returncode, b"\\U0001f600.swift" in text.stdout) == (0, True), text.stderr
    answer = json.loads(_shell(command + " --json", tmp_path / "home", PYTHONIOENCODING=encoding).stdout)
    assert answer["results"][0]["path"] == "é😀.swift"


def test_a_question_that_is_no_text_is_answered_in_valid_json(exegesis: Run) -> None:
    """Bytes that are not UTF-8 become replacement characters."""
    done = exegesis("explain", os.fsdecode(b"\xff\xfe refresh token"), "--json", "--no-dense")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["question"] == "\ufffd\ufffd refresh token"


def test_the_locale_does_not_change_what_was_asked(tmp_path: Path) -> None:
    """A question in UTF-8 is understood in the C locale as well."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.swift").write_text("func schlüsselErneuern() {}\n")
    command = f"$exegesis search schlüsselErneuern --project {tmp_path}/project"
    done = _shell(command, tmp_path / "home", LC_ALL="POSIX", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr


def test_a_long_question_does_not_flood_the_screen(exegesis: Run) -> None:
    """A complaint quotes as much of it as a person reads."""
    done = exegesis("graph", "callers", "x" * 100_000)
    assert done.returncode == 2
    assert len(done.stderr) < 5_000
