"""Words for code: what a declaration is or does, from its doc comment or, failing that, from its name. Pure and deterministic."""

from __future__ import annotations

import re
from typing import Final

from exegesis.model import ContextItem
from services.query.telling.columns import stands_in_columns
from services.query.telling.names import VERBS, base_name, from_name, result_of, split_name, third_person, with_article
from services.query.telling.quoting import prose_without_marks, without_marks

_MARKUP: Final = re.compile(
    r"^\s*[-*]\s+(?:parameters?|note|warning|important|throws|precondition|complexity|seealso|author|version|since|todo)\b", re.IGNORECASE
)
_RETURNS: Final = re.compile(r"^\s*(?:[-*]\s+returns?|:returns?|@returns?)\s*:?\s*(?P<what>.+)", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)[.!?](?=\s|$)")
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_ROLE: Final = re.compile(r":(?:[\w+-]+:)+`[~!.]*([^`<]*?)(?:\s*<[^`]*>)?`")
"""Interpreted text of reStructuredText: ``:meth:`.url_for` `` names a method."""

_TAG: Final = re.compile(r"</?[A-Za-z][^>]*>")
_URL: Final = re.compile(r"<?\b[a-z][a-z0-9+.-]*://\S+?(?=[.,;:)>\]]*(?:\s|$))>?", re.IGNORECASE)

LONGEST_DOC: Final = 4_000
"""Characters of a doc comment within which its first sentence is looked for."""

LONGEST_SENTENCE: Final = 220
"""Characters. A longer first sentence is cut at a word; the place is cited and holds the rest."""


def first_sentence(doc: str) -> str:
    """The first sentence of a doc comment as plain text without its final stop; empty when it has none.

    Field lists (parameters, notes) are passed over; a comment that only says what is returned becomes "returns ...".
    """
    lines: list[str] = []
    returned = ""
    for raw in doc[:LONGEST_DOC].split("\n"):
        line = raw.strip().removeprefix("> ")
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
    """Prose of a comment without links, tags, addresses and what reads as a citation, on one line."""
    text = _ROLE.sub(r"`\1`", text)
    text = _URL.sub("", _TAG.sub("", _LINK.sub(r"\1", text)))
    return prose_without_marks(" ".join(text.replace("``", "`").replace("**", "").split()).strip())


def without_code(text: str) -> str:
    """The same without code spans, what stands in them as prose: for titles and names, which are no quotations of code."""
    return prose_without_marks(plain(text).replace("`", ""))


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
    name = base_name(item.symbol)
    if _may_say(name, said):
        if titled := re.match(rf"`?{re.escape(name)}(?:\(\))?`?\s*(?::|--?|–)\s+(?=\w)", said, re.IGNORECASE):
            said = _close_ticks(said[titled.end() :])
        named = re.match(rf"(?:(?:an?|the)\s+)?`?{re.escape(name)}(?:\(\))?`?\s+(?:{_NOUNS}\s+)?(?=\w)", said, re.IGNORECASE)
        if named and (_is_third_person(said[named.end() :].partition(" ")[0]) or _SOME_VERB.match(said[named.end() :])):
            return _close_ticks(said[named.end() :])
    return _with_article(as_clause(said), item) if said else from_name(item)


_NOUNS: Final = r"(?:class|struct|structure|enum|actor|protocol|interface|type|function|method|procedure|subroutine|module|object|property|macro)"
"""What a comment may call what it describes, behind the name: ``The Session class manages ...``."""


def _may_say(name: str, sentence: str) -> bool:
    """Whether a sentence can begin with a name in any case: a pattern for each name is dear, and hardly any comment repeats it."""
    return not (name.isascii() and sentence.isascii()) or name.lower() in sentence.lower()


def _with_article(clause: str, item: ContextItem) -> str:
    """``returns request for a token`` of what returns a ``URLRequest`` -> ``returns a request for a token``."""
    verb, _, rest = clause.partition(" ")
    word = rest.partition(" ")[0].lower()
    result = [part.lower() for part in split_name(result_of(item))]
    if verb == "returns" and result and word in {result[0], result[-1]}:
        return f"returns {with_article(word)[0]} {rest}"
    return clause


_SEE_ELSEWHERE: Final = re.compile(
    r"^(?:-\s*)?(?:(?:please |kindly )?(?:see|take a look|have a look|refer to)|inherited|same as|:nodoc:|@inheritdoc|conformance to)\b|^[:@]?\w+:?$",
    re.IGNORECASE,
)
"""Comments that only point at another place."""


