"""Where a gateway may listen: anywhere on this machine, and elsewhere only if it asks who calls and nobody can listen in."""

from __future__ import annotations

from exegesis.errors import UsageError
from exegesis.rpc.address import Address


def check_exposure(listen: Address, *, is_open: bool, has_tokens: bool, is_encrypted: bool) -> None:
    """Raises ``UsageError`` where whoever reaches ``listen`` could read what is not theirs, or nobody could read anything.

    Args:
        listen: Where the gateway is to listen.
        is_open: Nobody is asked for a token.
        has_tokens: There is a token that is good now.
        is_encrypted: Callers reach it through TLS, its own or that of a proxy in front of it.

    """
    if listen.is_private:
        return
    if is_open:
        raise UsageError(f"{listen} is reached by others, and --open asks nobody who they are.", hint="Leave out --open, and give tokens to callers.")
    if not has_tokens:
        raise UsageError(f"{listen} is reached by others, and there is no token yet.", hint="Make one first: `exegesis token create`.")
    if not is_encrypted:
        raise UsageError(
            f"{listen} is reached by others, and tokens would be sent in the clear.",
            hint="Set EXEGESIS_TLS_CERTIFICATE and EXEGESIS_TLS_KEY, or EXEGESIS_TLS_ELSEWHERE=1 where a proxy speaks TLS.",
        )
