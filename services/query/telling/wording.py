"""Words for code: what a declaration is or does, from its doc comment or, failing that, from its name. Pure and deterministic."""

from __future__ import annotations

import re
from typing import Final

from exegesis.model import ContextItem

VERBS: Final = frozenset(
    """
    abort accept acquire activate adapt add adjust advance align allocate allow answer append apply approve archive ask assemble assert assess
    assign associate attach attempt authenticate authorize balance batch begin bind block bootstrap broadcast buffer build cache calculate call
    cancel capture cast catch change check choose clamp classify clean clear clone close collapse collect combine commit compare compile complete
    compose compress compute configure confirm connect consent construct consume convert copy count create cut debounce decide decode decrement
    decrypt deduplicate defer define delay delete deliver dequeue deserialize destroy detach detect determine disable discard disconnect dismiss
    dispatch display dispose distribute download drain draw drop dump emit enable encode encrypt end enforce enqueue ensure enter enumerate erase
    escape establish estimate evaluate evict examine exchange execute exit expand expect expire explain export extend extract fail fetch fill
    filter finalize find finish fire fix flatten flush follow format forward free freeze gather generate get give grant group grow guard guess
    handle hash hide hold identify ignore import include increment index infer inform inherit initialize inject insert inspect install instantiate
    intercept interpolate interrupt introduce invalidate invoke iterate join jump keep lapse launch lay leave limit link list listen load locate
    lock log lookup make manage map mark match measure merge migrate modify monitor move multiply mutate navigate negotiate normalize notify
    observe obtain offer open order override own pack paint parse partition pass patch pause peek perform persist pick place play poll pop
    populate post postpone predict prefetch prepare prepend present preserve prevent print process produce promote propagate protect provide prune
    publish pull purge push put query queue quit quote raise rank read rebuild receive recompute reconnect record recover redirect reduce refresh
    refuse register rehearse reject release reload remember remove rename render renew reopen reorder repair repeat replace replay reply report
    request require reschedule reserve reset resize resolve respond restart restore resume retain retrieve retry return reuse reveal reverse
    revert revoke rewrite roll rotate round route run sample sanitize save scale scan schedule score scroll search seed select send separate
    serialize serve set settle setup share shift show shrink shut shutdown sign simulate skip sleep snapshot solve sort spawn split start stop
    store stream strip submit subscribe subtract succeed suspend swap switch sync synchronize take tear terminate test throttle throw toggle
    tokenize touch trace track train transfer transform translate transmit traverse trigger trim truncate try unbind unlock unpack unregister
    unsubscribe unwrap update upgrade upload use validate verify visit wait wake walk warn watch wrap write yield zip
    """.split()  # noqa: SIM905 - a table of words reads as words
)
"""First words of names that say what a callable does; any other first word names what it gives."""

_QUESTIONS: Final = frozenset({"is", "has", "can", "should", "will", "does", "did", "are", "was", "needs", "allows", "supports", "contains"})
_PREPOSITIONS: Final = frozenset(
    {
        "from",
        "to",
        "with",
        "for",
        "by",
        "on",
        "in",
        "at",
        "of",
        "as",
        "into",
        "if",
        "when",
        "using",
        "and",
        "or",
        "all",
        "until",
        "up",
        "down",
        "out",
        "off",
        "back",
        "away",
        "over",
        "again",
        "once",
        "now",
        "later",
        "twice",
    }
)
_PART: Final = re.compile(r"[A-Z]+\d*(?=[A-Z][a-z]|\b|_|$)|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_MARKUP: Final = re.compile(
    r"^\s*[-*]\s+(?:parameters?|note|warning|important|throws|precondition|complexity|seealso|author|version|since|todo)\b", re.IGNORECASE
)
_RETURNS: Final = re.compile(r"^\s*(?:[-*]\s+returns?|:returns?|@returns?)\s*:?\s*(?P<what>.+)", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)[.!?](?=\s|$)")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_TAG: Final = re.compile(r"</?[A-Za-z][^>]*>")
_URL: Final = re.compile(r"<?\b[a-z][a-z0-9+.-]*://\S+?(?=[.,;:)>\]]*(?:\s|$))>?", re.IGNORECASE)

LONGEST_DOC: Final = 4_000
"""Characters of a doc comment within which its first sentence is looked for."""

LONGEST_SENTENCE: Final = 220
"""Characters. A longer first sentence is cut at a word; the place is cited and holds the rest."""


def split_name(name: str) -> list[str]:
    """The words of an identifier, abbreviations kept together: ``createOAuthURLRequest`` -> create, OAuth, URL, request."""
    found = _PART.findall(name.replace("_", " "))
    words: list[str] = []
    for word in found:
        if words and words[-1] == "O" and word.startswith("Auth"):
            words[-1] = "O" + word
        else:
            words.append(word)
    return [word if _is_abbreviation(word) else word.lower() for word in words]


