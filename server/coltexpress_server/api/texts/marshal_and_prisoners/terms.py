"""What the things of Marshal & Prisoners are called, with a sentence about each.

Tables alone; their keys are the words of the domain, their texts follow RULES.md section 4.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.wording import N_, NN_, Figure, Loot, Place, Question, Term

BOXES: Final = {
    "MARSHAL_AND_PRISONERS": Term(
        N_("Marshal & Prisoners"),
        N_("One player is the Marshal and hunts the others, who free prisoners from his train."),
    ),
}

FIGURES: Final = {
    "MEI": Figure(
        N_("Mei"),
        N_("May also climb to the other level of an adjacent car of the train."),
    ),
}

CARDS: Final = {
    "MOVE_PLUS": Term(N_("Move +"), N_("The Marshal moves; another card of his may follow.")),
    "FLOOR_CHANGE_PLUS": Term(
        N_("Floor Change +"), N_("The Marshal changes floors; another card of his may follow.")
    ),
    "CAPTURE": Term(
        N_("Capture"), N_("The Marshal puts a bandit who is where he is into the cell.")
    ),
    "BRILLIANT_IDEA": Term(
        N_("Brilliant Idea"),
        N_(
            "Break out of the cell; in or on the prison car free a prisoner or a bandit; elsewhere "
            "do again what the last bandit's card did."
        ),
    ),
}

LOOT: Final = {
    "MAILBAG": Loot(
        N_("Mailbag"),
        N_("One is worth much, one little; only those who have owned one know which it is."),
        some=N_("a mailbag"),
        worth=N_("a mailbag of {money}"),
        several=NN_("{number} mailbag", "{number} mailbags"),
    ),
}

CARS: Final = {
    "PRISON": Term(
        N_("Prison car"),
        N_("The last car, with a cell for captured bandits; no loot lies in it."),
    ),
}

DECKS: Final = {
    "MARSHAL": Term(N_("The Marshal's deck"), N_("The action cards of the Marshal.")),
}

MARSHAL_BULLETS: Final = {
    "DISARMED": Term(
        N_("Disarmed"), N_("The victim's shots do nothing until the end of the round.")
    ),
    "WOUNDED_KNEE": Term(
        N_("Wounded Knee"), N_("The victim climbs nowhere until the end of the round.")
    ),
    "SHOULDER_INJURY": Term(
        N_("Shoulder Injury"), N_("The victim's punches do nothing until the end of the round.")
    ),
    "GOT_EM": Term(N_("Got 'em!"), N_("The victim's prisoner goes to the Achievement zone.")),
    "DROP_THAT_BAG": Term(
        N_("Drop That Bag!"), N_("A mailbag of the victim's goes to the Achievement zone.")
    ),
    "GOLDEN_BULLET": Term(N_("Golden Bullet"), N_("A bullet without any other effect.")),
}

GOALS: Final = {
    "WARRANT": Term(
        N_("Arrest warrant"), N_("The poster of a certain bandit is in the Achievement zone.")
    ),
    "FULL_OF_LEAD": Term(
        N_("Full of Lead"), N_("Every bandit has received a bullet of the Marshal.")
    ),
    "ARCH_ENEMY": Term(N_("Arch-enemy"), N_("Three posters are in the Achievement zone.")),
    "EMPTY_CYLINDER": Term(
        N_("Empty Cylinder"), N_("All bullets of one of the Marshal's cylinders are fired.")
    ),
    "MAIL_GUARD": Term(N_("Mail Guard"), N_("Both mailbags are in the Achievement zone.")),
    "PRISON_GUARD": Term(N_("Prison Guard"), N_("Two prisoners are in the Achievement zone.")),
    "UNBEATEN": Term(N_("Unbeaten"), N_("The Marshal still has a Brawler card.")),
    "FULL_CELL": Term(N_("Full Cell"), N_("There is a bandit in the cell.")),
}

BRAWLERS: Final = {
    "GOLD": Term(N_("Gold"), N_("For the first to punch the Marshal.")),
    "SILVER": Term(N_("Silver"), N_("For the second punch that hits the Marshal.")),
    "BRONZE": Term(N_("Bronze"), N_("For the third punch that hits the Marshal.")),
}

DECISIONS: Final = {
    "FURTHER_CARD": Question(
        N_("Further card"),
        N_("Play one more card after one with a plus sign, or none."),
        prompt=N_("{figure}: play one more card?"),
    ),
    "CAPTURE": Question(
        N_("Capture"), N_("Who is put into the cell."), prompt=N_("Whom does {figure} capture?")
    ),
    "LEAVE_CELL": Question(
        N_("Way out of the cell"),
        N_("Where the bandit breaks out of the cell."),
        prompt=N_("Where does {figure} break out?"),
    ),
    "FREE": Question(
        N_("Whom to free"),
        N_("Which prisoner is freed, or which bandit is let out of the cell."),
        prompt=N_("Whom does {figure} free?"),
    ),
    "GIVE": Question(
        N_("Thanks"),
        N_("What is given to whoever has let the bandit out of the cell."),
        prompt=N_("What does {figure} give for being let out?"),
    ),
    "CLOSING": Question(
        N_("Closing action"),
        N_("Play a card that is left in hand at the end of the round, or none."),
        prompt=N_("{figure}: play a last card in this round?"),
    ),
}

ACTIONS: Final = {
    "search": Term(N_("Search"), N_("Search the deck for a brilliant idea instead of drawing.")),
    "capture": Term(N_("Capture"), N_("Put a bandit into the cell.")),
    "shoot_one": Term(N_("Shoot one"), N_("As the Marshal, shoot a bandit with a cylinder.")),
    "shoot_two": Term(
        N_("Shoot two"), N_("As the Marshal, shoot two bandits, each with another cylinder.")
    ),
    "rob_two": Term(N_("Robbery of two"), N_("Take two loot tokens with the companion's help.")),
    "free_prisoner": Term(N_("Free a prisoner"), N_("Free a prisoner and take his card.")),
    "free_bandit": Term(N_("Free a bandit"), N_("Let a bandit out of the cell.")),
    "give": Term(N_("Give"), N_("Give a loot token for being let out of the cell.")),
    "leave_cell": Term(N_("Break out"), N_("Break out of the cell.")),
}

ROWS: Final = {
    "MAILBAGS": Term(N_("Mailbags"), N_("What the mailbags are worth.")),
    "BRAWLERS": Term(N_("Brawlers"), N_("What was won by punching the Marshal.")),
    "POSTERS": Term(N_("Posters"), N_("The bonus for never having been captured.")),
    "PRISONERS": Term(N_("Prisoners"), N_("The bonus for a prisoner whom the bandit has freed.")),
}

PLACES: Final = {
    "cell": Place(
        to_inside=N_("to the cell"),
        to_roof=N_("to the cell"),
        inside=N_("in the cell"),
        roof=N_("in the cell"),
    ),
}

MOVES: Final = {
    "CAPTURE": N_("{figure} goes {to}."),
    "BRILLIANT_IDEA": N_("{figure} gets out {to}."),
}

REFUSALS: Final = {
    "FURTHER_CARD": N_("{figure} plays no further card."),
    "CLOSING": N_("{figure} plays no last card."),
    "FREE_FIRE": N_("{figure} holds his fire."),
    "FREE_MOVE": N_("{figure} stays where he is."),
}
