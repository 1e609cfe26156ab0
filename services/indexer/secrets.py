"""Secrets in source text: found by their shape, replaced before the text is stored, embedded or shown.

A replacement keeps the number of lines, so that places cited in the text stay true, and says what stood there: ``<secret:github-token:1f3a9c04>``.
Its digits tell whether two places hold the same secret; they are 32 bits of a hash, far too few to recover a random one. A password that a person
chose has no digits, because whoever has a list of such passwords could tell from them which it is.

Three kinds of rule: tokens that name their issuer (a prefix and a length that nothing else has), values that are called a secret (``apiKey =``) and
look like one (:func:`looks_random`), and values that are called a password and that a person may have chosen (:func:`looks_chosen`). Rules miss what
is called nothing and looks like nothing; they must not touch ordinary code.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret's place in a text, as character offsets."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a secret looks like. ``anchors`` are texts of which one occurs wherever the pattern matches: searching for them costs next to nothing."""

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    """Group ``secret``, where there is one, is what is replaced; else the whole match."""
    reason: str
    before: int = 0
    """How far before its anchor a match may begin."""
    longest: int = 0
    """How far behind where its anchor begins a match may end; 0 for no bound."""


_PEM = (
    r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----"
    # Only what a key block may hold, and enough of it: code that merely names both markers is no key.
    r"(?:[A-Za-z0-9+/=\s\\\"',#*:;.-]{50,20000}?-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----|(?:[\s\\n\"+]{0,40}[A-Za-z0-9+/=]{20,76}){1,400})"
)

_RULES = (
    _Rule(
        "private-key",
        ("PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"),
        _PEM,
        "PEM and OpenSSH keys, also inside string literals and without an end",
        32,
    ),
    _Rule("aws-key", ("AKIA", "ASIA"), r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b", "identifiers of AWS access keys"),
    _Rule(
        "github-token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{40,255})",
        "documented prefixes of GitHub",
    ),
    _Rule("gitlab-token", ("glpat-", "gldt-", "glrt-"), r"\bgl(?:pat|dt|rt)-[\w-]{20,}", "documented prefixes of GitLab"),
    _Rule("slack-token", ("xox", "xapp-"), r"\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}", "bot, user and app tokens of Slack"),
    _Rule(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,})",
        "whoever has the address may post",
        before=len("https://"),
    ),
    _Rule("google-key", ("AIza",), r"\bAIza[\w-]{35}", "API keys of Google"),
    _Rule("google-client-secret", ("GOCSPX-",), r"\bGOCSPX-[\w-]{20,}", "OAuth client secrets of Google"),
    _Rule(
        "stripe-key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
        r"\b(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}",
        "keys of Stripe",
    ),
    _Rule("model-key", ("sk-",), r"\bsk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{32,}", "keys of language model services"),
    _Rule("huggingface-token", ("hf_",), r"\bhf_[A-Za-z0-9]{30,}", "access tokens of Hugging Face"),
    _Rule("npm-token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}", "tokens of npm"),
    _Rule("pypi-token", ("pypi-",), r"\bpypi-[\w-]{50,}", "tokens of PyPI"),
    _Rule("sendgrid-key", ("SG.",), r"\bSG\.[\w-]{16,}\.[\w-]{16,}", "keys of SendGrid"),
    _Rule(
        "azure-key",
        ("AccountKey=", "SharedAccessKey="),
        r"(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
        "connection strings of Azure",
    ),
    _Rule("jwt", ("eyJ",), r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}", "signed tokens; anybody who holds one may use it"),
    _Rule(
        "url-password",
        ("://",),
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/?#@\"'<>]{0,80}:(?P<secret>[^\s/?#@\"'<>]{3,120})@",
        "password of a connection string",
        before=21,
        longest=len("://") + 80 + len(":") + 120 + len("@"),
    ),
)

_NAMES = (
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "accesskey",
    "access-key",
    "private_key",
    "privatekey",
    "credential",
)
"""Names under which people keep secrets."""

_PLACES = ("password", "passwd", "secret", "token", "api", "access", "private", "credential")
"""What whatever :data:`_NAMED` matches begins with."""

_NAMED = re.compile(
    r"(?i)(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)\w{0,20}[\"']?(?:\]|\s*:\s*[A-Za-z]{1,12})?"
    r"\s{0,4}(?::=|=>|[:=])\s{0,4}(?:[\"'](?P<quoted>[^\"'\s]{16,200})[\"']|(?P<bare>[A-Za-z0-9+/_=-]{24,200})$)",
    re.MULTILINE,
)

_PASSWORD_NAMES = ("password", "passwd", "passphrase", "pwd")

_PASSWORD = re.compile(
    r"(?i)(?:password|passwd|passphrase|pwd)[\"']?(?:\]|\s*:\s*[A-Za-z]{1,12}\??)?\s{0,4}(?::=|=>|={1,3}|:)\s{0,4}[\"'](?P<quoted>[^\"'\s]{8,200})[\"']"
)
"""A literal that is given to, or compared with, something whose name ends in a word for password."""

