"""Words for code from its name alone. Pure and deterministic."""

from __future__ import annotations

import re
from typing import Final

from exegesis.model import ContextItem
from services.query.telling.quoting import without_marks

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
    represent request require reschedule reserve reset resize resolve respond restart restore resume retain retrieve retry return reuse reveal reverse
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
    """
    from to with for by on in at of as into if when using and or all until up down out off back away over again once now later twice after before
    without within through via per against between under since
    """.split()  # noqa: SIM905 - a table of words reads as words
)
"""Words before which no article stands."""

_WITHOUT_OBJECT: Final = frozenset(
    {"run", "start", "begin", "end", "stop", "finish", "return", "wait", "enter", "exit", "go", "launch", "resume", "succeed", "lapse"}
)
"""Verbs that are done to whatever the method belongs to, so that their first parameter is no object of theirs."""

_MAKING: Final = frozenset({"create", "make", "build"})
"""Verbs whose object is what is returned, where a name leaves it out: ``createFrom(file:)``."""

MOST_LABELS: Final = 3
"""Arguments of an initialiser that are named."""

_PART: Final = re.compile(r"[A-Z]+\d*(?=[A-Z][a-z]|\b|_|$)|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")


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


def from_name(item: ContextItem) -> str:
    """A clause made from kind, name and signature alone; empty when the name only repeats what the symbol is called."""
    name = base_name(item.symbol)
    words = split_name(name)
    if item.kind == "initializer":
        return _makes(item)
    if item.kind in {"property", "variable"} and len(words) > 1 and words[0].lower() in _QUESTIONS:
        return f"tells whether it {' '.join(words)}"
    if item.kind in _NAMED_ONLY or name in {"init", "__init__", "deinit", "constructor", "subscript"} or not words:
        return ""
    if asked := _asked_by_label(item):
        return asked
    first, rest = words[0].lower(), words[1:]
    if first in _LIFE and rest[:1] in (["did"], ["will"]):
        return ""  # hooks of a life cycle: what they do says more
    if "did" in rest or "will" in rest:
        return f"{third_person(first)} “{' '.join(rest)}”" if first in VERBS else _when(words)
    if first in {"did", "will"} and rest and not _gives_something(item):
        return f"is called {'after' if first == 'did' else 'before'} “{' '.join(rest)}”"
    if first in _QUESTIONS and rest:
        return f"tells whether it {' '.join([first, *_complement(item, first, rest)])}"
    if first not in VERBS:
        return f"gives {' '.join(_object(_completed(item, words)))}" if rest and _names_a_value(item, words) else ""
    if rest[:1] in (["and"], ["or"]) and len(rest) > 1 and rest[1] in VERBS:
        return " ".join([third_person(first), rest[0], third_person(rest[1]), *_object(rest[2:])])
    return " ".join([third_person(first), *follows]) if (follows := _said_of(item, first, rest)) else ""


_RETURNS: Final = re.compile(r"\breturn[ \t]+[^\s;}]")


def _gives_something(item: ContextItem) -> bool:
    """By its signature, or in languages that need none by its body."""
    return bool(result_of(item)) or _RETURNS.search(item.text) is not None


def _names_a_value(item: ContextItem, words: list[str]) -> bool:
    """Whether a callable is named after what it gives: ``cacheFileURL(forKey:)``. Verbs in the name or objects without a label tell otherwise."""
    label = item.symbol.partition("(")[2].partition(":")[0].rstrip(")")
    fits = not label or (split_name(label) or [""])[0] in _PREPOSITIONS or words[-1] in _PREPOSITIONS
    return fits and bool(result_of(item)) and not any(word in VERBS or word == "do" for word in words)


def _when(words: list[str], given: list[str] | None = None) -> str:
    """``database will change`` -> is called before the database changes."""
    hook = "will" if "will" in words else "should" if "should" in words else "did"
    at = words.index(hook)
    subject, verb, rest = words[:at], words[at + 1 : at + 2], [*words[at + 2 :], *_object(given or [])]
    if hook == "will" and verb:
        verb, hook = [third_person(verb[0])], ""
    said = " ".join(filter(None, [*_object(subject), hook, *verb, *rest]))
    return f"is called {'after' if hook == 'did' else 'before'} {said}" if hook != "should" else f"is asked whether {said}"


