"""Call edges of RPG programs against a list of them: precision and recall, and what every rule contributes.

    python benchmarks/rpg_edges.py SOURCES TRUTH.json [--examples 20]

SOURCES is a folder, read as ``exegesis index`` would read it. TRUTH has ``procs`` (name, file) and ``edges`` (file, caller, callee), made by whatever
means, perhaps of some callers only: edges are judged where the truth knows the caller and the procedure that is called. Files are told by their last
component, names without letter case; a subroutine speaks for the procedure around it, and a prototype for nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # what is measured is imported from where tests import it

from exegesis.model import EdgeKind, FileFacts, Symbol, SymbolKind
from services.graph.families import Families
from services.graph.link import link
from services.graph.table import FileContext
from services.indexer.decode import Undecodable
from services.indexer.extract import extract
from services.indexer.walk import walk

Call = tuple[str, str, str]
"""File and name of the caller, name of the callee, names in capitals."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--examples", type=int, default=20)
    asked = parser.parse_args()
    truth = json.loads(asked.truth.read_text(encoding="utf-8"))
    expected = {(edge["file"], edge["caller"].upper(), edge["callee"].upper()) for edge in truth["edges"]}
    callers = {(file, caller) for file, caller, _ in expected}
    known = {procedure["name"].upper() for procedure in truth["procs"]}
    found = calls(read(asked.sources))
    judged = {call: rule for call, rule in found.items() if call[:2] in callers and call[2] in known}
    right = expected & judged.keys()
    print(f"{len(callers)} callers, {len(expected)} edges expected, {len(judged)} found, {len(right)} right")
    print(f"precision {len(right) / max(len(judged), 1):.3f}  recall {len(right) / max(len(expected), 1):.3f}")
    print("by rule:", dict(sorted(Counter(judged.values()).items())), "of all edges:", dict(sorted(Counter(found.values()).items())))
    for title, rows in (("missing", expected - judged.keys()), ("wrong", judged.keys() - expected)):
        for row in sorted(rows)[: asked.examples]:
            print(f"  {title}: {' '.join(row)}")


def read(root: Path) -> list[FileFacts]:
    """Facts of every file that a walk would index, whatever its language."""
    facts = []
    for file in walk(str(root)).files:
        if file.language:
            try:
                facts.append(extract(file.path, (root / file.path).read_bytes(), file.digest, file.language))
            except Undecodable as error:
                print(f"{file.path}: {error}", file=sys.stderr)
    return facts


def calls(facts: list[FileFacts]) -> dict[Call, str]:
    """Calls between procedures, each with the rule of the first edge that says so."""
    symbols: dict[int, Symbol] = {symbol.id: symbol for file in facts for symbol in file.symbols}
    contexts = {file.path: FileContext(imports=frozenset(file.imports), language=file.language, bindings=file.bindings) for file in facts}
    tables = Families(symbols.values(), contexts)
    found: dict[Call, str] = {}
    for file in facts:
        for edge in link(file, tables.of(file.language)).edges:
            target = symbols[edge.target]
            if edge.kind is EdgeKind.CALL and target.kind is SymbolKind.PROCEDURE:
                caller = _procedure(symbols[edge.source], symbols)
                found.setdefault((file.path.rpartition("/")[2], caller.name.upper(), target.name.upper()), edge.rule)
    return found


def _procedure(symbol: Symbol, symbols: dict[int, Symbol]) -> Symbol:
    while symbol.kind is SymbolKind.SUBROUTINE and symbol.parent in symbols:
        symbol = symbols[symbol.parent]
    return symbol


if __name__ == "__main__":
    main()