def as_clause(sentence: str) -> str:
    """A doc sentence as what follows a name: ``A client that ...`` -> ``is a client that ...``, ``Return the ...`` -> ``returns the ...``."""
    first, _, rest = sentence.partition(" ")
    lower = first.lower()
    if lower not in {"this", "it"} and (_WHOLE_SENTENCE.match(sentence) or (lower in _ARTICLES and _says_what_it_does(rest))):
        return f"— {sentence}"
    if lower in _ARTICLES:
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


_ARTICLES: Final = frozenset({"a", "an", "the", "one", "any"})
_DETERMINERS: Final = _ARTICLES | {"this", "all", "each", "every", "its", "how", "whether", "it", "them", "to", "for", "from", "information"}
_NO_SUBJECT: Final = frozenset(
    """
    of for from with by to in on at as and or than that which who whose where when if all these some around between into over per via without within
    """.split()  # noqa: SIM905 - a table of words reads as words
)
_STATES: Final = frozenset({"contains", "implements", "represents", "consists", "belongs", "depends", "owns", "knows"})
"""Verbs that no name of a declaration begins with."""
_FARTHEST_VERB: Final = 4
"""Words between an article and the verb of its sentence."""


def _says_what_it_does(rest: str) -> bool:
    """``(The) server calls the application``: a subject of few words and a verb with an object; "(the) list of calls" is none."""
    words = rest.lower().split()[: _FARTHEST_VERB + 2]
    return any(
        (_is_third_person(word) or word in _STATES) and before not in _NO_SUBJECT and after in _DETERMINERS
        for before, word, after in zip(words, words[1:], words[2:], strict=False)
    )


_SOME_VERB: Final = re.compile(r"[A-Za-z]\w+[^su\W]s (?:an?|the|this|all|any|each|every|whether|one|its|how) ", re.IGNORECASE)
"""``Wraps a request``: what ends like a verb and is followed by an article is one."""

_WHOLE_SENTENCE: Final = re.compile(
    r"(?:an?|the|one|any|this|it)\s+(?:(?!that\b|which\b|who\b|whose\b|where\b)[\w'’`*]+\s+){1,4}(?:is|are|was|were|will|can|must|should|has|have|does)[\s,]",
    re.IGNORECASE,
)
"""``The state is checked first`` has a verb of its own and is quoted; ``The state of a request`` is what something is."""

_PARTICIPLES: Final = frozenset({"called", "used", "invoked", "executed", "triggered", "raised", "thrown", "performed", "sent"})
_AUXILIARIES: Final = frozenset({"will", "should", "can", "may", "must"})


def _is_third_person(word: str) -> bool:
    if word in {"is", "has", "does"}:
        return True
    return word.endswith("s") and (word[:-1] in VERBS or word[:-2] in VERBS or word[:-3] + "y" in VERBS)


_DEPRECATED: Final = re.compile(
    r"(?:@available\([^)\n]*\bdeprecated\b|@[Dd]eprecated\b|\[Obsolete)(?:[^\n]*?\b(?:message|renamed):\s*\"(?P<message>[^\"\n]*)\")?"
)


_DEPRECATED_COMMENT: Final = re.compile(r"^\W*(?:deprecated|obsolete)\b[\W]*(?P<message>[^\n]*)", re.IGNORECASE | re.MULTILINE)
"""Where a language has no attribute for it, a comment says so: ``Deprecated. See: FTP_binaryMode``."""


def deprecation(item: ContextItem) -> str:
    """What its attribute says of a deprecated declaration: `` (“Use send.”)``, a blank without a message; empty for what is not deprecated."""
    found = _DEPRECATED.search(item.text) or (_DEPRECATED_COMMENT.search(item.doc) if stands_in_columns(item.path) else None)
    if found is None:
        return ""
    said = without_code(found["message"] or "").rstrip(".")
    return f" (“{shorten(said, 120)}”)" if said else " "


def code(text: str) -> str:
    """A code span that cites nothing; a text with backticks gets longer fences, and line ends cannot leave it. Nothing for a blank text."""
    flat = " ".join(without_marks(" ".join(text.split())).split())
    if not flat:
        return ""
    if "`" not in flat:
        return f"`{flat}`"
    fence = "`" * (max(len(run) for run in re.findall(r"`+", flat)) + 1)
    return f"{fence} {flat} {fence}"


def join_words(parts: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""


def _close_ticks(text: str) -> str:
    return prose_without_marks(text.replace("`", "")) if text.count("`") % 2 else text
