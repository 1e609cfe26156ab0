"""What the bundled model costs a chunk, and whether its vectors are those of another state of the code.

    python benchmarks/embedding_speed.py REPOSITORY [--chunks 120] [--rounds 3] [--beside OTHER_TREE]

Chunks are drawn at random, others in each round. Each state of the code embeds them in a process of its own with one thread, in turns, so that what
else the machine does meets both. Processor time alone is given: of a chunk, and of loading the model. Every round says how far apart the vectors are.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from exegesis.embedding_text import embedding_text
from exegesis.model import FileStatus
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Pin
from services.indexer.api import IndexOptions

HOUSE = Path(__file__).resolve().parents[1]
TOKENS = 256
"""As many as the indexer reads."""

EMBED = f"""
import json, resource, sys, time
from exegesis.adapters.granite import Granite
texts = json.load(sys.stdin)
begun = time.process_time()
model = Granite(threads=1)
model.embed(["a text"], tokens={TOKENS})
loaded = time.process_time()
vectors = model.embed(texts, tokens={TOKENS})
spent = time.process_time() - loaded
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
json.dump({{"load": loaded - begun, "chunk": 1_000 * spent / len(texts), "peak": peak, "vectors": [list(vector) for vector in vectors]}}, sys.stdout)
"""
"""What each process does: seconds, milliseconds, MiB."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--chunks", type=int, default=120)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--beside", type=Path, help="root of another state of this project's code")
    arguments = parser.parse_args()
    texts = read_texts(arguments.repository)
    print(f"{arguments.repository.name}: {len(texts)} chunks, load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")
    trees = [tree for tree in (arguments.beside, HOUSE) if tree]
    for number in range(arguments.rounds):
        drawn = random.Random(number).sample(texts, min(arguments.chunks, len(texts)))
        found = []
        for tree in trees:
            cost = embed(drawn, tree)
            found.append(np.array(cost["vectors"]))
            print(f"  {tree.name:20} {cost['chunk']:6.1f} ms a chunk   {cost['load']:5.2f} s to load   {cost['peak']:4.0f} MiB", flush=True)
        if len(found) > 1:
            print(f"  lowest cosine {(found[0] * found[1]).sum(axis=1).min():.7f}, largest difference {np.abs(found[0] - found[1]).max():.1e}")


def read_texts(repository: Path) -> list[str]:
    """What the model would read of each chunk."""
    with tempfile.TemporaryDirectory() as home:
        assembly = Assembly(Settings(home=home, embedder="none"))
        try:
            report = assembly.indexer.index(str(repository), IndexOptions(embed=False, index_store="none"), lambda _: None)
            pin = Pin(report.repository.id, report.generation.id)
            paths = [row.file.path for row in assembly.graph.files(pin) if row.file.status is FileStatus.INDEXED]
            return [embedding_text(chunk) for path in paths for chunk in assembly.graph.chunks_in(pin, [path], text=True)]
        finally:
            assembly.close()


def embed(texts: list[str], tree: Path) -> dict[str, Any]:
    environment = os.environ | {"PYTHONPATH": str(tree.resolve())}
    done = subprocess.run(
        [sys.executable, "-c", EMBED], input=json.dumps(texts), capture_output=True, text=True, check=True, env=environment, cwd="/"
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
