"""cocoindex-code through its command ``CCC``. Its own default model is all-MiniLM or the like from a hub; here it gets this project's model from an
OpenAI-compatible endpoint in this process, whose work counts as its own.

The command writes into the folder that it indexes, so it gets a copy.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from driving import RESULTS, Found, Search, drive

from exegesis.adapters.granite import Granite

TOKENS = 256
"""Read of a chunk; the rest is cut off, as its usual libraries do."""
PATIENCE = 120.0
"""Seconds until the daemon listens."""
_PLACE = re.compile(r"^File: (.+?):(\d+)-(\d+)", re.MULTILINE)


def index(folder: Path, own: Path) -> Search:
    project = own / "project"
    shutil.copytree(folder, project)
    environment = {
        **os.environ,
        "HOME": str(own),
        "COCOINDEX_CODE_DIR": str(own / "settings"),
        "OPENAI_API_BASE": serve(),
        "OPENAI_API_KEY": "none",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or it waits for a network before it starts
    }

    def run(*arguments: str) -> str:
        done = subprocess.run([os.environ["CCC"], *arguments], cwd=project, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"ccc {arguments[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    # Its daemon is started here and not by itself, so that it is a child whose work and memory count, and that ends with this process.
    daemon = subprocess.Popen([os.environ["CCC"], "run-daemon"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(daemon.terminate)
    atexit.register(lambda: subprocess.run([os.environ["CCC"], "daemon", "stop"], cwd=project, env=environment, capture_output=True, check=False))
    started = time.monotonic()
    while not (own / "settings" / "daemon.sock").exists() and time.monotonic() - started < PATIENCE:
        time.sleep(0.1)
    run("init", "--litellm-model", "openai/granite")
    run("index")

    def search(question: str) -> Found:
        said = run("search", "--limit", str(RESULTS), question)
        return ((path, int(start), int(end)) for path, start, end in _PLACE.findall(said))

    return search


def serve() -> str:
    """Starts the endpoint in a thread; its base address."""
    model = Granite(threads=os.cpu_count() or 1)

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            vectors = model.embed(texts, tokens=TOKENS)
            data = [{"object": "embedding", "index": number, "embedding": list(vector)} for number, vector in enumerate(vectors)]
            body = json.dumps({"object": "list", "model": asked["model"], "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"


if __name__ == "__main__":
    drive(index)