def first_sentence(doc: str) -> str:
    """The first sentence of a doc comment as plain text without its final stop; empty when it has none.

    Field lists (parameters, notes) are passed over; a comment that only says what is returned becomes "returns ...".
    """
    lines: list[str] = []
    returned = ""
    for raw in doc[:LONGEST_DOC].split("\n"):
        line = raw.strip()
        if match := _RETURNS.match(line):
            returned = returned or "returns " + match["what"]
            if lines:
                break
        elif _MARKUP.match(line) or (not line and lines) or line.startswith(("```", ":param", "@param")):
            if lines:
                break
        elif line and not set(line) <= set("-=*#/ ") and not line.startswith("MARK:"):
            lines.append(line.lstrip("#").strip())
    text = plain(" ".join(lines)) or plain(returned)
    end = _SENTENCE_END.search(text)
    return shorten(text[: end.start()].rstrip() if end else text.rstrip(".:;, "))


def plain(text: str) -> str:
    """Prose of a comment without links, tags and addresses, on one line."""
    text = _URL.sub("", _TAG.sub("", _LINK.sub(r"\1", text)))
    return " ".join(text.replace("``", "`").replace("**", "").split()).strip()


def shorten(text: str, limit: int = LONGEST_SENTENCE) -> str:
    if len(text) <= limit:
        return _close_ticks(text)
    return _close_ticks(text[: limit - 1].rsplit(" ", 1)[0].rstrip(",;:")) + "…"


def statement(item: ContextItem, declared: str = "") -> str:
    """What an item does or is, as a clause that follows its name: ``starts the OAuth flow``.

    From its doc comment, else from that of the declaration it stands in for, else from its name; empty when none of them says anything.
    """
    said = first_sentence(item.doc) or first_sentence(declared)
    if _SEE_ELSEWHERE.match(said):
        said = ""
    named = re.match(rf"`?{re.escape(base_name(item.symbol))}`?\s+(?=\w)", said)
    if named and _is_third_person(said[named.end() :].partition(" ")[0]):
        return said[named.end() :]
    return as_clause(said) if said else from_name(item)


_SEE_ELSEWHERE: Final = re.compile(r"^(?:-\s*)?(?:see|inherited|same as|:nodoc:|@inheritdoc|conformance to)\b|^:?\w+:?$", re.IGNORECASE)
"""Comments that only point at another place."""


def as_clause(sentence: str) -> str:
    """A doc sentence as what follows a name: ``A client that ...`` -> ``is a client that ...``, ``Return the ...`` -> ``returns the ...``."""
    first, _, rest = sentence.partition(" ")
    lower = first.lower()
    if lower not in {"this", "it"} and _WHOLE_SENTENCE.match(sentence):
        return f"— {sentence}"
    if lower in {"a", "an", "the", "one", "any"}:
        return f"is {lower} {rest}"
    if lower in VERBS and rest:
        return f"{third_person(lower)} {rest}"
    if _is_third_person(lower) or (_SOME_VERB.match(sentence) and lower not in {"this", "its"}):
        return f"{lower} {rest}".strip()
    if lower.endswith("ly") and (rest.partition(" ")[0] in VERBS or _is_third_person(rest.partition(" ")[0])):
        return f"{lower} {as_clause(rest)}"
    if lower in _PARTICIPLES and rest:
        return f"is {lower} {rest}"
    if lower in {"this", "it"}:
        after_noun = rest.partition(" ")[2] if lower == "this" else ""
        for said in (rest, after_noun):
            verb = said.partition(" ")[0]
            if verb in _AUXILIARIES or _is_third_person(verb):
                return said
    return f"— {sentence}"


_SOME_VERB: Final = re.compile(r"[A-Za-z]\w+[^su\W]s (?:an?|the|this|all|any|each|every|whether|one|its|how) ", re.IGNORECASE)
"""``Wraps a request``: what ends like a verb and is followed by an article is one."""

_WHOLE_SENTENCE: Final = re.compile(
    r"(?:an?|the|one|any|this|it)\s+(?:(?!that\b|which\b|who\b|whose\b|where\b)[\w'’`]+\s+){1,4}(?:is|are|was|were|will|can|must|should|has|have|does)\s",
    re.IGNORECASE,
)
"""``The state is checked first`` has a verb of its own and is quoted; ``The state of a request`` is what something is."""

_PARTICIPLES: Final = frozenset({"called", "used", "invoked", "executed", "triggered", "raised", "thrown", "performed", "sent"})
_AUXILIARIES: Final = frozenset({"will", "should", "can", "may", "must"})


