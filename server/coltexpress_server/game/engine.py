"""The loop that runs a game, and the verbs that change one.

Everything pending is on the stack; the loop lets the topmost op take steps until one waits for
somebody, and answers by itself what everybody can see has only one answer (RULES.md 1.5.8).
"""

from __future__ import annotations

from collections.abc import Sequence

from coltexpress_server.game.boxes import check_options, rules_for
from coltexpress_server.game.boxes.base.round import FIRST_ROUND
from coltexpress_server.game.boxes.base.tables import BULLETS
from coltexpress_server.game.choices import Choice
from coltexpress_server.game.decisions import Decision, IllegalChoice
from coltexpress_server.game.events import Event, GameStarted
from coltexpress_server.game.generator import Generator
from coltexpress_server.game.options import InvalidOptions, Options
from coltexpress_server.game.rules import Rules
from coltexpress_server.game.state import SCHEMIN, Deck, Figure, Frame, Round, Seat, State
from coltexpress_server.game.train import train_of
from coltexpress_server.game.vocabulary import parse


def new_game(
    options: Options,
    seats: Sequence[Sequence[str]],
    seed: bytes,
    log: list[Event] | None = None,
) -> State:
    """A game set up and run to its first decision.

    options: what the host chose.
    seats: for each seat, clockwise, the bandits it leads; an empty one is dealt a bandit at random.
    seed: 32 bytes, all chance of the game comes from it.
    log: gets the events, if given.
    Raises InvalidOptions for options or seats that no game can have; its field is `seats[1]` where
    a seat is wrong.
    """
    check_options(options, len(seats))
    rules = rules_for(options, len(seats))
    generator = Generator(seed, 0)
    state = bare_state(options, deal_bandits(rules, seats, generator), generator)
    state.log = log
    for step in rules.set_up:
        step(state)
    state.record(
        GameStarted(
            list(state.cars), [figure.name for figure in state.bandits], state.round.first_seat
        )
    )
    state.push(FIRST_ROUND)
    for name in reversed(rules.openings):
        state.push(name)
    run(state)
    return state


def deal_bandits(
    rules: Rules, seats: Sequence[Sequence[str]], generator: Generator
) -> list[list[str]]:
    """The bandits of each seat, those not chosen dealt at random (1.4.1)."""
    each = rules.seating.bandits()
    taken: dict[str, int] = {}
    for number, names in enumerate(seats):
        fixed = rules.seating.leads(number)
        if fixed and list(names) in ([], [fixed]):
            continue
        if fixed:
            raise InvalidOptions(f"seats[{number}]", f"this seat leads the {fixed}, nobody else")
        if len(names) not in {0, each}:
            raise InvalidOptions(
                f"seats[{number}]",
                f"a seat leads {each} of the bandits here, or any that are dealt",
            )
        for name in names:
            if name not in rules.powers:
                raise InvalidOptions(f"seats[{number}]", f"there is no bandit {name}")
            if name in taken:
                raise InvalidOptions(
                    f"seats[{number}]", f"{name} is already led by seat {taken[name]}"
                )
            taken[name] = number
    left = [name for name in rules.powers if name not in taken]
    dealt_to = [not names and not rules.seating.leads(number) for number, names in enumerate(seats)]
    missing = each * sum(dealt_to)
    dealt = generator.sample(left, missing) if missing else []
    led = []
    for number, names in enumerate(seats):
        if not dealt_to[number]:
            led.append(list(names) or [rules.seating.leads(number)])
        else:
            led.append(dealt[:each])
            dealt = dealt[each:]
    return led


