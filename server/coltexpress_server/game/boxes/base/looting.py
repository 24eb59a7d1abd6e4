"""Loot changing hands, and how a seat may name it (RULES.md 1.2)."""

from __future__ import annotations

from coltexpress_server.game.boxes.base.tables import PURSE
from coltexpress_server.game.events import LootMoved
from coltexpress_server.game.loot import PUBLIC, UNKNOWN_VALUE, Token
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import Figure, State


def kinds(rules: Rules, tokens: list[Token]) -> list[str]:
    """The kinds among tokens, each once, in canonical order."""
    present = {token.kind for token in tokens}
    return sorted(present, key=lambda kind: rules.loot[kind].rank)


def values(tokens: list[Token], seat: int, kind: str = PURSE) -> list[int]:
    """How a seat tells tokens of a kind apart (1.2.4).

    Each value it knows, ascending, then UNKNOWN_VALUE if there are tokens whose value it does not
    know.
    """
    found = {
        token.value if token.known_to(seat) else UNKNOWN_VALUE
        for token in tokens
        if token.kind == kind
    }
    known = sorted(value for value in found if value != UNKNOWN_VALUE)
    return [*known, UNKNOWN_VALUE] if UNKNOWN_VALUE in found else known


def names(rules: Rules, tokens: list[Token], seat: int) -> list[tuple[str, int]]:
    """How a seat can name one of the tokens: by kind and value as in `values`, in canonical order.

    The value is UNKNOWN_VALUE where tokens of a kind are not told apart.
    """
    found: list[tuple[str, int]] = []
    for kind in kinds(rules, tokens):
        if rules.loot[kind].told_apart:
            found += [(kind, value) for value in values(tokens, seat, kind)]
        else:
            found.append((kind, UNKNOWN_VALUE))
    return found


def names_betray(rules: Rules, tokens: list[Token]) -> bool:
    """Whether the number of ways to name one of the tokens betrays something hidden (1.5.8)."""
    for kind, how in rules.loot.items():
        if how.told_apart:
            fitting = named_kind(tokens, kind)
            if len(fitting) > 1 and not values_are_public(fitting):
                return True
    return False


def named(rules: Rules, tokens: list[Token], seat: int, kind: str, value: int) -> list[Token]:
    """The tokens that a seat means by a kind and, where they are told apart, a value.

    value: as in `values`.
    """
    fitting = named_kind(tokens, kind)
    if not rules.loot[kind].told_apart:
        return fitting
    return [
        token
        for token in fitting
        if (token.value if token.known_to(seat) else UNKNOWN_VALUE) == value
    ]


def named_kind(tokens: list[Token], kind: str) -> list[Token]:
    """The tokens of a kind."""
    return [token for token in tokens if token.kind == kind]


def values_are_public(tokens: list[Token]) -> bool:
    """Whether everybody knows the value of every one of the tokens."""
    return all(token.known == PUBLIC for token in tokens)


def draw_token(state: State, tokens: list[Token]) -> Token:
    """One of the tokens, drawn blind by the game (1.2.4)."""
    if state.generator is None:
        raise ValueError("a view has no generator; determinize it first")
    return state.generator.draw(tokens)


def pick_up(state: State, figure: Figure, token: Token, cause: str) -> None:
    """A figure takes a token that lies on its space."""
    _take_away(state, token, figure.space)
    _own(state, figure, token, figure.space, cause)


def steal(state: State, thief: Figure, victim: Figure, token: Token, cause: str) -> None:
    """A figure takes a token that another owns."""
    victim.loot.remove(token)
    _own(state, thief, token, victim.name, cause)


def drop(state: State, figure: Figure, token: Token, cause: str) -> None:
    """A figure's token falls on its space; who knew its value goes on knowing it."""
    figure.loot.remove(token)
    state.loot_at(figure.space).append(token)
    state.record(LootMoved(token, figure.name, figure.space, cause))


def lose(state: State, figure: Figure, token: Token, cause: str) -> None:
    """A figure's token goes back to the box."""
    figure.loot.remove(token)
    state.box.append(token)
    state.record(LootMoved(token, figure.name, "", cause))


def remove(state: State, token: Token, space: str, cause: str) -> None:
    """A token that lies on a space leaves the game, seen by all."""
    _take_away(state, token, space)
    shown = Token(token.kind, token.value, PUBLIC)
    state.box.append(shown)
    state.record(LootMoved(shown, space, "", cause))


def pass_on(state: State, token: Token, source: str, figure: Figure, cause: str) -> None:
    """A token goes from a space, or from its owner, to a figure who learns nothing of it."""
    if source in state.figures:
        state.figures[source].loot.remove(token)
    else:
        _take_away(state, token, source)
    figure.loot.append(token)
    state.record(LootMoved(token, source, figure.name, cause))


def receive(state: State, figure: Figure, token: Token, cause: str) -> None:
    """A figure gets a token that comes out of the box."""
    _own(state, figure, token, "", cause)


def lay(state: State, token: Token, space: str, cause: str) -> None:
    """A token that comes out of the box is laid on a space."""
    state.loot_at(space).append(token)
    state.record(LootMoved(token, "", space, cause))


def _take_away(state: State, token: Token, space: str) -> None:
    tokens = state.spaces[space]
    tokens.remove(token)
    if not tokens:
        del state.spaces[space]


def _own(state: State, figure: Figure, token: Token, source: str, cause: str) -> None:
    """The token becomes the figure's; its seat learns the value of most kinds (1.2.3)."""
    learns = state.rules.loot[token.kind].owner_learns
    owned = token.shown_to(figure.seat) if learns else token
    figure.loot.append(owned)
    state.record(LootMoved(owned, source, figure.name, cause))
