"""Why a request was refused, as told to players; developers read the message of the error.

By ErrorReason; see protos/coltexpress/v1/error.proto for when each is given.
"""

from __future__ import annotations

from typing import Final

from coltexpress_server.api.texts.wording import N_, Term, Wording

ILLEGAL: Final = {
    "NOT_YOUR_DECISION": Term(N_("Not your turn"), N_("It is not for you to decide now.")),
    "WRONG_CHOICE": Term(N_("Wrong answer"), N_("This does not answer what is asked.")),
    "COMPULSORY": Term(N_("Compulsory"), N_("What is possible must be done.")),
    "NOT_OFFERED": Term(N_("Not offered"), N_("There is nothing of the kind to choose now.")),
    "CARD_NOT_IN_HAND": Term(N_("Not in your hand"), N_("You have no such card in your hand.")),
    "BULLET_NOT_PLAYABLE": Term(N_("Bullet"), N_("A bullet can never be played.")),
    "NO_SUCH_CARD": Term(N_("No such card"), N_("There is no such card in this game.")),
    "FACE_DOWN_NOT_ALLOWED": Term(
        N_("Not face down"), N_("You cannot play this card face down now.")
    ),
    "FACE_DOWN_NOT_A_CHOICE": Term(
        N_("Face down anyway"), N_("In a tunnel every card is face down; there is no choice.")
    ),
    "NO_SUCH_SPACE": Term(N_("No such place"), N_("The train has no such place.")),
    "STAYING_NOT_ALLOWED": Term(N_("Staying is not moving"), N_("You cannot stay where you are.")),
    "WRONG_LEVEL": Term(N_("Wrong level"), N_("This place is on the other level.")),
    "OUT_OF_REACH": Term(N_("Out of reach"), N_("This place is too far away.")),
    "NO_SUCH_FIGURE": Term(N_("Nobody of that name"), N_("Nobody of that name is in this game.")),
    "NOT_A_TARGET": Term(N_("Not a target"), N_("This can never be done to this figure.")),
    "NOT_IN_SIGHT": Term(N_("Not in sight"), N_("You do not see your target from here.")),
    "NOT_IN_YOUR_SPACE": Term(N_("Not here"), N_("Your target is not where you are.")),
    "TARGET_PROTECTED": Term(
        N_("Spared"), N_("This target is spared as long as there is another one.")
    ),
    "NO_SUCH_LOOT": Term(N_("No such loot"), N_("There is no such kind of loot.")),
    "LOOT_NOT_HERE": Term(N_("Nothing here"), N_("No such loot lies here.")),
    "LOOT_NOT_OWNED": Term(
        N_("Not owned"), N_("The victim does not own this, or owns something and must lose it.")
    ),
    "VALUE_NOT_KNOWN": Term(N_("Value not known"), N_("You know of no purse of this value here.")),
    "VALUE_KNOWN": Term(
        N_("Value known"), N_("You know what every purse here is worth: say which one.")
    ),
    "KEEP_NOT_ALLOWED": Term(N_("Not for you to keep"), N_("You cannot keep this for yourself.")),
}
"""Choices against the rules."""

REASONS: Final = Wording(
    reasons={
        "INVALID_FIELD": Term(
            N_("Invalid request"), N_("Something in the request is missing or malformed.")
        ),
        "INVALID_OPTIONS": Term(
            N_("Invalid options"), N_("No game can be played with these options together.")
        ),
        "UNKNOWN_OPTION": Term(N_("Unknown option"), N_("This is not among the options.")),
        "TOKEN_MISSING": Term(
            N_("Token missing"), N_("This is for those who take part in the game: show your token.")
        ),
        "UNKNOWN_API_KEY": Term(N_("Unknown API key"), N_("This API key is not known.")),
        "API_KEY_MISSING": Term(N_("API key missing"), N_("This takes an API key.")),
        "WRONG_ROLE": Term(N_("Not your part"), N_("This is for somebody else in the game to do.")),
        "WEBHOOKS_NOT_ALLOWED": Term(N_("No webhooks here"), N_("This server sends no webhooks.")),
        "SEED_NOT_ALLOWED": Term(
            N_("Seed not allowed"), N_("This server lets nobody choose the shuffles.")
        ),
        "TOKEN_EXPIRED": Term(
            N_("Token expired"), N_("Your token for watching has expired; get another one.")
        ),
        "GAME_NOT_FOUND": Term(
            N_("Game not found"), N_("There is no such game, or none that you may see.")
        ),
        "GAME_ALREADY_STARTED": Term(N_("Already begun"), N_("The game has begun already.")),
        "GAME_NOT_STARTED": Term(N_("Not begun"), N_("The game has not begun yet.")),
        "GAME_OVER": Term(N_("Game over"), N_("The game is over.")),
        "GAME_NOT_OVER": Term(N_("Not over"), N_("The game is not over yet.")),
        "SEATS_FREE": Term(N_("Seats free"), N_("A seat is still free.")),
        "NO_SEAT_FREE": Term(N_("No seat free"), N_("All seats are taken.")),
        "SEAT_TAKEN": Term(N_("Seat taken"), N_("This seat is taken.")),
        "ADMIN_KEY_MISSING": Term(
            N_("For operators"), N_("This is for those who run the service.")
        ),
        "GAME_EXISTS": Term(N_("Game exists"), N_("There is a game of this name already.")),
        "SEAT_FREE": Term(N_("Seat free"), N_("Nobody sits there.")),
        "FIGURE_TAKEN": Term(N_("Bandit taken"), N_("Another seat plays this bandit.")),
        "DECISION_CLOSED": Term(
            N_("Too late"), N_("This has been decided already; look at the game and choose again.")
        ),
        "CONFLICT": Term(N_("Conflict"), N_("Others were faster; try again.")),
        "REQUEST_ID_REUSED": Term(
            N_("Request repeated"), N_("Another request has been made with the same id.")
        ),
        "TOO_MANY": Term(N_("Too many"), N_("That is too much at once; try again later.")),
        "STORE_UNAVAILABLE": Term(
            N_("Out of order"), N_("The server cannot reach its games; try again soon.")
        ),
        "NEWER_RELEASE": Term(
            N_("Newer release"), N_("A newer server takes care of this game; try again.")
        ),
        "PATH_UNKNOWN": Term(
            N_("Nothing here to ask"), N_("The server has nothing at this address.")
        ),
        "VERB_NOT_ALLOWED": Term(
            N_("Asked the wrong way"), N_("This address does not take requests of this kind.")
        ),
        "CONTENT_TYPE_UNSUPPORTED": Term(
            N_("Unreadable request"), N_("The server does not read requests in this format.")
        ),
        "MALFORMED_JSON": Term(N_("Malformed request"), N_("The request is no proper JSON.")),
        "REQUEST_TOO_LARGE": Term(
            N_("Request too large"), N_("The server does not take requests of this size.")
        ),
        "DEADLINE_PASSED": Term(
            N_("Out of time"), N_("It took longer than the request allows; try again.")
        ),
        "INTERNAL": Term(N_("Defect"), N_("Something went wrong in the server.")),
        "TRANSPORT": Term(N_("Connection"), N_("The request did not get through.")),
        "TOO_SLOW": Term(N_("Too slow"), N_("The connection is too slow to follow the game.")),
    }
    | ILLEGAL
)
