"""Play Colt Express against a Colt Express service.

    async with Client("localhost:50051") as client:
        seat = await client.join("games/...", display_name="Ten lines")
        async for decision in seat.decisions():
            await seat.submit(decision, random.choice(decision.options))

`Client`, `Host` and `Seat` speak the messages of `coltexpress.v1`, which are generated from the
service's protos; those a program meets all the time can be imported from here.
"""

from coltexpress.bots import Bot, play, random_bot
from coltexpress.client import Client
from coltexpress.errors import ColtExpressError, IllegalAction, Unavailable
from coltexpress.host import Host
from coltexpress.retries import Retries
from coltexpress.seat import DecisionClosed, Seat
from coltexpress.v1.action_pb2 import Action
from coltexpress.v1.catalog_pb2 import Catalog
from coltexpress.v1.decision_pb2 import Decision, Option
from coltexpress.v1.event_pb2 import Commit, Event
from coltexpress.v1.game_pb2 import Clock, Game, GameOptions, Visibility

__all__ = [
    "Action",
    "Bot",
    "Catalog",
    "Client",
    "Clock",
    "ColtExpressError",
    "Commit",
    "Decision",
    "DecisionClosed",
    "Event",
    "Game",
    "GameOptions",
    "Host",
    "IllegalAction",
    "Option",
    "Retries",
    "Seat",
    "Unavailable",
    "Visibility",
    "play",
    "random_bot",
]
