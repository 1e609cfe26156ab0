"""Copies of repositories that lie elsewhere: bare, of one commit, without a work tree. Fetched within limits, and never more trusted than before."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import netrc
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from exegesis.errors import NotFound, Unavailable, UsageError
from exegesis.telemetry import SpanName, stage
from services.indexer.git import arguments, environment, program
from services.indexer.git_address import Remote, place_of, read_remote

_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_HEAD: Final = "refs/exegesis/head"

_GLANCE: Final = 0.2
"""Seconds between looks at how large a copy has grown, and at the time."""
_ASK_SECONDS: Final = 60
"""For what the other side answers in one line."""
_PACKS: Final = 40
"""Packs, one for each fetch, from which on a copy is made anew: nothing is ever collected in it."""

_FETCH: Final = (
    ("http.followRedirects", "false"),
    ("http.lowSpeedLimit", "1000"),
    ("http.lowSpeedTime", "30"),
    ("transfer.fsckObjects", "true"),
    ("fetch.fsck.zeroPaddedFilemode", "ignore"),  # what old and honest repositories have
    ("fetch.fsck.badTimezone", "ignore"),
    ("fetch.fsck.missingSpaceBeforeDate", "ignore"),
    ("credential.helper", ""),
    ("submodule.recurse", "false"),
)

_COMPLAINTS: Final = (
    (rb"could not read (?:username|password)|authentication failed|permission denied|http 401|error: 40[13]", "refuses us"),
    (rb"not found|does not exist|does not appear to be a git repository|error: 404", "has no such repository"),
    (rb"couldn't find remote ref|not our ref|unadvertised object", "does not give this commit any more"),
    (rb"fsck|bad object|corrupt", "gives objects that are not as they should be"),
)
"""What git says, and what we say: words that come from the other side are never passed on."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What may be fetched, and how much of it."""

    protocols: tuple[str, ...] = ("https",)
    hosts: tuple[str, ...] = ()
    """The only ones; empty for every public host by https."""
    netrc: str = ""
    """File with user and password of hosts, as curl reads it; empty for none."""
    ssh_key: str = ""
    ssh_known_hosts: str = ""
    mib: int = 4096
    """Of one copy."""
    seconds: float = 1800.0
    """For one fetch."""


