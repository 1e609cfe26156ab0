import pytest

from exegesis.model import Chunk, ChunkKind, Options, Span
from services.query.features import is_definition, name_precision, path_share, stem_precision
from services.query.intent import Intent, read_question


def chunk(name: str, enclosing: str = "") -> Chunk:
    return Chunk(id=1, path="a.swift", kind=ChunkKind.SYMBOL, runs=(Span(1, 1),), text="", name=name, enclosing=enclosing)


def asked(text: str) -> Intent:
    return read_question(text, Options())


def test_a_name_that_is_said_as_a_whole_beats_one_that_is_said_in_part() -> None:
    """Precision over the name's own words, in any inflection."""
    intent = asked("how are requests retried?")
    assert name_precision(chunk("retry"), intent) == 1
    assert name_precision(chunk("retryRequest"), intent) == 1
    assert name_precision(chunk("retryRequestLater"), intent) == pytest.approx(2 / 3)
    assert name_precision(chunk(""), intent) == 0


def test_number_letter_names_count_as_one_word() -> None:
    """``OAuth2Client`` is said by "oauth client" and by "OAuth2 client" alike."""
    assert name_precision(chunk("OAuth2Client"), asked("how does the oauth client start?")) == 1
    assert name_precision(chunk("OAuth2Client"), asked("how does the OAuth2 client start?")) == 1


def test_names_that_a_language_gives_say_nothing() -> None:
    """Nobody chose them; a word of the author's own beside the sign counts."""
    intent = asked("where do operating systems call the operator?")
    assert [name_precision(chunk(name), intent) for name in ("__call__", "operator<<", "operator ()", "operator", "_call")] == [0, 0, 0, 0, 1]


def test_a_definition_bears_the_name_that_is_the_question() -> None:
    """The very name comes before one in other letters or with other signs, and the qualifier matters where there is one."""
    assert is_definition(chunk("Session"), asked("Session")) == 1
    assert is_definition(chunk("session"), asked("Session")) == 0.5
    assert is_definition(chunk("$ZodType"), asked("ZodType")) == 0.5
    assert is_definition(chunk("request", "Session"), asked("Session.request")) == 1
    assert is_definition(chunk("request", "Other"), asked("Session.request")) == 0.5
    assert is_definition(chunk("session"), asked("how does Session work?")) == 0


def test_paths_answer_by_file_and_folder() -> None:
    """Words of the question may stand in the file name or in its folder, as prefixes of each other from four letters on."""
    intent = asked("authentication of sessions")
    assert path_share("Source/Auth/SessionDelegate.swift", intent) == 1
    assert path_share("Source/Core/SessionDelegate.swift", intent) == 0.5
    assert stem_precision("Source/Core/Session.swift", intent) == 1
    assert stem_precision("Source/Core/SessionDelegate.swift", intent) == 0.5


def test_a_word_in_a_path_stands_for_its_longer_forms_from_four_letters_on() -> None:
    """``auth`` is said by "authentication" and the other way round; what is shorter or differs after four letters is another word."""
    asked = read_question("How does authentication work?", Options())
    assert path_share("auth.go", asked) == 1.0
    assert stem_precision("auth.go", asked) == 1.0
    assert path_share("authors.go", asked) == 0.0
    assert path_share("aut.go", asked) == 0.0
