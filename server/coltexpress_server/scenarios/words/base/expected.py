"""What `expect` and `sees` can say about the base box: one function a key.

Each reads what is expected into a check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from coltexpress_server.game.boxes.base.tables import CARS, PURSE, ROUNDS, STRONGBOX
from coltexpress_server.game.cards import HIDDEN, Card
from coltexpress_server.game.codec import EVENT_KINDS
from coltexpress_server.game.loot import Token
from coltexpress_server.game.scoring import score
from coltexpress_server.game.state import FINISHED, SCHEMIN, STEALIN, Deck, Figure, State
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import (
    EVERYTHING,
    Check,
    Expected,
    Language,
    Scene,
    Sight,
    joined,
)
from coltexpress_server.scenarios.words.base.given import (
    KEEP,
    MANY,
    giver,
    known_token,
    round_event,
    round_keys,
)

_LONGEST_LOG: Final = 1000

Part = Callable[[Scene, Node, Node], Check]
"""Reads one pair of a mapping into a check."""


def each(part: Part) -> Expected:
    """What a mapping expects: every pair by itself."""

    def expected(scene: Scene, node: Node) -> Check:
        checks = [part(scene, key, value) for key, value in node.pairs()]
        return lambda sight: joined(check(sight) for check in checks)

    return expected


def differs(what: str, found: object, wanted: object) -> str:
    """Says that a value is not the one expected; nothing if it is."""
    return "" if found == wanted else f"{what} is {_shown(found)}, not {_shown(wanted)}"


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(str(item) for item in value)}]"
    return str(value)


def number_of(what: str, count: Callable[[State, Figure], int]) -> Expected:
    """A mapping of bandits to numbers."""

    def part(scene: Scene, key: Node, value: Node) -> Check:
        name = reading.bandit(scene, key).name
        wanted = value.number(0, MANY)
        return lambda sight: differs(
            f"{what} {name}", count(sight.state, sight.state.figures[name]), wanted
        )

    return each(part)


def _cars(scene: Scene, node: Node) -> Check:
    if node.is_list:
        letters = [item.text() for item in node.items()]
        return lambda sight: differs("cars", _ordinary_cars(sight), letters)
    number = node.number(0, MANY)
    return lambda sight: differs("cars", len(_ordinary_cars(sight)), number)


def _ordinary_cars(sight: Sight) -> list[str]:
    return [letter for letter in sight.state.cars if letter in CARS]


def _bandit_at(scene: Scene, key: Node, value: Node) -> Check:
    name = reading.bandit(scene, key).name
    space = reading.whereabouts(scene, value)
    return lambda sight: differs(f"bandits {name}", sight.state.figures[name].space, space)


def _lies(scene: Scene, key: Node, value: Node) -> Check:
    space = reading.space(scene, key)
    wanted = token_words(scene, value)
    return lambda sight: tokens_differ(
        f"loot {space}", scene.language, sight, sight.state.spaces.get(space, []), wanted
    )


def _owns(scene: Scene, key: Node, value: Node) -> Check:
    name = reading.bandit(scene, key).name
    wanted = token_words(scene, value)
    return lambda sight: tokens_differ(
        f"owns {name}", scene.language, sight, sight.state.figures[name].loot, wanted
    )


def token_words(scene: Scene, node: Node) -> list[str]:
    """What tokens are expected, in the order of their words."""
    return sorted(reading.token_word(scene, item) for item in node.items())


def tokens_differ(
    what: str, language: Language, sight: Sight, tokens: list[Token], wanted: list[str]
) -> str:
    """Compares whole contents in any order. For who sees everything PURSE fits any purse."""
    words = sorted(language.token_word(token) for token in tokens)
    left, missing = Counter(words), Counter(wanted)
    if sight.viewer == EVERYTHING:
        any_purse = missing.pop(PURSE, 0)
        left -= missing
        same = (
            len(words) == len(wanted)
            and left.total() == any_purse
            and all(word.startswith(PURSE) for word in left)
        )
    else:
        same = left == missing
    return "" if same else differs(what, words, wanted) or f"{what} differs"


def _known(scene: Scene, key: Node, value: Node) -> Check:
    seat = reading.seat(scene, key)
    items = value.items()
    for item in items:
        known_token(scene, item)
    wanted = Counter(item.text() for item in items)

    def check(sight: Sight) -> str:
        missing: list[str] = []
        for item in items:
            tokens, word = known_token(Scene(sight.state, scene.language), item)
            count = sum(1 for token in tokens if token.text == word and token.known_to(seat))
            if count < wanted[item.text()]:
                missing.append(item.text())
        return f"{key.text()} does not know {', '.join(missing)}" if missing else ""

    return check


def _bullets_received(scene: Scene, key: Node, value: Node) -> Check:
    name = reading.bandit(scene, key).name
    what = f"bullets_received {name}"
    if value.is_list:
        givers = sorted(giver(scene, item) for item in value.items())
        return lambda sight: differs(what, sorted(sight.state.figures[name].received), givers)
    number = value.number(0, MANY)
    return lambda sight: differs(what, len(sight.state.figures[name].received), number)


def _neutral_bullets(scene: Scene, node: Node) -> Check:
    number = node.number(0, MANY)
    return lambda sight: differs("neutral_bullets", sight.state.neutral_bullets, number)


def _strongbox_waiting(scene: Scene, node: Node) -> Check:
    wanted = node.flag()

    def check(sight: Sight) -> str:
        waiting = any(token.kind == STRONGBOX for token in sight.state.waiting)
        return differs("strongbox_waiting", waiting, wanted)

    return check


def cards_in(what: str, pile: Callable[[Deck], list[Card]]) -> Part:
    """Whole hands, decks or piles in any order, as their seats' cards are written."""

    def part(scene: Scene, key: Node, value: Node) -> Check:
        seat = reading.seat(scene, key)
        wanted = sorted(_card_words(scene, seat, value))
        return lambda sight: differs(
            f"{what} {key.text()}", sorted(words_of(sight, seat, pile)), wanted
        )

    return part