def _said_of(item: ContextItem, verb: str, rest: list[str]) -> list[str]:
    """What follows a verb: the rest of the name, else what the parameters are called; nothing when neither says anything."""
    taken = parameters_of(item)
    if rest and rest[-1] in _PREPOSITIONS:
        rest = _completed(item, rest)
        made = result_of(item)
        if rest[0] in _PREPOSITIONS and len(rest) > 1 and verb in _MAKING and made:
            return [*with_article(made, quoted=True), rest[0], *_object(rest[1:])]
    if verb == "handle" and len(rest) == 1 and rest[0] in VERBS:  # an event, called what is done
        return [f"“{rest[0]}”"]
    if rest:
        return _object(rest)
    if verb in _WITHOUT_OBJECT or not taken:
        return []
    label, name = taken[0]
    said = _argument(label, name)
    if len(taken) > 1 and split_name(taken[1][0])[:1] and split_name(taken[1][0])[0] in _PREPOSITIONS:
        said = [*said, *_argument(*taken[1])]
    return said


def _completed(item: ContextItem, words: list[str]) -> list[str]:
    """``createFrom(file:)`` ends in a preposition and goes on in the label."""
    label = item.symbol.partition("(")[2].partition(":")[0]
    following = split_name(label) if words[-1] in _PREPOSITIONS and label not in {"", "_"} else []
    return [*words, *(following[1:] if following[:1] == words[-1:] else following)]


def _argument(label: str, name: str) -> list[str]:
    """``_ trust`` -> the trust, ``to stream`` -> to the stream, ``forHost host`` -> for the host, ``cached source`` -> the cached source."""
    said = split_name(label) if label != "_" else []
    if len(said) == 1 and said[0] in _PREPOSITIONS and name == label:
        return []  # what it says of its object is only how this is passed
    if said and said[0] in _PREPOSITIONS:
        return [said[0], *_object(said[1:] or split_name(name))]
    if said and said[-1].endswith("ed") and name != label:
        return ["the", *said, *split_name(name)]
    return _object(said or split_name(name))


def _makes(item: ContextItem) -> str:
    """What an initialiser makes, and of what."""
    owner = owner_of(item.symbol).rpartition(".")[2]
    if not owner:
        return ""
    labels = [label for label in item.symbol.partition("(")[2].rstrip(")").split(":") if label not in {"", "_"}] or [
        name for label, name in parameters_of(item) if label == "_"
    ]
    named = [f"`{without_marks(label)}`" for label in labels[:MOST_LABELS]]
    of = f" from {' and '.join(filter(None, (', '.join(named[:-1]), named[-1])))}{' and more' if len(labels) > MOST_LABELS else ''}" if named else ""
    return f"makes {' '.join(with_article(owner, quoted=True))}{of}{', or nothing' if 'init?' in item.signature else ''}"


def title_from_name(item: ContextItem) -> str:
    """A title for what has no words of its own: ``After “view did load”``, ``The underlying error of AFError``; empty when the name has to do."""
    words = split_name(base_name(item.symbol))
    owner = owner_of(item.symbol).rpartition(".")[2]
    if words[:1] and words[0].lower() in _LIFE and len(words) > 1:
        return f"{'Before' if 'will' in words else 'After'} “{' '.join(words)}”"
    if item.kind in {"property", "variable"} and len(words) > 1:
        return f"The {' '.join(words)}{f' of {owner}' if owner else ''}"
    if item.kind == "closure":
        return f"A closure{f' in {owner}' if owner else ''}"
    return ""


_LIFE: Final = frozenset({"view", "application", "scene"})
"""First words of hooks of a life cycle."""

_PARAMETER: Final = re.compile(r"[(,]\s*(?:@\w+(?:\([^)]*\))?\s+)*(?P<label>\w+)(?:\s+(?P<name>\w+))?\s*:")
_BRACKETS: Final = re.compile(r"[(\[<{][^()\[\]<>{}]*[)\]>}]")


