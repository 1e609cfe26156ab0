"""Secrets in source text."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.indexer.secrets import find_secrets, redact

KEY = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n" * 4
    + "-----END OPENSSH PRIVATE KEY-----\n"
)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('let key = "AKIAIOSFODNN7EXAMPLE"', "AKIAIOSFODNN7EXAMPLE"),
        ('let token = "ghp_' + "a1B2" * 9 + '"', "ghp_" + "a1B2" * 9),
        ("token: glpat-" + "aB3x" * 5, "glpat-" + "aB3x" * 5),
        ("xoxb-" + "1234567890-" * 2 + "abcDEF", "xoxb-" + "1234567890-" * 2 + "abcDEF"),
        ("AIza" + "Sy4D" * 8 + "abc", "AIza" + "Sy4D" * 8 + "abc"),
        ("DATABASE_URL=postgres://admin:hunter2@db.invalid/prod", "hunter2"),
        ("AccountKey=" + "aB3/" * 20 + "==", "aB3/" * 20 + "=="),
        ("Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "eyJzdWIiOiIxMjM0NTY3ODkwIn0"),
        ('clientSecret: "Zk3v9QpL0xT7wR2mB8nC"', "Zk3v9QpL0xT7wR2mB8nC"),
        ('let apiKey: String = "Zk3v9QpL0xT7wR2mB8nC"', "Zk3v9QpL0xT7wR2mB8nC"),
        ('{"password": "Zk3v9QpL0xT7wR2mB8nC"}', "Zk3v9QpL0xT7wR2mB8nC"),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzK9vQ2hL5t", "wJalrXUtnFEMI"),
        ('let password = "hunter2hunter2"', "hunter2hunter2"),
        ('login(user: "me", password: "Tr0ub4dor&3")', "Tr0ub4dor&3"),
        ('static let dbPwd: String? = "summer2026!"', "summer2026!"),
        ('if password == "letmein12345" {', "letmein12345"),
        ('{"passphrase": "correct1horse2battery"}', "correct1horse2battery"),
        (KEY, "b3BlbnNzaC1rZXktdjE"),
        (KEY.partition("-----END")[0], "b3BlbnNzaC1rZXktdjE"),
        ('let pem = "' + KEY.replace("\n", "\\n") + '"', "b3BlbnNzaC1rZXktdjE"),
    ],
)
def test_secrets_do_not_survive(text: str, secret: str) -> None:
    """What is replaced is the secret, and what stood there is said."""
    assert secret in text
    assert secret not in redact(text)
    assert "<secret:" in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        'let accessToken = "access_token"',
        'case refreshToken = "refresh_token"',
        'throw TokenError.invalid("The token has expired, sign in again")',
        'static let tokenPath = "/oauth2/v2.0/token/refresh"',
        'let password = "your_password_here_1234"',
        'let url = "https://example.com:8080/path"',
        'case newPassword = "new_password_2"',
        'let password = "passwordField1"',
        'field.password = "Enter your password, at least 8 characters"',
        'let passwordKey = "user2.login"',
        'static let password = "secureEntry"',
        'cell(password: "\\(user.password1)")',
        'let passwordPattern = "^[a-z0-9]{8,}$"',
        "git@github.com:owner/name.git",
        'revision = "66e4a5df37a7cd1b2b6ed8fa3f3f7b6f8d5f5f8c"',
        'if text.contains("-----BEGIN PRIVATE KEY-----") { parse(text) }',
        'let begin = "-----BEGIN PRIVATE KEY-----"\nlet end = "-----END PRIVATE KEY-----"\n',
        "let token = tokens[index]\nlet secret = makeSecret(length: 32)\n",
        'let token = "\\(header).\\(payload1234567890)"',
    ],
)
def test_ordinary_code_is_left_alone(text: str) -> None:
    """Names of secrets, placeholders, addresses and hashes are none; an untouched text is the same object."""
    assert redact(text) is text


def test_equal_secrets_are_recognised_and_different_ones_told_apart() -> None:
    """The digits of a replacement depend on the secret alone."""
    one, two, same = (redact(f'let {name} = "AKIA{letters}"') for name, letters in (("a", "Q" * 16), ("b", "R" * 16), ("c", "Q" * 16)))
    assert one.partition("=")[2] == same.partition("=")[2] != two.partition("=")[2]


@given(
    st.lists(
        st.sampled_from([KEY, "let a = 1\n", "AKIAIOSFODNN7EXAMPLE\n", "\r\n", "ghp_" + "a1B2" * 9, "://u:pass@", "-----BEGIN PRIVATE KEY-----\n"])
    )
)
def test_lines_stay_where_they_are(pieces: list[str]) -> None:
    """A text has as many lines as before, secrets do not overlap, and redacting twice changes nothing more."""
    text = "".join(pieces)
    redacted = redact(text)
    assert redacted.count("\n") == text.count("\n")
    assert redact(redacted) == redacted
    secrets = find_secrets(text)
    assert all(earlier.end <= later.start for earlier, later in itertools.pairwise(secrets))


@pytest.mark.parametrize("text", ['let password = "hunter2hunter2"', "redis://me:hunter2hunter2@host.invalid/0"])
def test_a_chosen_password_leaves_no_trace(text: str) -> None:
    """Not even digits of a hash, by which whoever guesses it could see that the guess is right."""
    assert redact(text) == redact(text.replace("hunter2hunter2", "another1password2"[:9] + "7"))


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("http://a/b https://x:y1z2w3@h and amqp://u:hunter22@mq", ["y1z2w3", "hunter22"]),
        ("task-" + "a" * 40 + " sk-" + "b1C2" * 10, ["sk-" + "b1C2" * 10]),
        ('İ token = "Zk3v9QpL0xT7wR2mB8nC"', ["Zk3v9QpL0xT7wR2mB8nC"]),
        ('\u017fecret = "Zk3v9QpL0xT7wR2mB8nC" and ap\u0131_key = "Ak3v9QpL0xT7wR2mB8nC"', ["Zk3v9QpL0xT7wR2mB8nC", "Ak3v9QpL0xT7wR2mB8nC"]),
        ('tokenSecretToken = "Zk3v9QpL0xT7wR2mB8nC"', ["Zk3v9QpL0xT7wR2mB8nC"]),
        ("PRIVATE KEY----- is a mark\n" + KEY, [KEY.rstrip("\n")]),
    ],
)
def test_secrets_are_found_around_what_gives_them_away(text: str, secrets: list[str]) -> None:
    """Each once, wherever its mark stands in it, and whatever looks like a mark before it."""
    assert [text[secret.start : secret.end] for secret in find_secrets(text)] == secrets
