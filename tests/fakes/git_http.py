"""Bare repositories served over HTTP on loopback by git's own backend, as code hosts serve them."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

IDENTITY = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}


def git(folder: Path, *command: str, given: bytes = b"") -> str:
    """One command of git as a developer runs it, with nothing configured on the machine."""
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(folder), **IDENTITY}
    done = subprocess.run(["git", *command], cwd=folder, env=environment, input=given, capture_output=True, check=True)
    return done.stdout.decode().strip()


def commit_all(folder: Path, message: str = "work") -> str:
    """The files of a folder as a commit, whose name is returned."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


class GitHost:
    """Serves the repositories below a folder; notes what was asked, and may want a password."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.authorization = ""
        self.address = ""

    def publish(self, folder: Path, name: str) -> str:
        """A bare copy of a repository, as it is now; returns its address."""
        bare = self.folder / f"{name}.git"
        if not bare.exists():
            bare.mkdir(parents=True)
            git(bare, "init", "--quiet", "--bare", "--initial-branch=main")
        git(folder, "push", "--quiet", "--force", str(bare), "HEAD:refs/heads/main")
        return f"{self.address}/{name}.git"


@contextmanager
def git_host(folder: Path) -> Iterator[GitHost]:
    host = GitHost(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(host))
    host.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(host: GitHost) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

        def _answer(self, body: bytes) -> None:
            path, _, query = self.path.partition("?")
            host.asked.append(path)
            if host.authorization and self.headers.get("Authorization") != host.authorization:
                self.send_response(401)
                self.send_header("WWW-Authenticate", "Basic")
                self.end_headers()
                return
            environment = {
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(host.folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory",
                "GIT_CONFIG_VALUE_0": "*",
            }
            done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True, check=False)
            head, _, content = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            self.send_response(int(fields.pop("Status", "200 OK").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Not to the terminal."""

    return Handler