_CALLED = re.compile(r"(?i)passw|passphrase|pwd")
"""What the name of a password field says of itself, as in ``"new_password_2"``."""

_CASELESS = str.maketrans("\u017f\u0131", "si")
"""Letters that patterns take for others where case does not matter, and that are their own lower case."""

_CHOSEN = frozenset({"password", "url-password"})
"""Kinds of secret that people choose."""

_PLACEHOLDER = re.compile(r"(?i)example|sample|dummy|placeholder|your[_-]|changeme|x{6,}|\.\.\.|\$[({]|<[a-z]|%[@sd]|\\\(|://")
"""What stands where a secret would: documentation, interpolation, addresses."""

RANDOM_BITS = 3.3
"""Shannon entropy in bits per character from which a string of 16 characters or more counts as random. English words joined by signs have about 3.2
at that length, random base 64 about 3.8, random hexadecimal 3.4."""


def looks_random(value: str) -> bool:
    """Whether a value could be a generated secret: digits among letters, high entropy, no placeholder and no path."""
    if _PLACEHOLDER.search(value) or (value.islower() and "/" in value) or not any(map(str.isdigit, value)) or not any(map(str.isalpha, value)):
        return False
    counts = Counter(value)
    bits = -sum(count / len(value) * math.log2(count / len(value)) for count in counts.values())
    return bits >= RANDOM_BITS


def looks_chosen(value: str) -> bool:
    """Whether a value could be a password that a person chose: digits and letters, which names of things and messages seldom have, no placeholder."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not _PLACEHOLDER.search(value) and not _CALLED.search(value)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Secrets of a text in the order of their start; none overlaps another."""
    found: list[Secret] = []
    end = 0
    for secret in sorted(_candidates(text), key=lambda secret: (secret.start, -secret.end)):
        if secret.start >= end:
            found.append(secret)
            end = secret.end
    return tuple(found)


def redact(text: str) -> str:
    """The text with every secret replaced; it has as many lines as before, and is the same object if nothing was found."""
    secrets = find_secrets(text)
    if not secrets:
        return text
    pieces: list[str] = []
    end = 0
    for secret in secrets:
        value = text[secret.start : secret.end]
        shown = secret.kind if secret.kind in _CHOSEN else f"{secret.kind}:{_fingerprint(value)}"
        pieces += (text[end : secret.start], f"<secret:{shown}>", "\n" * value.count("\n"))
        end = secret.end
    return "".join((*pieces, text[end:]))


def _candidates(text: str) -> Iterator[Secret]:
    for rule in _RULES:
        for match in _matches(rule, text):
            group = "secret" if "secret" in match.re.groupindex else 0
            yield Secret(match.start(group), match.end(group), rule.kind)
    lower = text.lower().translate(_CASELESS)
    if any(name in lower for name in _NAMES):
        for match in _called(_NAMED, _PLACES, text, lower):
            group = "quoted" if match["quoted"] is not None else "bare"
            if looks_random(match[group]):
                yield Secret(match.start(group), match.end(group), "named")
    if any(name in lower for name in _PASSWORD_NAMES):
        for match in _called(_PASSWORD, _PASSWORD_NAMES, text, lower):
            if looks_chosen(match["quoted"]):
                yield Secret(match.start("quoted"), match.end("quoted"), "password")


def _matches(rule: _Rule, text: str) -> Iterator[re.Match[str]]:
    """What ``finditer`` finds, looked for around the anchors alone: these are found at the speed of memory, and patterns letter by letter."""
    end = 0
    for place in _occurrences(rule.anchors, text):
        if place < end:
            continue
        pattern = re.compile(rule.pattern)  # remembered by the library
        begin = max(place - rule.before, end)
        match = pattern.search(text, begin, place + rule.longest if rule.longest else len(text)) if rule.before else pattern.match(text, place)
        if match is None and rule.before and not rule.longest:
            return  # this search went to the end of the text
        if match is not None:
            yield match
            end = match.end()


def _called(pattern: re.Pattern[str], names: Sequence[str], text: str, lower: str) -> Iterator[re.Match[str]]:
    """What ``finditer`` finds of a pattern that begins with one of these names in whatever case."""
    if len(lower) != len(text):  # some letters are two in lower case: places in one are not places in the other
        yield from pattern.finditer(text)
        return
    end = 0
    for place in _occurrences(names, lower):
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            yield match
            end = match.end()


def _occurrences(words: Sequence[str], text: str) -> list[int]:
    found: list[int] = []
    for word in words:
        place = text.find(word)
        while place >= 0:
            found.append(place)
            place = text.find(word, place + 1)
    return sorted(found)


def _fingerprint(secret: str) -> str:
    return hashlib.sha256(b"exegesis secret\0" + secret.encode("utf-8", "surrogatepass")).hexdigest()[:8]
