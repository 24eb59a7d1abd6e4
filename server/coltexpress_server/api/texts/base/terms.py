"""What the things of the base box are called, with a sentence about each.

Tables alone; their keys are the words of the domain, their texts follow RULES.md section 1.
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
    "BASE": Term(
        N_("Colt Express"),
        N_("The base box: up to six bandits rob the Union Pacific Express."),
    ),
}

VARIANTS: Final = {
    "STANDARD": Term(
        N_("Standard game"),
        N_("All own cards are shuffled at the start of each round, and every player is alone."),
    ),
    "EXPERT": Term(
        N_("Expert mode"),
        N_(
            "Cards go to discard piles, and everybody may keep cards in hand for the next round; "
            "two players always play this way, with two bandits each."
        ),
    ),
    "TEAMS": Term(
        N_("Teams"),
        N_("Partners sit together, borrow a card of each other in every round and win together."),
    ),
}

EDITIONS: Final = {
    "BIG_BOX": Term(N_("Big Box"), N_("The rulebooks of the Big Box are followed.")),
    "FIRST": Term(
        N_("First edition"),
        N_("The cards of the first edition are followed where printings differ."),
    ),
}

FIGURES: Final = {
    "GHOST": Figure(
        N_("Ghost"),
        N_("May play the card of the first turn of each round face down."),
    ),
    "CHEYENNE": Figure(
        N_("Cheyenne"),
        N_("May keep the purse that the victim of a punch loses."),
    ),
    "DJANGO": Figure(
        N_("Django"),
        N_("Whoever he shoots is pushed one car further in the direction of the shot."),
    ),
    "BELLE": Figure(
        N_("Belle"),
        N_("Cannot be shot or punched as long as there is another target."),
    ),
    "TUCO": Figure(
        N_("Tuco"),
        N_("May also shoot through the roof, at a bandit on the other level of his car."),
    ),
    "DOC": Figure(
        N_("Doc"),
        N_("Draws seven cards instead of six at the start of each round."),
    ),
    "MARSHAL": Figure(
        N_("Marshal"),
        N_("Guards the train; bandits whom he meets flee to the roof, with a neutral bullet."),
        subject=NP_("subject", "the Marshal"),
        target=NP_("target", "the Marshal"),
        owner=NP_("owner", "the Marshal's"),
    ),
}

CARDS: Final = {
    "MOVE": Term(
        N_("Move"),
        N_("Move one car inside the train, or one to three cars on the roofs."),
    ),
    "FLOOR_CHANGE": Term(
        N_("Floor Change"),
        N_("Climb from the inside of a car to its roof, or down."),
    ),
    "FIRE": Term(
        N_("Fire"),
        N_(
            "Give one of your bullets to a bandit in sight: in an adjacent car inside the train, "
            "the nearest in either direction on the roofs."
        ),
    ),
    "ROBBERY": Term(
        N_("Robbery"),
        N_("Take a loot token of your choice from the place where you are."),
    ),
    "PUNCH": Term(
        N_("Punch"),
        N_("A bandit where you are loses a loot token and is knocked into an adjacent car."),
    ),
    "MARSHAL": Term(N_("Marshal"), N_("Move the Marshal one car, either way.")),
    "BULLET": Term(
        N_("Bullet"),
        N_("A wound: it fills the hand of whoever draws it and can never be played."),
    ),
}

LOOT: Final = {
    "PURSE": Loot(
        N_("Purse"),
        N_("Only those who have owned it know what it is worth."),
        some=N_("a purse"),
        worth=N_("a purse of {money}"),
        several=NN_("{number} purse", "{number} purses"),
    ),
    "JEWEL": Loot(
        N_("Jewel"),
        N_("Its value is known to all."),
        some=N_("a jewel"),
        worth=N_("a jewel of {money}"),
        several=NN_("{number} jewel", "{number} jewels"),
    ),
    "STRONGBOX": Loot(
        N_("Strongbox"),
        N_("The richest loot; the first one lies in the locomotive."),
        some=N_("a strongbox"),
        worth=N_("a strongbox of {money}"),
        several=NN_("{number} strongbox", "{number} strongboxes"),
    ),
}

ROUND_CARDS: Final = {
    "SWIVEL_ARM": Term(N_("Swivel Arm"), N_("In the end the roofs are swept clear.")),
    "ANGRY_MARSHAL": Term(N_("Angry Marshal"), N_("In the end the Marshal shoots upwards.")),
    "TAKE_IT_ALL": Term(N_("Take It All!"), N_("In the end there is one more strongbox.")),
    "BRAKING": Term(N_("Braking"), N_("In the end the train brakes hard.")),
    "PASSENGERS_REBELLION": Term(
        N_("Passengers' Rebellion"), N_("In the end the passengers fight back.")
    ),
    "BRIDGE": Term(N_("The Bridge"), N_("A short round without an event.")),
    "LONG_TUNNEL": Term(N_("The Tunnel"), N_("A long round in the dark, without an event.")),
    "MARSHALS_REVENGE": Term(
        N_("Marshal's Revenge"), N_("A station card: the last round ends with his revenge.")
    ),
    "PICKPOCKETING": Term(
        N_("Pickpocketing"), N_("A station card: the last round ends with purses for loners.")
    ),
    "HOSTAGE_CONDUCTOR": Term(
        N_("The Conductor as Hostage"),
        N_("A station card: the last round ends with a ransom for the conductor."),
    ),
}

TURNS: Final = {
    "STANDARD": Turn(
        N_("Standard turn"),
        N_("Everybody plays a card face up, or draws."),
        started=N_("Turn {number}: cards are played face up."),
    ),
    "TUNNEL": Turn(
        N_("Tunnel"),
        N_("Everybody plays a card face down, or draws."),
        started=N_("Turn {number}: in a tunnel, cards are played face down."),
    ),
    "SPEEDING_UP": Turn(
        N_("Speeding-up"),
        N_("Everybody has two turns in a row."),
        started=N_("Turn {number}: the train speeds up, everybody has two turns in a row."),
    ),
    "SWITCHING": Turn(
        N_("Switching"),
        N_("The order of play is reversed, beginning with the same first player."),
        started=N_("Turn {number}: at a switch, the order is reversed."),
    ),
}

ROUND_EVENTS: Final = {
    "NONE": Term(N_("No event"), N_("Nothing else happens in this round.")),
    "SWIVEL_ARM": Term(
        N_("Swivel Arm"),
        N_("A swivel arm sweeps everybody on the roofs to the roof of the caboose."),
    ),
    "ANGRY_MARSHAL": Term(
        N_("Angry Marshal"),
        N_("The Marshal gets angry, shoots at the roof above him and goes back a car."),
    ),
    "TAKE_IT_ALL": Term(
        N_("Take It All!"), N_("The second strongbox is brought to where the Marshal is.")
    ),
    "BRAKING": Term(
        N_("Braking"), N_("The train brakes: everybody on the roofs goes one car forward.")
    ),
    "PASSENGERS_REBELLION": Term(
        N_("Passengers' Rebellion"), N_("The passengers rebel and shoot at everybody inside.")
    ),
    "MARSHALS_REVENGE": Term(
        N_("Marshal's Revenge"),
        N_("Everybody on the roof above the Marshal loses the least valuable purse."),
    ),
    "PICKPOCKETING": Term(
        N_("Pickpocketing"), N_("Whoever is alone may take a purse that lies there.")
    ),
    "HOSTAGE_CONDUCTOR": Term(
        N_("The Conductor as Hostage"),
        N_("Everybody in or on the locomotive gets a ransom for the conductor."),
    ),
}

PHASES: Final = {
    "SCHEMIN": Term(N_("Schemin'"), N_("Everybody plans: cards are laid on the common pile.")),
    "STEALIN": Term(N_("Stealin'"), N_("The cards of the pile are carried out one by one.")),
    "FINISHED": Term(N_("The end"), N_("The game is over, and money is counted.")),
}

LEVELS: Final = {
    "INSIDE": Term(N_("Inside"), N_("The inside of a car, where the loot lies at the start.")),
    "ROOF": Term(N_("Roof"), N_("The roof of a car, out of the Marshal's reach.")),
}

DECISIONS: Final = {
    "SCHEME": Question(
        N_("Turn of Schemin'"),
        N_("Play a card from the hand, or draw three."),
        prompt=N_("{figure}: play a card or draw three?"),
    ),
    "MOVE": Question(
        N_("Move"),
        N_("To which space the bandit moves."),
        prompt=N_("Where does {figure} move?"),
    ),
    "FLOOR_CHANGE": Question(
        N_("Floor Change"),
        N_("Where the bandit climbs."),
        prompt=N_("Where does {figure} climb?"),
    ),
    "FIRE": Question(
        N_("Fire"),
        N_("Who is shot."),
        prompt=N_("Whom does {figure} shoot?"),
    ),
    "ROBBERY": Question(
        N_("Robbery"),
        N_("Which loot token is taken."),
        prompt=N_("What does {figure} take?"),
    ),
    "PUNCH": Question(
        N_("Punch"),
        N_("Who is punched, what is lost, and where the victim lands."),
        prompt=N_("Whom does {figure} punch, what is lost, and where does the victim land?"),
    ),
    "MARSHAL": Question(
        N_("Marshal"),
        N_("To which car the Marshal moves."),
        prompt=N_("{figure} moves the Marshal: where to?"),
    ),
    "PICKPOCKETING": Question(
        N_("Pickpocketing"),
        N_("Which purse is taken, if any."),
        prompt=N_("Which purse does {figure} take, if any?"),
    ),
    "DISCARD": Question(
        N_("Cards to keep"),
        N_("Which cards stay in the hand for the next round; the others are discarded."),
        prompt=N_("{figure}: which cards stay in your hand for the next round?"),
    ),
}

ACTIONS: Final = {
    "play_card": Term(N_("Play a card"), N_("Lay an action card on the common pile.")),
    "draw_cards": Term(N_("Draw"), N_("Draw three cards instead of playing one.")),
    "decline": Term(N_("Decline"), N_("Refuse what may be refused.")),
    "move": Term(N_("Move"), N_("Move the bandit to another car.")),
    "change_floor": Term(N_("Floor Change"), N_("Climb to the other level of the car.")),
    "move_marshal": Term(N_("Marshal"), N_("Move the Marshal to an adjacent car.")),
    "fire": Term(N_("Fire"), N_("Shoot a bandit in sight.")),
    "rob": Term(N_("Robbery"), N_("Take a loot token.")),
    "punch": Term(N_("Punch"), N_("Punch a bandit, who loses loot and is moved.")),
    "take_purse": Term(N_("Take a purse"), N_("Take a purse that lies where the bandit is.")),
    "keep_cards": Term(N_("Keep cards"), N_("Keep these cards in hand and no others.")),
}

ROWS: Final = {
    "PURSES": Term(N_("Purses"), N_("What the purses are worth.")),
    "JEWELS": Term(N_("Jewels"), N_("What the jewels are worth.")),
    "STRONGBOXES": Term(N_("Strongboxes"), N_("What the strongboxes are worth.")),
    "GUNSLINGER": Term(N_("Gunslinger"), N_("The bonus for whoever gave the most bullets.")),
}

PLACES: Final = {
    "CAR": Place(
        to_inside=N_("to car {number}"),
        to_roof=N_("to the roof of car {number}"),
        inside=N_("in car {number}"),
        roof=N_("on the roof of car {number}"),
    ),
    "0": Place(
        to_inside=N_("to the locomotive"),
        to_roof=N_("to the roof of the locomotive"),
        inside=N_("in the locomotive"),
        roof=N_("on the roof of the locomotive"),
    ),
}

MOVES: Final = {
    "MOVE": N_("{figure} moves {to}."),
    "FLOOR_CHANGE": N_("{figure} climbs {to}."),
    "FIRE": N_("The shot pushes {target} {to}."),
    "PUNCH": N_("The punch sends {target} {to}."),
    "MARSHAL": N_("{figure} moves {to}."),
    "MARSHAL_MET": N_("{figure} flees from the Marshal {to}."),
    "SWIVEL_ARM": N_("The swivel arm sweeps {target} {to}."),
    "ANGRY_MARSHAL": N_("{figure} moves {to}."),
    "BRAKING": N_("The braking throws {target} {to}."),
}

REFUSALS: Final = {
    "PICKPOCKETING": N_("{figure} takes nothing."),
}

NEUTRAL_BULLETS: Final = {
    "MARSHAL_MET": N_("The Marshal shoots {target}."),
    "ANGRY_MARSHAL": N_("The Marshal shoots {target}."),
    "PASSENGERS_REBELLION": N_("The passengers shoot {target}."),
}
