"""Which files are worth reading, told from their paths alone.

A language claims a file by its suffix or name. Text of other known kinds is indexed as windows of lines: it is found by its words, though nothing is
known of its structure. Everything else is left unread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.indexer.language import language_of

CODE_BYTES = 1 << 20
"""Largest source file that is parsed. Longer ones are tables and generated code: of 200,000 files of real projects fewer than one in 2,000."""

TEXT_BYTES = 1 << 18
"""Largest file of other text. A configuration or a log that is longer is data."""

UNCLAIMED = "no language claims it"


@dataclass(frozen=True, slots=True)
class Claim:
    """A file worth reading."""

    language: str
    """Empty for text without a language."""
    limit: int
    """Bytes above which it is skipped."""
    prose: bool = False
    script: bool = False
    """Only if it begins with an interpreter line."""


@dataclass(frozen=True, slots=True)
class _Text:
    what: str
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    prose: bool = False
    limit: int = TEXT_BYTES


TEXTS = (
    _Text(
        "prose",
        ("adoc", "txt", "text", "org", "tex", "tutorial"),
        ("README", "CHANGELOG", "CONTRIBUTING", "ARCHITECTURE", "HACKING", "TODO", "NEWS"),
        prose=True,
    ),
    _Text(
        "source code of languages that are not parsed",
        (
            *("metal", "cs", "fs", "vb", "java", "kt", "kts", "scala", "groovy", "clj"),
            *("rs", "zig", "d", "nim", "rb", "pl", "pm", "lua", "r", "jl", "php", "vue", "svelte", "dart"),
            *("ex", "exs", "erl", "hs", "ml", "mli", "elm", "lisp", "el", "scm"),
            *("cbl", "cob", "cpy", "pas", "f90", "f", "asm", "s", "sol"),
            *("css", "scss", "less"),
        ),
        limit=CODE_BYTES,
    ),
    _Text("objects of IBM i", ("bnddir", "pnlgrp", "msgf", "dtaara", "cmdsrc", "ilepgm", "ilesrvpgm")),
    _Text("scripts", ("sh", "bash", "zsh", "fish", "ps1", "bat", "awk")),
    _Text(
        "build rules",
        ("gradle", "cmake", "mk", "bzl", "bazel", "podspec", "gemspec", "rake", "nix", "dockerfile", "xcconfig", "gyb"),
        (
            "Makefile",
            "makefile",
            "GNUmakefile",
            "CMakeLists.txt",
            "Dockerfile",
            "Containerfile",
            "Podfile",
            "Cartfile",
            "Gemfile",
            "Rakefile",
            "Fastfile",
            "Appfile",
            "Dangerfile",
            "Brewfile",
            "Procfile",
            "Jenkinsfile",
            "Vagrantfile",
            "BUILD",
            "WORKSPACE",
            "Justfile",
            "justfile",
            "go.mod",
        ),
    ),
    _Text("configuration", ("yaml", "yml", "toml", "ini", "cfg", "conf", "properties", "json", "jsonc", "json5", "plist", "entitlements", "xml")),
    _Text("interfaces and schemas", ("proto", "graphql", "graphqls", "gql", "thrift", "avsc", "xsd", "wsdl", "smithy")),
    _Text("pages and templates", ("html", "htm", "xhtml", "leaf", "mustache", "stencil", "erb", "ejs", "hbs", "j2", "jinja", "liquid", "tt")),
    _Text("strings shown to people", ("strings", "stringsdict")),
)
"""Kinds of text that are indexed without a language. A suffix or name that a language claims does not stand here."""

_BY_SUFFIX = {suffix: text for text in TEXTS for suffix in text.suffixes}
_BY_NAME = {name: text for text in TEXTS for name in text.names}


@dataclass(frozen=True, slots=True)
class _Unwanted:
    reason: str
    pattern: str


_UNWANTED = (
    _Unwanted("may hold secrets: private keys and certificates", r".*\.(?:pem|key|p12|pfx|p8|jks|keystore|ppk|asc|gpg|kdbx|mobileprovision)"),
    _Unwanted("may hold secrets: private key", r"id_(?:rsa|dsa|ecdsa|ed25519)(?:\.(?!pub$).*)?"),
    _Unwanted("may hold secrets: environment", r"\.env(?:\.(?!example$|sample$|template$|dist$).*)?|.+\.env"),
    _Unwanted(
        "may hold secrets: credentials",
        r"\.netrc|_netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|\.git-credentials|\.dockercfg|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)",
    ),
    _Unwanted("lock file", r".*\.(?:lock|resolved)|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum"),
    _Unwanted("minified", r".*[.-]min\.(?:js|css|mjs)|.*\.(?:bundle|chunk)\.(?:js|css)"),
)
"""File names that say enough: what must not be read, and what programs write for themselves."""

_UNWANTED_NAME = re.compile("|".join(f"(?P<u{index}>{row.pattern})" for index, row in enumerate(_UNWANTED)), re.IGNORECASE)

_CATALOG = re.compile(r"\.(?:xcassets|xcodeproj|xcworkspace|xcdatamodeld?|xcstickers|iconset|appiconset|imageset|colorset|bundle)/", re.IGNORECASE)
"""Folders that Xcode writes and people never read as text."""


def claim(path: str) -> Claim | str:
    """How a file is to be read, or in words why it is not."""
    name = path.rpartition("/")[2]
    unwanted = _UNWANTED_NAME.fullmatch(name)
    if unwanted:
        return _UNWANTED[int((unwanted.lastgroup or "u0")[1:])].reason
    if _CATALOG.search(path):
        return "part of an Xcode catalogue or project"
    language = language_of(path)
    if language is not None:
        return Claim(language.name, CODE_BYTES)
    text = _BY_NAME.get(name)
    dot = name.rfind(".")
    if text is None and dot >= 0:
        text = _BY_SUFFIX.get(name[dot + 1 :].lower())
    if text is not None:
        return Claim("", text.limit, prose=text.prose)
    return Claim("", TEXT_BYTES, script=True) if dot < 0 else UNCLAIMED