def bare_state(options: Options, seats: list[list[str]], generator: Generator | None) -> State:
    """The bandits and their decks, before anything is set up.

    Everybody stands in the locomotive, nothing is laid out, no round has begun.
    """
    rules = rules_for(options, len(seats))
    seating = rules.seating
    train = train_of(seating.cars(len(seats)), rules.beside_the_train)
    bandits = [
        Figure(name, number, number, train.inside[0], [], BULLETS, [])
        for number, names in enumerate(seats)
        if not seating.leads(number)
        for name in names
    ]
    return State(
        options=options,
        rules=rules,
        train=train,
        cars=[],
        seats=[
            Seat(seating.team(number), number, list(names)) for number, names in enumerate(seats)
        ],
        figures={figure.name: figure for figure in bandits},
        bandits=bandits,
        decks=[
            Deck([rules.card(*words) for words in seating.deck(list(names), rules.deck)], [], [])
            for names in seats
        ],
        spaces={},
        waiting=[],
        box=[],
        neutral_bullets=rules.neutral_bullets,
        pile=[],
        round=Round(0, [], 0, 0, SCHEMIN),
        stack=[],
        choices=0,
        extras={},
        pending=[],
        log=None,
        generator=generator,
    )


def decisions(state: State) -> list[Decision]:
    """The open decisions, one a seat at most; empty only when the game is over."""
    return state.pending


def apply(state: State, seat: int, choice: Choice) -> None:
    """Carries out a seat's choice and runs on to the next open decision.

    Raises IllegalChoice, and leaves the state untouched, if the choice is not among the options of
    an open decision of that seat.
    """
    decision = check(state, seat, choice)
    if decision.members:
        choice = decision.canonical(choice)
    state.choices += 1
    pending = state.pending
    frame = state.stack[-1]
    if frame.answers is None:
        frame.opened = -1
        state.rules.ops[frame.op].resolve(state, frame, [choice])
    else:
        frame.answers[seat] = choice.text
        pending.remove(decision)
        if state.log is not None:
            state.rules.ops[frame.op].answered(state, decision, choice)
        if pending:
            return
    run(state)


def check(state: State, seat: int, choice: Choice) -> Decision:
    """The open decision that this choice of this seat answers; changes nothing.

    Raises IllegalChoice if there is none.
    """
    for decision in state.pending:
        if decision.seat == seat:
            if decision.allows(choice):
                return decision
            op = state.rules.ops[state.stack[-1].op]
            raise op.refusal(state, decision, choice)
    if state.finished:
        raise IllegalChoice("GAME_OVER", "1.9.1", "the game is over")
    if state.round.phase == SCHEMIN:
        raise IllegalChoice("NOT_YOUR_DECISION", "1.5.2", "it is not this seat's turn")
    raise IllegalChoice("NOT_YOUR_DECISION", "1.5.6", "another seat's choice is awaited")


def run(state: State) -> None:
    """Lets ops take steps until a decision is open or the game is over.

    May be called on any state, also on one just loaded: a step that returns decisions has changed
    nothing.
    """
    ops = state.rules.ops
    stack = state.stack
    while stack:
        frame = stack[-1]
        op = ops[frame.op]
        found = op.step(state, frame)
        if not found:
            continue
        if len(found) == 1 and frame.answers is None:
            # The usual case of `_answers`, without its loop.
            decision = found[0]
            if decision.asked_anyway or len(decision.options) > 1:
                if frame.opened < 0:
                    frame.opened = state.choices
                decision.opened = frame.opened
                state.pending = found
                return
            answers = decision.options
        else:
            given = _answers(state, frame, found)
            if given is None:
                return
            answers = given
        frame.opened = -1
        frame.answers = None
        op.resolve(state, frame, answers)
    state.pending = []


def _answers(state: State, frame: Frame, found: list[Decision]) -> list[Choice] | None:
    """The answers to all decisions, where all have come or the game gives them.

    Else opens those still to be answered and returns None; where several were put at once, answers
    are then collected in the frame, even if the game gives all but one.
    """
    answers: list[Choice] = []
    waiting: list[Decision] = []
    given = frame.answers
    for decision in found:
        options = decision.options
        answer = parse(given[decision.seat]) if given and decision.seat in given else None
        if answer is not None:
            answers.append(answer)
        elif len(options) == 1 and not decision.asked_anyway:
            answers.append(options[0])
        else:
            waiting.append(decision)
    if not waiting:
        return answers
    if frame.answers is None:
        frame.answers = {}
    if frame.opened < 0:
        frame.opened = state.choices
    for decision in waiting:
        decision.opened = frame.opened
    state.pending = waiting
    return None
