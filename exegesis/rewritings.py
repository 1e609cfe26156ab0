"""Where words are kept that a language model added to questions: answered by one service, and wiped by another when a repository is removed."""

from __future__ import annotations

from typing import Final

SPACE: Final = "rewritings"
"""One for all repositories, since a question may be about several. Removing any of them wipes it: the words are names of code, and can be asked for
again."""

KEPT_BYTES: Final = 16 << 20
"""Some 100,000 questions; those not asked for longest go first."""
