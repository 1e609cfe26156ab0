"""What the content of a file makes of it."""

import pytest

from exegesis.model import FileRole, FileStatus
from services.indexer.claims import Claim, claim
from services.indexer.content import LINES, judge

TEXT = Claim("", 1 << 18)


def judged(path: str, content: str | bytes, claimed: Claim = TEXT) -> tuple[FileStatus, FileRole, str]:
    judgement = judge(path, claimed, content if isinstance(content, bytes) else content.encode())
    return judgement.status, judgement.roles, judgement.reason


def test_ordinary_text_is_indexed() -> None:
    """Empty files are ordinary, too."""
    assert judged("a.swift", "func a() {}\n") == judged("a.swift", "") == (FileStatus.INDEXED, FileRole.NONE, "")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("var a=" + "f()+" * 2_000, "minified: lines longer than people write them"),
        (("var a=" + "f()+" * 100 + "\n") * 20, "minified: lines longer than people write them"),
        ("/* licence */\n" * 20 + "f()+" * 2_000 + "\n", "minified: lines longer than people write them"),
        ("x\n" * (LINES + 1), "more than 30,000 lines"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS pointer: the content is elsewhere"),
        (b"\x7fELF" + bytes(9), "binary: ELF program"),
    ],
)
def test_what_is_not_source_is_skipped_for_what_it_is(content: str | bytes, reason: str) -> None:
    """The reason is in words."""
    status, _, found = judged("a.js", content)
    assert (status, found) == (FileStatus.SKIPPED, reason)


@pytest.mark.parametrize(
    "content",
    ['let data = "' + "QUJD" * 400 + '"\n' + "func a() {}\n" * 40, "func a() {}\r" * 400, "x" * 1_500],
    ids=["one long literal", "carriage returns", "small"],
)
def test_people_write_some_long_lines(content: str) -> None:
    """One literal, old line ends or a one-line file do not make a file minified."""
    assert judged("a.swift", content)[0] is FileStatus.INDEXED


def test_prose_may_have_long_lines() -> None:
    """A paragraph a line is how many people write."""
    assert judged("a.md", ("word " * 200 + "\n\n") * 10, Claim("markdown", 1 << 20)) == (FileStatus.INDEXED, FileRole.DOCUMENT, "")


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("a.html", '<!DOCTYPE html>\n<html><head><meta name="generator" content="rustdoc"></head></html>'),
        ("a.html", '<!-- licence -->\n\n<!DOCTYPE html><html><head><script>var baseUrl = "/"</script></head></html>'),
        ("a.html", '<!DOCTYPE html>\n<html><head><link rel="stylesheet" href="css/jazzy.css" /></head></html>'),
        ("a.json", '{"metadata": {"role": "symbol"}, "schemaVersion": {"major": 0}, "sections": []}'),
    ],
)
def test_pages_of_documentation_tools_are_skipped(path: str, content: str) -> None:
    """Wherever they lie, they are told by the marks of their tool."""
    assert judged(path, content) == (FileStatus.SKIPPED, FileRole.GENERATED, "generated documentation")


def test_pages_and_data_of_people_are_indexed() -> None:
    """A page without the marks of a tool is text."""
    assert judged("a.html", "<!DOCTYPE html><html><body>Sign in</body></html>")[0] is FileStatus.INDEXED
    assert judged("a.json", '{"client_id": "abc"}')[0] is FileStatus.INDEXED


def test_a_script_is_known_by_its_first_line() -> None:
    """A file without a suffix is indexed if an interpreter would run it."""
    claimed = claim("bin/run")
    assert isinstance(claimed, Claim)
    assert judged("bin/run", "#!/usr/bin/env python3\n", claimed)[0] is FileStatus.INDEXED
    assert judged("bin/data", "hello\n", claimed) == (FileStatus.SKIPPED, FileRole.NONE, "no language claims it")
