"""A client that was made with a language gets all texts in it."""

from __future__ import annotations

import pytest

from coltexpress import Client, ColtExpressError, Commit, Game
from tests.client.conftest import QUICK
from tests.client.games import begun


async def test_texts_of_games_errors_and_the_catalogue(server: str, client: Client) -> None:
    table = await begun(client)
    english = (await client.catalog()).language_code
    async with Client(server, retries=QUICK, language="es-AR, fr;q=0.5") as spanish:
        game = await spanish.get(table.game)
        deciding = game.decisions[0].seat
        seat = await spanish.seat(table.game, table.seats[deciding].token)
        [decision] = (await seat.get()).decisions
        assert "¿" in decision.prompt
        assert {option.label.split()[0] for option in decision.options} == {"Jugar", "Robar"}
        async for step in seat.watch():
            if isinstance(step, Commit):
                assert any(" roba " in event.text for event in step.events)
                break
            assert isinstance(step, Game)
            await seat.submit(step.decisions[0], "draw")
        catalog = await spanish.catalog()
        assert (english, catalog.language_code) == ("en", "es")
        assert catalog.boxes[0].entry.box == catalog.boxes[0].entry.name == "BASE"
        with pytest.raises(ColtExpressError) as raised:
            await spanish.host(table.game, table.host.token).start()
        assert raised.value.reason == "GAME_ALREADY_STARTED"
        assert raised.value.text == "La partida ya ha empezado."
    with pytest.raises(ColtExpressError) as raised:
        await table.host.start()
    assert raised.value.text == ""