class Mirrors:
    """Copies below ``folder``, one for each repository. Usable from several processes."""

    def __init__(self, folder: Path, reach: Reach) -> None:
        self._folder = folder
        self._reach = reach

    def read(self, address: str) -> Remote:
        """Raises ``UsageError`` for an address that may not be fetched from."""
        return read_remote(address, protocols=self._reach.protocols, hosts=self._reach.hosts)

    def newest(self, address: str) -> str:
        """The commit that the repository's main branch is at. Raises ``Unavailable``, ``NotFound``."""
        remote = self.read(address)
        with tempfile.TemporaryDirectory(prefix="exegesis-git-") as home:
            listed = self._run(remote, ["ls-remote", "--", remote.url, "HEAD"], Path(home), Path(home), seconds=_ASK_SECONDS)
        commit = listed.partition(b"\t")[0].decode("ascii", "replace")
        if not _COMMIT.fullmatch(commit):
            raise NotFound(f"{_place(remote)} has nothing in it yet.")
        return commit

    def bring(self, repository: str, address: str, *, commit: str = "") -> tuple[str, str]:
        """Folder of a copy that has the commit, and the commit; by default the newest one. Raises ``Unavailable``, ``NotFound``, ``UsageError``."""
        remote = self.read(address)
        mirror = self._folder / repository
        if commit and self._has(mirror, commit):
            return str(mirror), commit
        with self._turn(repository), stage(SpanName.CLONE):
            if commit and self._has(mirror, commit):
                return str(mirror), commit
            if mirror.exists() and sum(1 for _ in (mirror / "objects" / "pack").glob("*.pack")) > _PACKS:
                shutil.rmtree(mirror)
            self._prepare(mirror)
            wanted = f"+{commit or 'HEAD'}:{_HEAD}"
            options = ["--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance"]
            with tempfile.TemporaryDirectory(prefix="exegesis-git-") as home:
                command = ["--git-dir", str(mirror), "fetch", *options, "--", remote.url, wanted]
                self._run(remote, command, Path(home), mirror, seconds=self._reach.seconds)
            fetched = _ask(mirror, "rev-parse", "--verify", "--quiet", f"{_HEAD}^{{commit}}")
        if not _COMMIT.fullmatch(fetched):
            raise NotFound(f"{_place(remote)} has nothing in it yet.")
        return str(mirror), fetched

    def prune(self, known: Collection[str]) -> None:
        """Delete the copies of all other repositories."""
        if self._folder.is_dir():
            for mirror in self._folder.iterdir():
                if mirror.suffix != ".lock" and mirror.name not in known:
                    shutil.rmtree(mirror, ignore_errors=True)

    def _prepare(self, mirror: Path) -> None:
        if (mirror / "HEAD").exists():
            return
        git = _git()
        mirror.mkdir(parents=True, exist_ok=True)
        made = subprocess.run(  # noqa: S603 - a fixed command
            arguments(git, "init", "--bare", "--quiet", "--template=", str(mirror)), cwd="/", env=environment(), capture_output=True, check=False
        )
        if made.returncode != 0:
            raise Unavailable(f"A copy cannot be made in {self._folder}.", hint="See that you may write it, and that there is room.")

    def _has(self, mirror: Path, commit: str) -> bool:
        return bool(_COMMIT.fullmatch(commit)) and (mirror / "HEAD").exists() and _ask(mirror, "cat-file", "-t", commit) == "commit"

    @contextmanager
    def _turn(self, repository: str) -> Iterator[None]:
        """One process at a time writes a copy; the kernel lets go when it dies."""
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._folder / f"{repository}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _run(self, remote: Remote, command: Sequence[str], home: Path, measured: Path, *, seconds: float) -> bytes:
        """One command of git that speaks with the other side, in a group of its own that is killed where it exceeds its limits."""
        further = (*_FETCH, ("protocol.allow", "never"), (f"protocol.{remote.protocol}.allow", "always"), *self._pinned(remote))
        told = {
            "GIT_ALLOW_PROTOCOL": remote.protocol,
            "GIT_PROTOCOL_FROM_USER": "0",
            "GIT_LFS_SKIP_SMUDGE": "1",
            "HOME": str(home),
            **self._credentials(remote),
        }
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
            process = subprocess.Popen(  # noqa: S603 - options that switch off what could be run, and an address that was read by us
                arguments(_git(), *command, further=further),
                cwd=str(home),
                env=environment(told),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=complained,
                start_new_session=True,
            )
            try:
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (self._reach.mib << 20, self._reach.mib << 20))
                self._wait(process, remote, measured, seconds)
            except ProcessLookupError:
                process.wait()
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if process.returncode != 0:
                complained.seek(0)
                raise _complaint(remote, complained.read(1 << 16))
            said.seek(0)
            return said.read(1 << 16)

    def _wait(self, process: subprocess.Popen[bytes], remote: Remote, measured: Path, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while process.poll() is None:
            if time.monotonic() > deadline:
                raise Unavailable(f"{_place(remote)} took longer than {seconds:g} s.", hint="EXEGESIS_GIT_SECONDS sets how long a fetch may take.")
            if _size(measured) > self._reach.mib << 20:
                raise UsageError(f"{_place(remote)} is larger than {self._reach.mib:,} MiB.", hint="EXEGESIS_GIT_MIB sets how large one may be.")
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GLANCE)

    def _pinned(self, remote: Remote) -> tuple[tuple[str, str], ...]:
        """What keeps git from being told another network address than we were."""
        place = place_of(remote, hosts=self._reach.hosts)
        return (("http.curloptResolve", f"{remote.host}:{remote.port}:{f'[{place}]' if ':' in place else place}"),) if place else ()

    def _credentials(self, remote: Remote) -> dict[str, str]:
        """By the environment, which other users of the machine do not see, as they see a command line."""
        reach = self._reach
        if remote.protocol == "ssh":
            options = ["-F", "/dev/null", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "IdentitiesOnly=yes"]
            options += ["-i", reach.ssh_key] if reach.ssh_key else []
            options += ["-o", f"UserKnownHostsFile={reach.ssh_known_hosts}"] if reach.ssh_known_hosts else []
            return {"GIT_SSH_COMMAND": " ".join(["ssh", *map(_quoted, options)]), "GIT_SSH_VARIANT": "ssh"}
        if not reach.netrc or remote.protocol == "file":
            return {}
        try:
            found = netrc.netrc(reach.netrc).authenticators(remote.host)
        except (OSError, netrc.NetrcParseError):  # what it says quotes the file
            raise UsageError("EXEGESIS_GIT_NETRC names a file that does not read as one of passwords.", hint="Write it as curl reads it.") from None
        if found is None:
            return {}
        token = base64.b64encode(f"{found[0]}:{found[2]}".encode()).decode("ascii")
        return {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{remote.protocol}://{remote.host}:{remote.port}/.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {token}",
        }


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def _git() -> str:
    git = program()
    if git is None:
        raise Unavailable("There is no git.", hint="Install it on the machines of the workers.")
    return git


def _ask(mirror: Path, *command: str) -> str:
    asked = subprocess.run(  # noqa: S603 - a fixed command
        arguments(_git(), "--git-dir", str(mirror), *command), cwd="/", env=environment(), capture_output=True, timeout=_ASK_SECONDS, check=False
    )
    return asked.stdout.decode("ascii", "replace").strip() if asked.returncode == 0 else ""


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _place(remote: Remote) -> str:
    return f"The repository at {remote.host}" if remote.host else "The repository"


def _complaint(remote: Remote, said: bytes) -> NotFound | Unavailable:
    host = f"The host {remote.host}" if remote.host else "The folder"
    for pattern, meaning in _COMPLAINTS:
        if re.search(pattern, said.lower()):
            hint = "Check the address, and EXEGESIS_GIT_NETRC where it wants a password."
            return (NotFound if "no such" in meaning else Unavailable)(f"{host} {meaning}.", hint=hint)
    return Unavailable(f"{host} does not give the repository.", hint="Check the address, and the network.")