def cards_in_order(what: str, pile: Callable[[Deck], list[Card]]) -> Part:
    """As `cards_in`, the top first."""

    def part(scene: Scene, key: Node, value: Node) -> Check:
        seat = reading.seat(scene, key)
        wanted = _card_words(scene, seat, value)
        return lambda sight: differs(
            f"{what} {key.text()}", words_of(sight, seat, pile)[::-1], wanted
        )

    return part


def words_of(sight: Sight, seat: int, pile: Callable[[Deck], list[Card]]) -> list[str]:
    """The cards of a seat's hand, deck or pile as they are written, the top last."""
    state = sight.state
    return [
        reading.card_word(state, seat, card) for card in pile(state.decks[state.seats[seat].deck])
    ]


def _card_words(scene: Scene, seat: int, node: Node) -> list[str]:
    return [
        reading.card_word(scene.state, seat, reading.seen_card(scene, seat, item))
        for item in node.items()
    ]


def _hand_size(sight: Sight, seat: int) -> int:
    return len(sight.state.decks[sight.state.seats[seat].deck].hand)


def _deck_size(sight: Sight, seat: int) -> int:
    """The true one: without what is shown to the viewer as if it lay in his deck."""
    state = sight.state
    size = len(state.decks[state.seats[seat].deck].cards)
    if sight.viewer == seat and not state.finished:
        size -= sum(len(hook(state, seat)) for hook in state.rules.shown_in_deck)
    return size


def _size(what: str, size: Callable[[Sight, int], int]) -> Expected:
    def part(scene: Scene, key: Node, value: Node) -> Check:
        seat = reading.seat(scene, key)
        wanted = value.number(0, MANY)
        return lambda sight: differs(f"{what} {key.text()}", size(sight, seat), wanted)

    return each(part)


def _first_player(scene: Scene, node: Node) -> Check:
    names = reading.seat_names(scene.state)
    wanted = names[reading.seat(scene, node)]
    return lambda sight: differs("first_player", names[sight.state.round.first_seat], wanted)


def _round(scene: Scene, node: Node) -> Check:
    if node.is_mapping:
        return _round_card(scene, node, 0)
    number = node.number(1, ROUNDS)
    return lambda sight: differs("round", sight.state.round.number, number)


def _next_round(scene: Scene, node: Node) -> Check:
    return _round_card(scene, node, 1)


def _round_card(scene: Scene, node: Node, later: int) -> Check:
    """The round so many rounds later, as a mapping; a viewer's view has HIDDEN for an event."""
    what = "next_round" if later else "round"
    checks: list[Check] = []
    for key, value in node.keys(round_keys(scene), "key of round").items():
        if key == "number":
            number = value.number(1, ROUNDS)
            checks.append(_compared(f"{what} number", number, _number(later)))
        elif key == "turns":
            turns = [item.one_of(scene.state.rules.turns, "turn") for item in value.items()]
            checks.append(_compared(f"{what} turns", turns, _turns(later)))
        elif key == KEEP:
            kept = value.number(0, MANY)
            checks.append(_compared(f"{what} keep", kept, _keep(later)))
        else:
            event = HIDDEN if value.text() == HIDDEN else round_event(scene, value)
            checks.append(_compared(f"{what} event", event, _event(later)))
    return lambda sight: joined(check(sight) for check in checks)


def _compared(what: str, wanted: object, found: Callable[[State], object]) -> Check:
    return lambda sight: differs(what, found(sight.state), wanted)