def _is_third_person(word: str) -> bool:
    if word in {"is", "has", "does"}:
        return True
    return word.endswith("s") and (word[:-1] in VERBS or word[:-2] in VERBS or word[:-3] + "y" in VERBS)


def from_name(item: ContextItem) -> str:
    """A clause made from kind, name and signature alone; empty when the name only repeats what the symbol is called."""
    name = base_name(item.symbol)
    words = split_name(name)
    if item.kind in _NAMED_ONLY or name in {"init", "__init__", "deinit", "constructor", "subscript"} or not words:
        return ""
    if asked := _asked_by_label(item.symbol):
        return asked
    first, rest = words[0].lower(), words[1:]
    if first in {"view", "application", "scene"} and rest[:1] in (["did"], ["will"]):
        return ""  # hooks of a life cycle: what they do says more
    for hook in ("did", "will"):
        if hook in rest:
            said = f"“{' '.join(rest if first in VERBS else words)}”"
            return f"{third_person(first)} {said}" if first in VERBS else f"is called {'after' if hook == 'did' else 'before'} {said}"
    if first in _QUESTIONS and rest:
        return f"tells whether it {' '.join([first, *rest])}"
    if words[-1] in _PREPOSITIONS and (label := item.symbol.partition("(")[2].partition(":")[0]) not in {"", "_"}:
        rest = [*rest, *split_name(label)]
    if first in VERBS and rest[:1] in (["and"], ["or"]) and len(rest) > 1 and rest[1] in VERBS:
        return " ".join([third_person(first), rest[0], third_person(rest[1]), *_object(rest[2:])])
    if first in VERBS and rest:
        return " ".join([third_person(first), *_object(rest)])
    return ""


_NAMED_ONLY: Final = frozenset(
    {"class", "struct", "enum", "actor", "protocol", "extension", "typealias", "table", "module"}
    | {"initializer", "deinitializer", "subscript", "property", "variable", "case", "closure", "operator"}
)
"""Kinds whose names say what something is called and not what happens."""


def _asked_by_label(symbol: str) -> str:
    """Delegate methods are named after who asks, and say what in a label: ``webView(_:decidePolicyFor:)``."""
    name = split_name(base_name(symbol))
    labels = symbol.partition("(")[2].rstrip(")").split(":")[1:]
    if not name or name[0] in VERBS or name[0] in _QUESTIONS or not symbol.partition("(")[2].startswith("_:"):
        return ""
    for label in labels:
        words = split_name(label)
        if len(words) > 1 and words[0] in {"did", "will", "should"}:
            return f"is called {'after' if words[0] == 'did' else 'before'} “{' '.join([*name, *words])}”"
        if len(words) > 1 and words[0] in VERBS:
            return f"is asked to {' '.join(words[:-1] if words[-1] in _PREPOSITIONS else words)}"
    return ""


_DEPRECATED: Final = re.compile(
    r"(?:@available\([^)\n]*\bdeprecated\b|@[Dd]eprecated\b|\[Obsolete)(?:[^\n]*?\b(?:message|renamed):\s*\"(?P<message>[^\"\n]*)\")?"
)


def deprecation(item: ContextItem) -> str:
    """What its attribute says of a deprecated declaration: `` (“Use send.”)``, a blank without a message; empty for what is not deprecated."""
    found = _DEPRECATED.search(item.text)
    if found is None:
        return ""
    said = plain(found["message"] or "").replace("`", "").rstrip(".")
    return f" (“{shorten(said, 120)}”)" if said else " "


def third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def base_name(symbol: str) -> str:
    """``Session.request(_:method:)`` -> ``request``."""
    return symbol.partition("(")[0].rpartition(".")[2]


def owner_of(symbol: str) -> str:
    """The type that a member belongs to: ``Outer.Inner`` of ``Outer.Inner.request(_:)``; empty for what stands alone."""
    return symbol.partition("(")[0].rpartition(".")[0]


def code(text: str) -> str:
    """A code span; a text with backticks gets longer fences, and line ends cannot leave it. Nothing for a blank text."""
    flat = " ".join(text.split())
    if not flat:
        return ""
    if "`" not in flat:
        return f"`{flat}`"
    fence = "`" * (max(len(run) for run in re.findall(r"`+", flat)) + 1)
    return f"{fence} {flat} {fence}"


def join_words(parts: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""


def _object(words: list[str]) -> list[str]:
    if not words or words[0] in _PREPOSITIONS:
        return words
    return ["the", *words]


def _is_abbreviation(word: str) -> bool:
    return sum(letter.isupper() for letter in word) > 1


def _close_ticks(text: str) -> str:
    return text.replace("`", "") if text.count("`") % 2 else text
