"""What the things of Horses & Stagecoach are called, with a sentence about each.

Tables alone; their keys are the words of the domain, their texts follow RULES.md section 3.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.wording import (
    N_,
    NN_,
    NP_,
    Figure,
    Loot,
    Place,
    Question,
    Term,
    Turn,
)

BOXES: Final = {
    "HORSES_AND_STAGECOACH": Term(
        N_("Horses & Stagecoach"),
        N_("The bandits attack on horseback, and a stagecoach rides beside the train."),
    ),
}

FIGURES: Final = {
    "SHOTGUN": Figure(
        N_("Shotgun"),
        N_("Guards the strongbox on the stagecoach, and shoots at whoever meets him on a roof."),
        subject=NP_("subject", "the Shotgun"),
        target=NP_("target", "the Shotgun"),
        owner=NP_("owner", "the Shotgun's"),
    ),
}

CARDS: Final = {
    "RIDE": Term(
        N_("Ride"),
        N_("On a horse beside your car, ride up to three cars either way, or to the stagecoach."),
    ),
}

LOOT: Final = {
    "FLASK": Loot(
        N_("Whiskey flask"),
        N_("A full flask, to be drunk from in a standard turn; nobody knows what is in it."),
        some=N_("a flask of whiskey"),
        worth=N_("a flask of whiskey"),
        several=NN_("{number} flask of whiskey", "{number} flasks of whiskey"),
    ),
    "HALF_FLASK": Loot(
        N_("Half-empty whiskey flask"),
        N_("Draw three cards and play one: the last sip of normal whiskey."),
        some=N_("a half-empty flask of whiskey"),
        worth=N_("a half-empty flask of whiskey"),
        several=NN_(
            "{number} half-empty flask of whiskey", "{number} half-empty flasks of whiskey"
        ),
    ),
    "HALF_OLD_FLASK": Loot(
        N_("Half-empty flask of old whiskey"),
        N_("Play two cards in a row: the last sip of old whiskey."),
        some=N_("a half-empty flask of old whiskey"),
        worth=N_("a half-empty flask of old whiskey"),
        several=NN_(
            "{number} half-empty flask of old whiskey", "{number} half-empty flasks of old whiskey"
        ),
    ),
}

HOSTAGES: Final = {
    "POODLE": Term(
        N_("Poodle"), N_("Bites: a neutral bullet at the start of each round; a ransom at the end.")
    ),
    "BANKER": Term(N_("Banker"), N_("Gives no trouble; a ransom at the end.")),
    "MINISTER": Term(
        N_("Minister"), N_("One card fewer at the start of each round; a ransom at the end.")
    ),
    "TEACHER": Term(N_("Teacher"), N_("Punches do nothing; a ransom at the end.")),
    "ZEALOT": Term(N_("Zealot"), N_("Rides do nothing; a ransom at the end.")),
    "OLD_LADY": Term(
        N_("Old Lady"), N_("One car for each move on the roofs; a ransom for each jewel.")
    ),
    "POKER_PLAYER": Term(
        N_("Poker Player"), N_("The bandit's power is lost; a ransom for each purse.")
    ),
    "PHOTOGRAPHER": Term(
        N_("Photographer"),
        N_("All cards are played face up; a ransom for each bullet from another bandit."),
    ),
}

ROUND_CARDS: Final = {
    "TURMOIL": Term(N_("Turmoil"), N_("A round in which much is kept, without an event.")),
    "WHISKEY_FOR_THE_MARSHAL": Term(
        N_("Whiskey for the Marshal"), N_("In the end the Marshal drinks.")
    ),
    "TIRED_HORSES": Term(N_("Tired Horses"), N_("In the end horses drop out.")),
    "HIGH_SPEED": Term(N_("High Speed"), N_("In the end all but the train falls behind.")),
    "SHOTGUNS_RAGE": Term(N_("Shotgun's Rage"), N_("In the end there is a volley at the coach.")),
    "MORTAL_BULLET": Term(
        N_("Mortal Bullet"), N_("A station card: bullets of the last round cost money.")
    ),
    "SHARING_THE_LOOT": Term(
        N_("Sharing the Loot"), N_("A station card: strongboxes are shared after the last round.")
    ),
    "ESCAPE": Term(N_("Escape"), N_("A station card: whoever is on the train is caught.")),
}

TURNS: Final = {
    "TURMOIL": Turn(
        N_("Turmoil"),
        N_("Everybody chooses in secret at the same time; then all cards are revealed."),
        started=N_("Turn {number}: in the turmoil, everybody chooses at the same time."),
    ),
}

ROUND_EVENTS: Final = {
    "WHISKEY_FOR_THE_MARSHAL": Term(
        N_("Whiskey for the Marshal"),
        N_("Where the Marshal finds whiskey he drinks it, and staggers back."),
    ),
    "TIRED_HORSES": Term(N_("Tired Horses"), N_("The horses nearest the caboose drop out.")),
    "HIGH_SPEED": Term(
        N_("High Speed"),
        N_("The train speeds up: all on its roofs, horses and stagecoach fall a car behind."),
    ),
    "SHOTGUNS_RAGE": Term(
        N_("Shotgun's Rage"),
        N_("There is shooting at everybody in or on the stagecoach and the car beside it."),
    ),
    "MORTAL_BULLET": Term(
        N_("Mortal Bullet"), N_("Every bullet received in this round costs money at the end.")
    ),
    "SHARING_THE_LOOT": Term(
        N_("Sharing the Loot"),
        N_("The money of each strongbox is split among all bandits in the same place."),
    ),
    "ESCAPE": Term(
        N_("Escape"),
        N_("Bandits in or on the train are caught; the stagecoach and the horses get away."),
    ),
}

PHASES: Final = {
    "HORSE_ATTACK": Term(
        N_("Horse attack"), N_("The bandits ride along the train and board it car by car.")
    ),
}

DECISIONS: Final = {
    "BOARD": Question(
        N_("Boarding"),
        N_("Who boards this car, and who rides on."),
        prompt=N_("{figure}: board the train here, or ride on?"),
    ),
    "RIDE": Question(
        N_("Ride"), N_("Where the bandit rides."), prompt=N_("Where does {figure} ride?")
    ),
    "HOSTAGE": Question(
        N_("Hostage"), N_("Who is taken hostage."), prompt=N_("Whom does {figure} take hostage?")
    ),
    "FLEE": Question(
        N_("Flight"),
        N_("To which roof the bandit flees from the Shotgun."),
        prompt=N_("Where does {figure} flee from the Shotgun?"),
    ),
    "TURMOIL": Question(
        N_("Turn in the turmoil"),
        N_("Play a card or draw three, in secret."),
        prompt=N_("{figure}: play a card in the turmoil, or draw three?"),
    ),
    "KEEP": Question(
        N_("Cards to keep for later"),
        N_("Which cards stay in the hand for the next round; the others go back to the deck."),
        prompt=N_("{figure}: which cards do you keep for the next round?"),
    ),
}

ACTIONS: Final = {
    "board": Term(N_("Board"), N_("Board this car, or ride on.")),
    "board_car": Term(N_("Board a car"), N_("Board any car that has not been passed.")),
    "board_bandits": Term(
        N_("Board with bandits"), N_("Some bandits board this car, the others ride on.")
    ),
    "board_cars": Term(
        N_("Board cars"), N_("Each bandit boards any car that has not been passed.")
    ),
    "ride": Term(N_("Ride"), N_("Ride with a horse beside the car.")),
    "take_hostage": Term(N_("Take a hostage"), N_("Take a hostage out of the stagecoach.")),
    "drink_whiskey": Term(
        N_("Drink whiskey"), N_("Drink from a flask instead of taking a normal turn.")
    ),
    "flee": Term(N_("Flee"), N_("Flee from the Shotgun to the roof of an adjacent car.")),
}

ROWS: Final = {
    "HOSTAGES": Term(N_("Hostages"), N_("The ransoms of the hostages.")),
    "MORTAL_BULLET": Term(N_("Mortal Bullet"), N_("What bullets of the last round have cost.")),
    "SHARING_THE_LOOT": Term(
        N_("Sharing the Loot"), N_("What sharing the strongboxes has brought, or has cost.")
    ),
    "ESCAPE": Term(N_("Escape"), N_("The money of caught bandits, which does not count.")),
}

PLACES: Final = {
    "stagecoach": Place(
        to_inside=N_("to the stagecoach"),
        to_roof=N_("to the roof of the stagecoach"),
        inside=N_("in the stagecoach"),
        roof=N_("on the roof of the stagecoach"),
    ),
    "gone": Place(
        to_inside=N_("away for good"),
        to_roof=N_("away for good"),
        inside=N_("far away"),
        roof=N_("far away"),
    ),
}

MOVES: Final = {
    "RIDE": N_("{figure} rides {to}."),
    "HIGH_SPEED": N_("{figure} falls back {to}."),
    "STAGECOACH": N_("{figure} follows the stagecoach {to}."),
    "SHOTGUN_MET": N_("{figure} flees from the Shotgun {to}."),
    "WHISKEY_FOR_THE_MARSHAL": N_("{figure} staggers {to}."),
}

NEUTRAL_BULLETS: Final = {
    "POODLE": N_("The poodle bites {target}."),
    "SHOTGUN_MET": N_("The Shotgun shoots {target}."),
    "SHOTGUN_PASSED": N_("The Shotgun shoots {target}, who runs past him."),
    "SHOTGUNS_RAGE": N_("The Shotgun shoots {target} in a rage."),
}