def _number(later: int) -> Callable[[State], object]:
    return lambda state: state.round.number + later


def _turns(later: int) -> Callable[[State], object]:
    def turns(state: State) -> object:
        number = state.round.number + later
        return state.round.cards[number - 1].turns if number <= ROUNDS else []

    return turns


def _keep(later: int) -> Callable[[State], object]:
    def keep(state: State) -> object:
        number = state.round.number + later
        return state.round.cards[number - 1].keep if number <= ROUNDS else 0

    return keep


def _event(later: int) -> Callable[[State], object]:
    def event(state: State) -> object:
        number = state.round.number + later
        return state.round.cards[number - 1].event if number <= ROUNDS else "none"

    return event


def _turn(scene: Scene, node: Node) -> Check:
    parts = node.keys(("index",), "key of turn")
    wanted = parts["index"].number(0, MANY) if "index" in parts else 0
    return lambda sight: differs("turn index", sight.state.round.turn, wanted)


def _deciding(scene: Scene, node: Node) -> Check:
    names = reading.seat_names(scene.state)
    wanted = sorted(names[reading.seat(scene, item)] for item in node.items())
    return lambda sight: differs(
        "deciding", sorted(names[decision.seat] for decision in sight.state.pending), wanted
    )


def _decision(scene: Scene, node: Node) -> Check:
    wanted = node.one_of([*scene.state.rules.actions, *scene.language.decisions], "decision")

    def check(sight: Sight) -> str:
        found = sorted({decision.kind for decision in sight.state.pending})
        return differs("decision", ", ".join(found) or "none", wanted)

    return check


def _phase(scene: Scene, node: Node) -> Check:
    wanted = node.one_of([*scene.language.phases, SCHEMIN, STEALIN, FINISHED], "phase")
    return lambda sight: differs("phase", sight.state.round.phase, wanted)


def _score(scene: Scene, key: Node, value: Node) -> Check:
    seat = reading.seat(scene, key)
    wanted = value.number(-999_999, 999_999)

    def check(sight: Sight) -> str:
        if sight.viewer != EVERYTHING and not sight.state.finished:
            return "scores are not known to a viewer before the end"
        return differs(f"scores {key.text()}", score(sight.state).totals[seat], wanted)

    return check


def _winners(scene: Scene, node: Node) -> Check:
    names = reading.seat_names(scene.state)
    wanted = sorted(names[reading.seat(scene, item)] for item in node.items())

    def check(sight: Sight) -> str:
        if not sight.state.finished:
            return "there are no winners before the end"
        return differs(
            "winners", sorted(names[seat] for seat in score(sight.state).winners), wanted
        )

    return check


def _log(scene: Scene, node: Node) -> Check:
    """The events of the kinds named, all of them, in order."""
    kinds = list(EVENT_KINDS)
    wanted = [item.one_of(kinds, "event kind") for item in node.items(_LONGEST_LOG)]
    return lambda sight: differs(
        "log", [event.kind for event in sight.log if event.kind in wanted], wanted
    )


def pile_as_seen(scene: Scene, node: Node) -> Check:
    """The cards not yet resolved, the next one first."""
    wanted: list[str] = []
    for item in node.items():
        key, value = item.only_pair()
        seat = reading.seat(scene, key)
        card = reading.seen_card(scene, seat, value)
        wanted.append(_played(scene.state, seat, card))

    def check(sight: Sight) -> str:
        found = [_played(sight.state, played.seat, played.card) for played in sight.state.pile]
        return differs("pile", found, wanted)

    return check


def _played(state: State, seat: int, card: Card) -> str:
    return f"{reading.seat_names(state)[seat]}: {reading.card_word(state, seat, card)}"


EXPECTED: Final[dict[str, Expected]] = {
    "cars": _cars,
    "bandits": each(_bandit_at),
    "loot": each(_lies),
    "owns": each(_owns),
    "known": each(_known),
    "bullets_left": number_of("bullets_left", lambda state, figure: figure.bullets_left),
    "bullets_received": each(_bullets_received),
    "neutral_bullets": _neutral_bullets,
    "strongbox_waiting": _strongbox_waiting,
    "hands": each(cards_in("hands", lambda deck: deck.hand)),
    # In any order: no rule of the base box depends on that of a deck.
    "decks": each(cards_in("decks", lambda deck: deck.cards)),
    "hand_sizes": _size("hand_sizes", _hand_size),
    "deck_sizes": _size("deck_sizes", _deck_size),
    "first_player": _first_player,
    "round": _round,
    "next_round": _next_round,
    "turn": _turn,
    "deciding": _deciding,
    "decision": _decision,
    "phase": _phase,
    "scores": each(_score),
    "winners": _winners,
    "log": _log,
}
