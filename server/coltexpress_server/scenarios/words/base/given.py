"""What `given` can say about the base box: one function a key, which puts it into the position."""

from __future__ import annotations

from typing import Final

from coltexpress_server.game.boxes.base.looting import named_kind
from coltexpress_server.game.boxes.base.round import NO_EVENT
from coltexpress_server.game.boxes.base.setup import starting_purse, strongbox
from coltexpress_server.game.boxes.base.tables import CARS, ROUNDS, STANDARD, STRONGBOX
from coltexpress_server.game.cards import NEUTRAL, Card, RoundCard
from coltexpress_server.game.loot import Token
from coltexpress_server.game.train import train_of
from coltexpress_server.scenarios import reading
from coltexpress_server.scenarios.document import Node
from coltexpress_server.scenarios.language import Position, Scene

MANY: Final = 999
"""More of anything than a game can have."""
KEEP: Final = "keep"


def lay_out(position: Position) -> None:
    """What is so if the file does not say: nothing in the cars, all rounds alike and uneventful.

    The cars come in the order of their letters, everybody has the starting purse, strongbox 2
    waits, and each round is one STANDARD turn.
    """
    state = position.state
    state.cars.extend(list(CARS)[: state.rules.seating.ordinary_cars(len(state.seats))])
    for figure in state.bandits:
        figure.loot.append(starting_purse())
    state.waiting.append(strongbox())
    state.round.number = 1
    state.round.cards.extend([RoundCard(NO_EVENT, [STANDARD], NO_EVENT)] * ROUNDS)


def cars(position: Position, node: Node) -> None:
    """How many ordinary cars follow the locomotive, or their letters."""
    state = position.state
    further = state.train.caboose - len(state.cars)
    letters = list(CARS)
    if node.is_list:
        chosen = [item.one_of(CARS, "car") for item in node.items()]
        if not chosen or len(set(chosen)) < len(chosen):
            raise node.error("one car or more is expected, each letter once")
    else:
        chosen = letters[: node.number(1, len(letters))]
    state.cars[:] = chosen
    state.train = train_of(len(chosen) + further, state.rules.beside_the_train)


def first_player(position: Position, node: Node) -> None:
    """Who is first player of the round."""
    state = position.state
    seat = reading.seat(position.scene, node)
    if seat not in state.rules.seating.first_seats(len(state.seats)):
        raise node.error(f"{node.text()} is never first player")
    state.round.first_seat = seat


def current_round(position: Position, node: Node) -> None:
    """The round in play."""
    current = position.state.round
    number, card = round_card(position.scene, node, current.card)
    current.number = number or current.number
    current.cards[: current.number] = [card] * current.number


def next_round(position: Position, node: Node) -> None:
    """All rounds to come."""
    current = position.state.round
    number, card = round_card(position.scene, node, current.cards[-1])
    if number and number != current.number + 1:
        raise node.error(f"round {current.number} is followed by round {current.number + 1}")
    current.cards[current.number :] = [card] * (ROUNDS - current.number)


def round_card(scene: Scene, node: Node, default: RoundCard) -> tuple[int, RoundCard]:
    """A round as a mapping: its number, 0 if none is said, and its card."""
    parts = node.keys(round_keys(scene), "key of round")
    number = parts["number"].number(1, ROUNDS) if "number" in parts else 0
    turns, event = default.turns, default.event
    if "turns" in parts:
        turns = [item.one_of(scene.state.rules.turns, "turn") for item in parts["turns"].items()]
    if "event" in parts:
        event = round_event(scene, parts["event"])
    keep = parts[KEEP].number(0, MANY) if KEEP in parts else default.keep
    return number, RoundCard(event, turns, event, keep)


def round_keys(scene: Scene) -> list[str]:
    """What can be said of a round."""
    return ["number", "turns", "event", *scene.language.round_keys]


def round_event(scene: Scene, node: Node) -> str:
    """The name of an event, or NONE."""
    state = scene.state
    ordinary, stations = state.rules.round_cards(len(state.bandits))
    return node.one_of(list(dict.fromkeys(card.event for card in ordinary + stations)), "event")


def turn(position: Position, node: Node) -> None:
    """At which turn Schemin' goes on."""
    if position.start != "SCHEMIN":
        raise node.error("only a game that goes on in Schemin' has a turn")
    current = position.state.round
    parts = node.keys(("index", "ghost_power"), "key of turn")
    if "index" in parts:
        current.turn = parts["index"].number(0, max(0, len(current.card.turns) - 1))
    if "ghost_power" in parts:
        # After the first turn it is gone anyway (1.7.1).
        parts["ghost_power"].one_of(("lost",), "ghost_power")
        if current.turn == 0:
            raise parts["ghost_power"].error("before the first turn no power is lost")


