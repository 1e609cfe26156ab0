"""The command line as a person types it: commands, options, help. Nothing heavy is imported here, so ``--help`` is instant."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import exegesis
from exegesis.model import Ablation, Options, SymbolKind

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - argparse gives the type no public name

_DEFAULTS = Options()

DESCRIPTION: Final = "description"
"""What ``--kind`` calls that which is no kind of symbol."""

_EPILOG = """\
examples:
  exegesis explain "How does a token get refreshed?"
  exegesis explain "How is the cache invalidated?" --project ~/src/App --trace
  exegesis outline "What happens when the app starts?" --json
  exegesis search "retry policy" --kind protocol
  exegesis graph callers Session.request

Without --project the current folder is asked. A folder that is not indexed yet, or has changed, is indexed first.
With --server a gateway is asked, and projects are repositories that it has indexed.
Answers go to standard output, everything else to standard error.
Exit codes: 0 answered, 1 failure, 2 usage, 3 nothing relevant found, 130 interrupted.
Settings are EXEGESIS_* variables; `exegesis doctor` lists them and checks what they name."""


_LATER_COMMANDS = (("serve", "indexer"),)
"""Commands that the contract names and a later version brings. Scripts that use them are told so, and not that they are misspelt."""


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exegesis",
        description="Explains codebases: finds the code that answers a question, follows its calls, and says what it does,\n"
        "every statement tied to its lines.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"exegesis {exegesis.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _index(commands)
    _explain(commands)
    _outline(commands)
    _search(commands)
    _describe(commands)
    _graph(commands)
    _eval(commands)
    _status(commands)
    _remove(commands)
    _serve(commands)
    _token(commands)
    commands.add_parser(
        "doctor",
        help="check versions, settings and everything Exegesis depends on",
        description="Checks versions, settings and the reachability of every dependency, and says what to do about each problem.",
    ).add_argument("--json", action="store_true", help="print the checks as JSON")
    return parser


class _Later(argparse.Action):
    """An option that the contract names and a later version brings."""

    def __call__(self, parser: argparse.ArgumentParser, _namespace: argparse.Namespace, _values: object, option_string: str | None = None) -> None:
        parser.error(f"{option_string} comes with a later version")


def _later(parser: argparse.ArgumentParser, *options: str) -> None:
    for option in options:
        parser.add_argument(option, action=_Later, nargs="?", help=argparse.SUPPRESS)


def _command(commands: Commands, name: str, summary: str, description: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=summary, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    return parser


def _index(commands: Commands) -> None:
    parser = _command(
        commands,
        "index",
        "index folders, or bring their index up to date",
        "Indexes folders. Questions can be asked as soon as the lexical and graph parts are in; vectors follow.\n"
        "Interrupting loses nothing: the next run continues.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="folder of a repository")
    parser.add_argument("--watch", action="store_true", help="stay and index again whenever files change")
    parser.add_argument("--include-dependencies", action="store_true", help="also index what package managers fetched (.build/checkouts, Pods, ...)")
    parser.add_argument("--no-embed", action="store_true", help="leave out the vectors of the whole index (questions embed what they need)")
    parser.add_argument("--no-describe", action="store_true", help="leave out descriptions of what is large (questions make what they need)")
    parser.add_argument("--json", action="store_true", help="print what was indexed as one JSON object; of several folders as a list `projects`")
    _server(parser)
    _index_store(parser)
    _later(parser, "--scip")


def _server(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server", default="", metavar="ADDRESS", help="host:port of a gateway that answers, with the token in EXEGESIS_TOKEN (EXEGESIS_SERVER)"
    )


def _projects(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project",
        action="append",
        default=[],
        metavar="PATH|NAME",
        help="folder or name of an indexed project; may be repeated (default: current folder)",
    )


def _asking(parser: argparse.ArgumentParser) -> None:
    """What every question takes."""
    _projects(parser)
    _server(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--trace", action="store_true", help="print stages with time and counts, and the parts of every score (on standard error)")
    considered = parser.add_argument_group("what is considered")
    considered.add_argument(
        "--lexical-prefilter",
        action="store_true",
        help="begin only from code that shares a word with the question; what its calls lead to is still shown",
    )
    considered.add_argument("--include-dependencies", action="store_true", help="also search what package managers fetched")
    considered.add_argument("--no-dense", action="store_true", help="answer without vectors")
    _index_store(considered)


def _index_store(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--index-store",
        default="",
        metavar="DIR",
        help="index store of Xcode or SwiftPM, whose calls are exact; remembered (auto: those found in the project and where Xcode builds; none)",
    )


def _answering(parser: argparse.ArgumentParser) -> None:
    _asking(parser)
    parser.add_argument("--no-llm", action="store_true", help="answer from the code alone, even where a language model is configured")
    context = parser.add_argument_group("what goes into the answer")
    context.add_argument(
        "--limit", type=_positive, default=_DEFAULTS.limit, metavar="N", help="anchors: best chunks from which calls are followed (%(default)s)"
    )
    context.add_argument(
        "--neighbors",
        type=_natural,
        default=_DEFAULTS.neighbors,
        metavar="K",
        help="chunks of the same file that join an anchor when the graph is thin (%(default)s)",
    )
    context.add_argument("--budget", type=_positive, default=_DEFAULTS.budget, metavar="TOKENS", help="size of the context (%(default)s)")
    context.add_argument("--oversize-anchors", action="store_true", help="let parts of oversize symbols be anchors")
    context.add_argument("--whole-files", action="store_true", help="send whole files instead of pieces, as far as the budget allows")


def _explain(commands: Commands) -> None:
    parser = _command(
        commands,
        "explain",
        "explain how something works",
        "Explains how something works, in prose whose every statement is tied to lines of the indexed code.\n"
        "Works without a language model; with EXEGESIS_MODEL_URL and EXEGESIS_MODEL set, the model writes and every citation is checked.",
    )
    parser.add_argument("question", type=_text, metavar="QUESTION")
    parser.add_argument("--diagram", action="store_true", help="add a Mermaid diagram whose arrows are edges of the call graph")
    _answering(parser)


def _outline(commands: Commands) -> None:
    parser = _command(
        commands,
        "outline",
        "outline how something works, step by step",
        "Prints the steps in which something happens, as a tree of places. --json prints the outline as schema-valid JSON.",
    )
    parser.add_argument("question", type=_text, metavar="QUESTION")
    _answering(parser)


def _search(commands: Commands) -> None:
    parser = _command(
        commands, "search", "list the code that bears on some words", "Lists the best pieces of code for a query: by words, by name and by meaning."
    )
    parser.add_argument("query", type=_text, metavar="QUERY")
    parser.add_argument(
        "--kind",
        choices=[*(kind.value for kind in SymbolKind), DESCRIPTION],
        metavar="KIND",
        help="symbols of this kind only: function, protocol, class, ...; `description`: types, files and modules by what they are",
    )
    _asking(parser)
    parser.add_argument("--limit", type=_positive, default=_DEFAULTS.limit, metavar="N", help="results (%(default)s)")


def _describe(commands: Commands) -> None:
    parser = _command(
        commands,
        "describe",
        "say in a few sentences what a type, a file or a module is",
        "Prints what something is: what its comment says, its members by role, what it uses and what uses it, and where all of that stands.\n"
        "Made from declarations and calls; where a language model may describe (EXEGESIS_DESCRIBE_TOKENS), in its words, checked against these.",
    )
    parser.add_argument("about", nargs="?", default="", type=_text, metavar="NAME|PATH", help="(default: the repository and its modules)")
    parser.add_argument("--project", default=".", metavar="PATH|NAME", help="folder or name of an indexed project (default: current folder)")
    _server(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _graph(commands: Commands) -> None:
    parser = _command(
        commands,
        "graph",
        "ask the call graph",
        "Questions to the call graph. A SYMBOL is a name (request), a qualified name (Session.request), one with labels\n"
        "(Session.request(_:method:)) or a place (Sources/Session.swift:42). Without labels it stands for all overloads.",
    )
    questions = parser.add_subparsers(dest="graph_question", metavar="QUESTION", required=True)
    for name, summary in (
        ("callers", "who calls it, with call sites"),
        ("callees", "what it calls"),
        ("impact", "everything that reaches it, nearest first"),
        ("only-through", "what is reachable only by way of it: what would be dead without it"),
        ("always-with", "what is called wherever it is called, by the same callers"),
    ):
        question = questions.add_parser(name, help=summary, description=summary)
        question.add_argument("symbol", type=_text, metavar="SYMBOL")
        _graph_options(question)
    path = questions.add_parser("path", help="shortest ways from one symbol to another", description="Shortest ways from one symbol to another.")
    path.add_argument("source", type=_text, metavar="SYMBOL")
    path.add_argument("target", type=_text, metavar="SYMBOL")
    _graph_options(path)
    for name, summary in (
        ("hubs", "what most of the code leans on"),
        ("entry-points", "where control comes into the project"),
        ("dead-ends", "functions that nothing leads to"),
        ("cycles", "what calls itself by way of others"),
        ("map", "modules, how they depend, and where the program starts"),
    ):
        question = questions.add_parser(name, help=summary, description=summary)
        if name == "map":
            question.add_argument("--mermaid", action="store_true", help="print the modules and their dependencies as a Mermaid flowchart")
        _graph_options(question)


def _graph_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", default=".", metavar="PATH|NAME", help="folder or name of an indexed project (default: current folder)")
    _server(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    _index_store(parser)


def _eval(commands: Commands) -> None:
    parser = _command(
        commands,
        "eval",
        "measure retrieval on questions with known answers",
        "Answers every question of a file, writes the predictions and prints the figures.\n"
        'A question is a line {"id", "question", "gold": [{"path", "start"?, "end"?, "grade"?}]}; paths are relative to the repository root.',
    )
    parser.add_argument("questions", metavar="QUESTIONS.jsonl")
    parser.add_argument("--project", required=True, metavar="PATH", help="folder that the questions are about")
    parser.add_argument("--out", required=True, metavar="PREDICTIONS.jsonl", help="where the predictions go")
    parser.add_argument("--repo", metavar="NAME", help="only the questions whose `repo` is this")
    parser.add_argument(
        "--ablation",
        choices=[ablation.value for ablation in Ablation],
        default=Ablation.FULL.value,
        metavar="NAME",
        help="one of " + ", ".join(ablation.value for ablation in Ablation) + " (%(default)s)",
    )
    parser.add_argument("--budget", type=_positive, default=_DEFAULTS.budget, metavar="TOKENS", help="size of the contexts (%(default)s)")
    parser.add_argument("--no-dense", action="store_true", help="without vectors")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    _index_store(parser)


def _status(commands: Commands) -> None:
    parser = _command(
        commands,
        "status",
        "what is indexed, at which commit, with which gaps",
        "Shows what is indexed, at which commit, and what was left out and why.",
    )
    parser.add_argument("--project", action="append", default=[], metavar="PATH|NAME", help="only this one (default: every indexed project)")
    _server(parser)
    parser.add_argument("--files", action="store_true", help="also name every file that was left out or is known by its words alone, with the reason")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _remove(commands: Commands) -> None:
    parser = _command(
        commands, "remove", "forget a project and delete its index", "Deletes everything kept about a project. Its own files are not touched."
    )
    _projects(parser)
    _server(parser)


LISTEN: Final = {"gateway": "127.0.0.1:7600", "query": "127.0.0.1:7601", "graph": "127.0.0.1:7602"}
"""Services that can be served, and where they listen unless told otherwise: on this machine only, since all but the gateway do not ask who calls."""

QUEUES: Final = ("interactive", "bulk", "maintenance")
"""What somebody waits for, what fills an index, and what cleans up."""

WITHOUT_ADDRESS: Final = ("beat", "worker")
"""Services that nobody calls: they work on what the queue brings."""

LISTEN_HTTP: Final = "127.0.0.1:7680"
"""Where the gateway answers over HTTP."""

PER_MINUTE: Final = 300
"""Requests that a token may make unless told otherwise: five a second is more than people and agents ask, and less than would crowd out others."""

DAYS: Final = 90
"""For which a token is good unless told otherwise."""


def _queues(written: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in written.split(","))
    for name in names:
        if name not in QUEUES:
            raise argparse.ArgumentTypeError(f"there is no queue {name!r}: choose from {', '.join(QUEUES)}")
    return names


def _serve(commands: Commands) -> None:
    parser = _command(
        commands,
        "serve",
        "keep one part running for other processes",
        "Runs one service until it is told to end; what is under way may finish first.\n"
        "The gateway is for people and programs: gRPC and HTTP, for whoever shows a token (`exegesis token create`).\n"
        "Query and graph are for other processes of Exegesis, which ask them when EXEGESIS_QUERY_ADDRESS or EXEGESIS_GRAPH_ADDRESS names where they\n"
        "listen. They answer everybody who reaches them: keep them on this machine or in a private network.\n"
        "Workers index what the gateway asks for when EXEGESIS_QUEUE_ADDRESS names a broker; beat rings again for what was lost, and polls.",
    )
    services = sorted({*LISTEN, *WITHOUT_ADDRESS})
    parser.add_argument("service", choices=services, metavar="SERVICE", help=", ".join(services))
    places = ", ".join(f"{name} {address}" for name, address in sorted(LISTEN.items()))
    parser.add_argument("--listen", metavar="ADDRESS", help=f"host:port or unix:/path/of/socket; port 0 takes a free one (default: {places})")

    gateway = parser.add_argument_group("the gateway")
    gateway.add_argument(
        "--http", default=LISTEN_HTTP, metavar="ADDRESS", help="host:port for HTTP, JSON and server-sent events; `none` for gRPC alone (%(default)s)"
    )
    gateway.add_argument("--open", action="store_true", help="ask nobody for a token; on this machine only")

    worker = parser.add_argument_group("a worker")
    worker.add_argument(
        "--queues",
        type=_queues,
        default=QUEUES,
        metavar="QUEUES",
        help=f"what it works on, separated by commas: {', '.join(QUEUES)} (default: all). EXEGESIS_WORKERS says with how many processes.",
    )


def _token(commands: Commands) -> None:
    parser = _command(
        commands,
        "token",
        "make, list and revoke the tokens that a gateway accepts",
        "Makes, lists and revokes the tokens that a gateway with the same EXEGESIS_HOME accepts. Changes hold at once.",
    )
    actions = parser.add_subparsers(dest="token_action", metavar="ACTION", required=True)
    summary = "make a token and print it, this once"
    create = actions.add_parser("create", help=summary, description="Makes a token and prints it, this once: only a digest of it is kept.")
    create.add_argument("name", type=_text, metavar="NAME", help="who or what will hold it")
    everything = "; `*` for every one, also those to come"
    create.add_argument("--read", action="append", default=[], metavar="PROJECT", help=f"may ask about this indexed project{everything}")
    create.add_argument("--index", action="append", default=[], metavar="PROJECT", help=f"may also bring its index up to date{everything}")
    create.add_argument("--admin", action="store_true", help="may do everything: all projects, folders of the machine, removal")
    create.add_argument("--metrics", action="store_true", help="may read /metrics")
    create.add_argument("--days", type=_natural, default=DAYS, metavar="N", help="good for so long; 0 for ever (%(default)s)")
    create.add_argument("--per-minute", type=_positive, default=PER_MINUTE, metavar="N", help="requests that it may make (%(default)s)")
    create.add_argument("--json", action="store_true", help="print JSON")
    listing = actions.add_parser("list", help="tokens that were made, without their secrets", description="Lists the tokens that were made.")
    listing.add_argument("--json", action="store_true", help="print JSON")
    revoke = actions.add_parser("revoke", help="accept a token no longer", description="Accepts a token no longer.")
    revoke.add_argument("id", type=_text, metavar="ID", help="its identifier, as `exegesis token list` shows it")


def index_store_of(arguments: argparse.Namespace) -> str:
    """The index store that was chosen, by its full path: it is remembered, and the current folder is not."""
    chosen: str = arguments.index_store
    return chosen if chosen in {"", "auto", "none"} else os.path.abspath(chosen)  # noqa: PTH100 - a choice, which need not be a path


def options_of(arguments: argparse.Namespace) -> Options:
    """The options of a command that asks; what it does not take has its default."""

    def given(name: str) -> Any:
        return getattr(arguments, name, getattr(_DEFAULTS, name))

    kind = given("kind")
    return Options(
        limit=given("limit"),
        neighbors=given("neighbors"),
        budget=given("budget"),
        lexical_prefilter=given("lexical_prefilter"),
        oversize_anchors=given("oversize_anchors"),
        include_dependencies=given("include_dependencies"),
        whole_files=given("whole_files"),
        kind=SymbolKind(kind) if kind and kind != DESCRIPTION else None,
        descriptions=kind == DESCRIPTION,
        dense=not arguments.no_dense,
        use_model=not getattr(arguments, "no_llm", False),
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Raises ``SystemExit(2)`` with a message on standard error when the arguments make no sense."""
    parser = build_parser()
    for command in _LATER_COMMANDS:
        if tuple(arguments[: len(command)]) == command:
            parser.error(f"`{' '.join(command)}` comes with a later version")
    if not arguments:
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    parsed, rest = parser.parse_known_args(arguments)
    if rest:
        quotes = " (a question of several words goes in quotes)" if any(hasattr(parsed, name) for name in ("question", "query")) else ""
        parser.error(f"unrecognized arguments: {' '.join(rest)}{quotes}")
    return parsed


def _text(written: str) -> str:
    """What was typed, in UTF-8 whatever the locale says; bytes that are none become U+FFFD, which no output refuses."""
    return os.fsencode(written).decode("utf-8", "replace")


def _positive(written: str) -> int:
    number = _natural(written)
    if number == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _natural(written: str) -> int:
    try:
        number = int(written)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{written!r} is not a whole number") from None
    if number < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return number
