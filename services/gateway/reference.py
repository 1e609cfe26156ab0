"""docs/cli.md, generated from the parser and the settings; a test checks that it is fresh.

python -m services.gateway.reference > docs/cli.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from exegesis.settings import describe
from services.gateway.arguments import build_parser


def reference() -> str:
    """The whole command line and all settings as Markdown."""
    parts = ["# The command line", "", "Generated from the parser: `make docs`.", ""]
    for name, parser in _parsers("exegesis", build_parser()):
        parts += [f"## {name}", "", "```text", _help(parser), "```", ""]
    parts += ["## Settings", "", "| variable | default | meaning |", "|---|---|---|"]
    parts += [f"| `{name}` | {default or '-'} | {meaning} |" for name, default, meaning in describe()]
    parts += ["", "The standard OpenTelemetry variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, ...) send a span per stage to a collector."]
    return "\n".join(parts) + "\n"


def _help(parser: argparse.ArgumentParser) -> str:
    # A fixed width, so that the page does not depend on the terminal of whoever generates it.
    parser.formatter_class = lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=120)
    return parser.format_help().rstrip()


def _parsers(name: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """A parser and those of its commands, in the order in which they were added."""
    yield name, parser
    for action in parser._actions:  # noqa: SLF001 - argparse offers no public way to its subparsers
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for command, child in action.choices.items():
                yield from _parsers(f"{name} {command}", child)


if __name__ == "__main__":
    sys.stdout.write(reference())
