"""Source members that are copied into others by name, as RPG does: whatever folder they lie in, the name decides, and letter case says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.graph.modules import Files, nearest


class CopyMembers:
    """A member is asked for as ``MEMBER``, ``FILE/MEMBER`` or ``LIBRARY/FILE/MEMBER``; folders stand for files and libraries, or for nothing."""

    def names_of(self, path: str, module: str) -> Iterable[str]:  # noqa: ARG002 - members are not named by targets
        return (member_of(path),)

    def find(self, text: str, path: str, files: Files) -> tuple[str, ...]:
        """The member in the folders that are named, where there is one, else the nearest of that name."""
        *folders, member = text.upper().split("/")
        called = [each for each in files.called(member) if each != path]
        within = [each for each in called if folders and _lies_in(each, folders[-1])]
        found = nearest(within or called, path) or (min(within or called) if called else "")
        return (found,) if found else ()

    def inner(self, module: Sequence[str], name: str, files: Files) -> tuple[str, ...]:  # noqa: ARG002 - a member holds no others
        return ()


def member_of(path: str) -> str:
    """The name of the member that a file holds, in capitals: ``depts.pgm.sqlrpgle`` is DEPTS."""
    return path.rpartition("/")[2].lstrip(".").partition(".")[0].upper()


def _lies_in(path: str, folder: str) -> bool:
    return path.upper().split("/")[-2:-1] in ([folder], [f"{folder}.FILE"])
