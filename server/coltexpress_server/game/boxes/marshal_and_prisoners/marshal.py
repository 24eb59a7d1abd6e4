"""The Marshal somebody plays, as others meet him (RULES.md 4.10, 4.2)."""

from __future__ import annotations

from typing import ClassVar

from coltexpress_server.game.boxes.base.actions.punch import destinations
from coltexpress_server.game.boxes.base.movement import move
from coltexpress_server.game.boxes.marshal_and_prisoners.events import BrawlerTaken
from coltexpress_server.game.boxes.marshal_and_prisoners.provisional import BRAWLERS
from coltexpress_server.game.boxes.marshal_and_prisoners.state import prison_train
from coltexpress_server.game.boxes.marshal_and_prisoners.tables import MARSHAL
from coltexpress_server.game.choices import Choice, Punch
from coltexpress_server.game.rules import FIRE, PUNCH, Bystander
from coltexpress_server.game.state import Figure, State


class PlayedMarshal(Bystander):
    """He is shot at and punched like a bandit; he has no loot to lose."""

    name: ClassVar[str] = MARSHAL

    def may_be_target(self, state: State, figure: Figure, action: str) -> bool:
        """Wherever he stands."""
        return action in {FIRE, PUNCH}

    def punches(self, state: State, actor: Figure, figure: Figure) -> list[Choice]:
        """Where he goes."""
        return [Punch(figure.name, "", space, False) for space in destinations(state, actor)]

    def punched(self, state: State, actor: Figure, figure: Figure, choice: Choice) -> None:
        """The top Brawler card is the puncher's; then he is moved."""
        extra = prison_train(state)
        if extra.brawlers:
            brawler = extra.brawlers.pop(0)
            extra.brawlers_of.setdefault(actor.name, []).append(brawler)
            state.record(BrawlerTaken(actor.name, brawler))
        if isinstance(choice, Punch):
            move(state, figure, choice.space, PUNCH)


def brawlers(state: State) -> dict[str, int]:
    """What the Brawler cards are worth that bandits have."""
    taken = prison_train(state).brawlers_of
    return {name: sum(BRAWLERS[brawler] for brawler in cards) for name, cards in taken.items()}
