import hypothesis.strategies as st
import pytest
from hypothesis import given

from exegesis.model import Chunk, ChunkKind, Field, Span
from exegesis.terms import document_terms, folded, pack, path_text, question_terms, stop_words, term_id, terms_of, units_of, unpack


def chunk(**values: object) -> Chunk:
    given_values: dict[str, object] = {"id": 1, "path": "Sources/Net/Session.swift", "kind": ChunkKind.SYMBOL, "runs": (Span(1, 1),), "text": ""}
    return Chunk(**(given_values | values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("statusCode", ("status", "code", "statuscode")),
        ("HTTPServer", ("http", "server", "httpserver")),
        ("access_tokens", ("access", "token", "access_tokens")),
        ("running", ("run",)),
        ("_private", ("privat",)),
        ("_superRefine", ("super", "refin", "superrefine")),
        ("$ZodType", ("zod", "type", "zodtype")),
        ("num_data_", ("num", "data", "num_data")),
        ("x", ("x",)),
        ("$0", ()),
        ("7", ()),
        ("404", ("404",)),
    ],
)
def test_a_word_yields_its_stemmed_parts_and_itself(word: str, terms: tuple[str, ...]) -> None:
    """A word of several parts is a term beside its parts; single letters and digits inside a word are none."""
    assert terms_of(word) == terms


@pytest.mark.parametrize(
    ("word", "asked"),
    [("IPv6Address", "ipv6"), ("OAuth2Client", "oauth2"), ("OAuth2Client", "oauth"), ("SHA256Digest", "sha256"), ("UTF8View", "utf8")],
)
def test_number_letter_words_are_one_term_beside_their_parts(word: str, asked: str) -> None:
    """What people write as one word is found inside longer identifiers."""
    assert set(terms_of(asked)) & set(terms_of(word))
    assert any(set(unit) & set(terms_of(asked)) for unit in units_of(word))


def test_other_alphabets_split_like_latin() -> None:
    """Letter case separates parts in every alphabet, and words without case stay whole."""
    assert [unit[0] for unit in units_of("GrößeÄndern")] == ["größe", "ändern"]
    assert terms_of("日本語") == ("日本語",)


def test_terms_are_the_same_numbers_everywhere() -> None:
    """Stored numbers must not change: indexes outlive processes."""
    assert term_id("session") == 1572601643


def test_each_field_is_counted_on_its_own() -> None:
    """Path without extension, name, enclosing type, signature, doc and body are separate fields."""
    counts = document_terms(chunk(name="resume", enclosing="Session", signature="func resume()", doc="Resumes.", text="func resume() { resume() }"))
    resume = term_id("resum")
    assert {field: counts[resume, field] for field in Field if (resume, field) in counts} == {
        Field.NAME: 1,
        Field.SIGNATURE: 1,
        Field.DOC: 1,
        Field.BODY: 2,
    }
    assert counts[term_id("session"), Field.PATH] == 1
    assert counts[term_id("session"), Field.ENCLOSING] == 1
    assert (term_id("swift"), Field.PATH) not in counts


def test_a_hidden_file_keeps_its_name() -> None:
    """A leading dot starts a name, it does not end one."""
    assert path_text("a/.swiftlint") == "a/.swiftlint"
    assert path_text("a/b.c/Session+Retry.swift") == "a/b.c/Session+Retry"


@given(st.dictionaries(st.tuples(st.integers(0, 2**32 - 1), st.sampled_from(list(Field))), st.integers(1, 10**6)))
def test_packed_counts_read_back_ordered_and_saturated(counts: dict[tuple[int, Field], int]) -> None:
    """Packing keeps every count up to 65535 and orders records by term and field."""
    records = unpack(pack(counts))
    assert [(int(r["term"]), int(r["field"]), int(r["count"])) for r in records] == [(t, f, min(n, 65535)) for (t, f), n in sorted(counts.items())]
    assert len(pack(counts)) == 7 * len(counts)


@given(st.text())
def test_no_text_breaks_the_splitter(text: str) -> None:
    """Any text yields terms without an error, and its question form too."""
    document_terms(chunk(text=text, name=text))
    question_terms(text)


def test_a_question_loses_the_words_of_conversation() -> None:
    """Stop words and contractions are dropped, repeated words keep their count."""
    asked = question_terms("How doesn't the request adapter adapt a request that's been retried?")
    assert dict(asked.counts) == {"request": 2, "adapt": 2, "retri": 1}


def test_a_question_of_stop_words_keeps_them() -> None:
    """Where nothing else is left, all words count."""
    assert dict(question_terms("how does it work").counts)


def test_neighbouring_words_join_into_phrases() -> None:
    """Two words side by side meet the identifier that joins them, in the singular as well; a short stop word separates."""
    asked = question_terms("status codes of a response")
    assert asked.phrases == ("statuscodes", "statuscode")


def test_words_that_code_uses_are_on_no_stop_list() -> None:
    """Dropping call, case, order, step, first or last would make questions about them empty."""
    lists = stop_words("short") | stop_words("long") | stop_words("conversation")
    assert not {"call", "case", "order", "point", "step", "handler", "first", "last"} & lists


def test_names_that_differ_in_case_and_in_signs_before_them_are_folded_into_one() -> None:
    """Signs that mark a name as private are no part of it, unless there is nothing else."""
    assert folded("_numData_") == folded("numdata") == "numdata"
    assert folded("__") == "__"
