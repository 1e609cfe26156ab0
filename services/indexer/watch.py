"""When the files of a folder change: by events of the file system, or by looking now and then where there are none."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

SETTLE_MS = 400
"""Silence after a change before it counts: an editor writes a file in several steps, a checkout writes thousands."""
LONGEST_MS = 5_000
"""A change counts after this long even if others keep coming."""
GLANCE_MS = 250
"""Between two looks at whether the caller wants to stop."""
POLL_SECONDS = 3.0
"""Between two looks where there are no events; a look at a thousand files costs about 50 ms."""

_UNINTERESTING = frozenset({".git", ".hg", ".svn", ".build", "DerivedData", "node_modules", "__pycache__"})
"""Folders that change all the time and hold nothing that is indexed by default. Whatever else is ignored costs a look, and no more."""
_UNITS = ("v5", "units")
"""Where a build writes down, wherever it keeps its index store, that it compiled something anew."""


def changes(
    root: str,
    is_stale: Callable[[], bool],
    *,
    ignored: Path,
    cancelled: threading.Event,
    events: bool = True,
    every: float = POLL_SECONDS,
    stores: Sequence[Path] = (),
) -> Iterator[None]:
    """Yields once it looks, and then whenever something below ``root`` may have changed since it last yielded, until cancelled.

    Nothing that changes while the caller works between two items is missed.

    Args:
        root: The folder.
        is_stale: Says whether it differs from what is indexed; asked where there are no events.
        ignored: A folder whose changes are our own doing.
        cancelled: Ends the iteration within a second.
        events: False to look now and then even where the file system would tell.
        every: Seconds between two looks where there are no events.
        stores: Index stores that may lie elsewhere. Those below ``root`` count without being named, also ones that come later.

    """
    if events:
        try:
            yield from _by_events(root, stores, ignored, cancelled)
        except OSError:  # no inotify, no watches left, a network file system
            pass
        else:
            return
    yield
    while not cancelled.wait(every):
        if is_stale():
            yield


def _by_events(root: str, stores: Sequence[Path], ignored: Path, cancelled: threading.Event) -> Iterator[None]:
    import watchfiles

    own = os.path.realpath(ignored)
    outside = [store / "v5" / "units" for store in stores if not store.is_relative_to(root)]

    def matters(_change: watchfiles.Change, path: str) -> bool:
        inside = Path(os.path.relpath(path, root)).parts
        of_store = _UNITS in itertools.pairwise(inside)
        return (of_store or not _UNINTERESTING.intersection(inside)) and os.path.commonpath([own, path]) != own

    looking = False
    for changed in watchfiles.watch(
        root,
        *(folder for folder in outside if folder.is_dir()),
        watch_filter=matters,
        debounce=LONGEST_MS,
        step=SETTLE_MS,
        rust_timeout=GLANCE_MS,
        yield_on_timeout=True,
        stop_event=cancelled,
        ignore_permission_denied=True,
    ):
        if changed or not looking:  # the first item, also an empty one, says that events are being collected
            looking = True
            yield
