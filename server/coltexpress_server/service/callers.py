"""Who calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from coltexpress_server.service.refusals import Refused


@dataclass(frozen=True, slots=True)
class Principal:
    """Whom the service takes a caller for.

    name: of an API key; empty for the anonymous.
    """

    name: str


ANONYMOUS: Final = Principal("")


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal, and the token of a host or a seat that it showed.

    token: empty if it showed none; never logged.
    network: from where it calls, by which the anonymous are told apart; empty if that is unknown.
    operator: name of the admin key that it showed; empty if it showed none.
    """

    principal: Principal
    token: str = ""
    network: str = ""
    operator: str = ""

    def __repr__(self) -> str:
        """Without the token."""
        return f"Caller({self.principal!r})"


def require_principal(caller: Caller) -> str:
    """The name of the caller's principal. Raises Refused where he is anonymous."""
    if not caller.principal.name:
        raise Refused("API_KEY_MISSING", "this takes an API key: the anonymous are not told apart")
    return caller.principal.name
