"""RPG, from RPG III to free ILE RPG, with embedded SQL."""

from __future__ import annotations

from services.indexer.language import Language, Source, Syntax


class Rpg(Language):
    """RPG III, ILE RPG in fixed, mixed and free form, SQLRPGLE."""

    name = "rpg"
    suffixes = (".rpgle", ".sqlrpgle", ".rpgleinc", ".rpginc", ".sqlrpg", ".rpg", ".rpg38", ".rpg36", ".mbr")
    folders = (
        *("qrpglesrc", "qrpgsrc", "qsqlrpgle", "qrpgleinc", "qrpgleref", "qrpglecpy", "qcpysrc", "qcopysrc", "qcpylesrc", "qprotosrc", "qrpglepr"),
    )
    version = 8

    def parse(self, source: Source) -> Syntax:
        from services.indexer.languages.rpg.source import read

        return read(source)