def bandits(position: Position, node: Node) -> None:
    """Where bandits stand."""
    for key, value in node.pairs():
        reading.bandit(position.scene, key).space = reading.whereabouts(position.scene, value)


def loot(position: Position, node: Node) -> None:
    """What lies on spaces."""
    for key, value in node.pairs():
        space = reading.space(position.scene, key)
        tokens = [reading.token(position.scene, item) for item in value.items()]
        if tokens:
            position.state.loot_at(space).extend(tokens)


def owns(position: Position, node: Node) -> None:
    """What bandits own; the owner knows what it is worth (1.2.3)."""
    kinds = position.state.rules.loot
    for key, value in node.pairs():
        figure = reading.bandit(position.scene, key)
        tokens = [reading.token(position.scene, item) for item in value.items()]
        figure.loot[:] = [
            token.shown_to(figure.seat) if kinds[token.kind].owner_learns else token
            for token in tokens
        ]


def known(position: Position, node: Node) -> None:
    """Loot whose value further seats know, each as `PLACE PURSE:VALUE`."""
    for key, value in node.pairs():
        seat = reading.seat(position.scene, key)
        for item in value.items():
            tokens, word = known_token(position.scene, item)
            for place, token in enumerate(tokens):
                if token.text == word and not token.known_to(seat):
                    tokens[place] = token.shown_to(seat)
                    break
            else:
                raise item.error(f"no further {word} is there")


def known_token(scene: Scene, node: Node) -> tuple[list[Token], str]:
    """The tokens at a place, a space or a bandit, and the word for the one that is meant."""
    state = scene.state
    place, _, word = node.text().partition(" ")
    figure = state.figures.get(place)
    if figure is None and place not in state.train.level_of:
        raise node.error(f"there is no space and no bandit {place} here")
    if ":" not in word or word not in scene.language.loot:
        raise node.error(f"a place and loot with its value are expected, not {node.text()}")
    return (figure.loot if figure else state.spaces.get(place, [])), word


def bullets_left(position: Position, node: Node) -> None:
    """How many own bullets bandits have not given."""
    for key, value in node.pairs():
        reading.bandit(position.scene, key).bullets_left = value.number(0, MANY)


def bullets_received(position: Position, node: Node) -> None:
    """Who gave bandits the bullets they have received so far."""
    for key, value in node.pairs():
        figure = reading.bandit(position.scene, key)
        figure.received[:] = [giver(position.scene, item) for item in value.items()]


def giver(scene: Scene, node: Node) -> str:
    """A bandit of the box, another figure with cards of its own, or NEUTRAL."""
    rules = scene.state.rules
    return node.one_of([NEUTRAL, *rules.powers, *rules.card_owners], "giver")


def neutral_bullets(position: Position, node: Node) -> None:
    """How many are left in the shared pile."""
    position.state.neutral_bullets = node.number(0, MANY)


def strongbox_waiting(position: Position, node: Node) -> None:
    """Whether strongbox 2 still waits for TAKE_IT_ALL."""
    if not node.flag():
        waiting = position.state.waiting
        for token in named_kind(waiting, STRONGBOX):
            waiting.remove(token)


def hands(position: Position, node: Node) -> None:
    """Whole hands."""
    position.hands.update(cards_named(position.scene, node))


def decks(position: Position, node: Node) -> None:
    """Whole decks, the top first."""
    position.decks.update(cards_named(position.scene, node))
    position.scene.ordered.update(position.decks)


def cards_named(scene: Scene, node: Node) -> dict[int, list[Card]]:
    """Cards by seat, returned by number of the deck."""
    found: dict[int, list[Card]] = {}
    for key, value in node.pairs():
        number = reading.seat(scene, key)
        found[scene.state.seats[number].deck] = [
            reading.any_card(scene, number, item) for item in value.items()
        ]
    return found


def draws(position: Position, node: Node) -> None:
    """What the game draws blind, in order."""
    position.chance.draws[:] = [_drawn(position.scene, item) for item in node.items()]


def _drawn(scene: Scene, node: Node) -> str:
    """A kind of loot, or a token by its text."""
    token = reading.token(scene, node)
    return token.kind if node.text() == token.kind else token.text
