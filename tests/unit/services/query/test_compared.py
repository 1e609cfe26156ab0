"""Things that a question sets beside each other."""

import time

import pytest

from services.query.compared import compared_names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is the difference between FTP_Binary and FTP_binaryMode?", ("FTP_Binary", "FTP_binaryMode")),
        ("What's the difference between the method open and the method close?", ("open", "close")),
        ("How does Session differ from SessionDelegate?", ("Session", "SessionDelegate")),
        ("How is `combineLatest` different from `zip`?", ("combineLatest", "zip")),
        ("compare Session.request and Session::download", ("Session.request", "Session.download")),
        ("responseDecodable vs responseJSON?", ("responseDecodable", "responseJSON")),
        ("When should I use upload instead of download?", ("upload", "download")),
        ("Which should I use, map or flatMap?", ("map", "flatMap")),
        ("What distinguishes Single, Maybe and Completable?", ("Single", "Maybe", "Completable")),
        ("What is the difference between asObservable() and asDriver() and when should I use which?", ("asObservable", "asDriver")),
    ],
)
def test_names_are_read_in_the_order_of_the_question(question: str, names: tuple[str, ...]) -> None:
    """Without articles, kinds and labels, with their types where these are written."""
    assert compared_names(question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Explain the difference between sync and async requests in the client",
        "How are requests compared to each other?",
        "Which routes use middleware and templates?",
        "Why does the parser use regex and not a grammar?",
        "compare the performance of caches",
        "How does a token get refreshed?",
        "What is the difference between open and open?",
    ],
)
def test_what_is_more_than_a_name_is_not_compared(question: str) -> None:
    """Such a question asks how something works."""
    assert compared_names(question) == ()


def test_reading_is_quick_for_any_text() -> None:
    """Lists without end, and words without lists."""
    begin = time.process_time()
    for text in ("difference between " + "a " * 5_000, "compare " + "a, " * 5_000, "when use " + "x or " * 5_000, "use " * 5_000, "a" * 50_000):
        compared_names(text)
    assert time.process_time() - begin < 0.5