def parameters_of(item: ContextItem) -> list[tuple[str, str]]:
    """Label and name of each parameter, as a signature writes them before a colon; of others nothing is known."""
    head, opened, rest = item.signature.partition("(")
    del head
    inner = opened + rest
    while (bare := _BRACKETS.sub("", inner[1:])) != inner[1:]:  # types of functions and generics have parameters of their own
        inner = opened + bare
    return [(match["label"], match["name"] or match["label"]) for match in _PARAMETER.finditer(inner)]


def result_of(item: ContextItem) -> str:
    """The type that a signature says comes out; empty for nothing, for what is too long to say, and for what says nothing."""
    result = item.signature.rpartition("->")[2].partition(" where ")[0].strip(" {") if "->" in item.signature else ""
    return "" if len(result) >= LONGEST_RESULT or result in {"Void", "()", "Self", "None"} else result


LONGEST_RESULT: Final = 60
"""Characters."""


def with_article(noun: str, *, quoted: bool = False) -> list[str]:
    """``a`` or ``an`` by the sound of the first letter, as far as spelling tells it."""
    spelled = re.match(r"[FHLMNRSX](?=[A-Z0-9])", noun) is not None  # an HTTP request
    vowel = noun[:1].lower() in set("aeio") or (noun[:1].lower() == "u" and not re.match(r"U[A-Z]|(?i:uni|us[aeiu])", noun))
    return ["an" if spelled or vowel else "a", f"`{without_marks(noun)}`" if quoted else noun]


def _complement(item: ContextItem, verb: str, rest: list[str]) -> list[str]:
    """``isCallbackURL(url:)`` asks whether it is a callback URL: what ends in the name of the parameter is a noun."""
    named = {split_name(word)[-1].lower() for pair in parameters_of(item) for word in pair if split_name(word)}
    named |= {label.lower() for label in item.symbol.partition("(")[2].rstrip(")").split(":") if label}
    if verb == "is" and re.search(rf"\b(?:instanceof|is|as|new)\s+{''.join(map(str.capitalize, rest))}\b", item.text):
        return with_article(" ".join(rest))
    if verb == "is" and len(rest) > 1 and rest[-1].lower() in named:
        return [with_article(rest[0])[0], *rest]
    return rest


_NAMED_ONLY: Final = frozenset(
    {"class", "struct", "enum", "actor", "protocol", "extension", "typealias", "table", "module"}
    | {"initializer", "deinitializer", "subscript", "property", "variable", "case", "closure", "operator"}
)
"""Kinds whose names say what something is called and not what happens."""


def _asked_by_label(item: ContextItem) -> str:
    """Delegate methods are named after who asks, and say what in a label: ``webView(_:decidePolicyFor:)``."""
    name = split_name(base_name(item.symbol))
    labels = item.symbol.partition("(")[2].rstrip(")").split(":")[1:]
    if not name or name[0] in VERBS or name[0] in _QUESTIONS or not item.symbol.partition("(")[2].startswith("_:"):
        return ""
    called = dict(parameters_of(item))
    for label in labels:
        words = split_name(label)
        given = split_name(called.get(label, label)) if called.get(label, label) != label else []
        if len(words) > 1 and words[0] in {"did", "will", "should"}:
            return _when([*name, *words], given if words[-1] not in {part.lower() for part in given} else [])
        if len(words) > 1 and words[0] in VERBS:
            if words[-1] in _PREPOSITIONS:
                return f"is asked to {' '.join([words[0], *_object(words[1:-1]), *([words[-1], *_object(given)] if given else [])])}"
            return f"is asked to {' '.join([words[0], *_object(words[1:])])}"
        if len(words) > 2 and _PREPOSITIONS & set(words[1:]) and result_of(item):
            open_end = words[-1] in _PREPOSITIONS
            return f"is asked for the {' '.join([*words, *_object(given)] if open_end and given else words[:-1] if open_end else words)}"
    return ""


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


def _object(words: list[str]) -> list[str]:
    if not words or words[0] in _PREPOSITIONS or words[0].endswith("ly"):
        return words
    return ["the", *words]


def _is_abbreviation(word: str) -> bool:
    return sum(letter.isupper() for letter in word) > 1
