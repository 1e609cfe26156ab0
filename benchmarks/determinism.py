"""The same question on the same generation composes the same context, byte for byte: asked N times, each in a process of its own.

python benchmarks/determinism.py REPOSITORY "QUESTION" [--runs 20]
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import subprocess
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository")
    parser.add_argument("question")
    parser.add_argument("--runs", type=int, default=20)
    arguments = parser.parse_args()
    seen: collections.Counter[str] = collections.Counter()
    for _ in range(arguments.runs):
        command = [sys.executable, "-m", "exegesis", "explain", arguments.question, "--project", arguments.repository, "--json", "--no-llm"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        seen[hashlib.sha256(json.dumps([answer["context"], answer["answer"]]).encode()).hexdigest()[:16]] += 1
    for digest, times in seen.items():
        print(f"{digest}  {times} times")
    return 0 if len(seen) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
