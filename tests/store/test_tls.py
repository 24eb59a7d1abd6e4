"""Stores that speak TLS: certificates are checked, and without the right CA nothing is said."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from coltexpress_server.store import Cursor, Loaded, Store, StoreUnavailable, StoreUnfit
from tests.store.behind import until
from tests.store.commits import Stores, commit_of, committed, make_game, new_game_id
from tests.store.fleet import Server, cluster, free_ports, watched_pair
from tests.store.test_topologies import commit_soon
from tests.store.tls import Fronts, certificates

PATIENT = 6.0
"""Seconds for each call of a store, since a busy machine takes its time over handshakes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    certificates(folder)
    return folder


@pytest.fixture
async def fronts(folder: Path) -> AsyncIterator[Fronts]:
    """Whoever is spoken to behind these is spoken to by TLS alone."""
    async with Fronts(folder) as fronts:
        yield fronts
    assert not fronts.spoken_to_in_the_clear


@contextlib.asynccontextmanager
async def server(folder: Path) -> AsyncIterator[Server]:
    found = Server(folder / "server", free_ports(1)[0], 'save ""')
    try:
        await until(found.is_up)
        yield found
    finally:
        found.close()


async def test_games_are_kept_over_tls_where_the_ca_is_known(
    folder: Path, fronts: Fronts, stores: Stores, tmp_path: Path
) -> None:
    async with server(tmp_path) as behind:
        store = stores(
            f"rediss://127.0.0.1:{fronts.before(behind.port)}?ssl_ca_certs={folder}/ca.crt"
        )
        assert (await store.check_server()).version
        game_id, _ = await make_game(store)
        assert isinstance(await store.load(game_id), Loaded)


async def test_games_are_kept_over_tls_where_sentinels_lead_to_them(
    folder: Path, fronts: Fronts, stores: Stores, tmp_path: Path
) -> None:
    async with watched_pair(tmp_path, "games", fronts.before) as (first, replica, sentinel):
        # A sentinel that is down, or says nothing, is passed over by TLS too.
        url = f"rediss+sentinel://127.0.0.1:1,127.0.0.1:{fronts.before(sentinel.port)}/games"
        store = stores(f"{url}?ssl_ca_certs={folder}/ca.crt", poll_interval=0.1, timeout=PATIENT)
        assert (await store.check_server()).version
        game_id, cursor = await make_game(store, 3)
        first.ask("WAIT", 1, 1000)
        with store.watch(game_id, cursor) as watcher:
            first.close()
            cursor = await commit_soon(store, game_id, cursor)
            assert (await anext(watcher)).cursor == cursor
        assert replica.ask("ROLE")[0] == b"master"


async def test_sentinels_have_a_password_of_their_own(
    folder: Path, fronts: Fronts, stores: Stores, tmp_path: Path
) -> None:
    async with watched_pair(tmp_path, "games", fronts.before) as (first, _, sentinel):
        first.ask("ACL", "SETUSER", "service", "on", ">kept", "~*", "&*", "+@all")
        sentinel.ask("ACL", "SETUSER", "guide", "on", ">shown", "&*", "+@all")
        port = fronts.before(sentinel.port)

        def store(user: str, guide: str) -> Store:
            url = f"rediss+sentinel://{user}@127.0.0.1:{port}/games?ssl_ca_certs={folder}/ca.crt"
            return stores(f"{url}&{guide}", timeout=PATIENT)

        guided = "sentinel_username=guide&sentinel_password=shown"
        right = store("service:kept", guided)
        await right.check_server()
        assert isinstance(await right.load((await make_game(right))[0]), Loaded)
        for wrong in (
            store("service:shown", guided),
            store("service:kept", "sentinel_username=guide&sentinel_password=kept"),
        ):
            with pytest.raises((StoreUnfit, StoreUnavailable)) as refused:
                await wrong.check_server()
            assert "kept" not in str(refused.value)
            assert "shown" not in str(refused.value)


async def test_games_are_kept_over_tls_on_the_nodes_of_a_cluster(
    folder: Path, fronts: Fronts, stores: Stores, tmp_path: Path
) -> None:
    async with cluster(tmp_path, fronts.before) as nodes:
        ports = [fronts.ports[node.port] for node in nodes]
        seeds = f"127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}"
        store = stores(f"rediss+cluster://{seeds}?ssl_ca_certs={folder}/ca.crt", timeout=PATIENT)
        assert (await store.check_server()).version
        made: dict[str, Cursor] = {}
        for bucket in range(0, 64, 4):
            game_id = new_game_id(bucket)
            made[game_id] = await committed(store, commit_of(game_id))
        assert all(node.ask("DBSIZE") > 0 for node in nodes)
        assert await store.filed_games("listed") == made
        for game_id, cursor in made.items():
            with store.watch(game_id, cursor) as watcher:
                after = await committed(store, commit_of(game_id, cursor))
                assert (await anext(watcher)).cursor == after


async def test_a_store_may_ask_for_a_certificate_of_the_clients(
    folder: Path, stores: Stores, tmp_path: Path
) -> None:
    async with server(tmp_path) as behind, Fronts(folder, asks_clients=True) as fronts:
        url = f"rediss://127.0.0.1:{fronts.before(behind.port)}?ssl_ca_certs={folder}/ca.crt"
        own = f"ssl_certfile={folder}/client.crt&ssl_keyfile={folder}/client.key"
        assert (await stores(f"{url}&{own}").check_server()).version
        with pytest.raises(StoreUnavailable):
            await stores(url, timeout=0.5).check_server()


@pytest.mark.parametrize("kind", ["", "+sentinel", "+cluster"])
@pytest.mark.parametrize("scheme", ["rediss", "redis"])
async def test_nothing_is_said_to_a_store_that_cannot_prove_itself(
    folder: Path, stores: Stores, tmp_path: Path, scheme: str, kind: str
) -> None:
    """And what is said in the clear is found out, here as in the other tests."""
    async with server(tmp_path) as behind, Fronts(folder) as fronts:
        service = "/games" if kind == "+sentinel" else ""
        url = f"{scheme}{kind}://127.0.0.1:{fronts.before(behind.port)}{service}"
        with pytest.raises(StoreUnavailable):
            await stores(url, timeout=0.5).check_server()
        assert fronts.spoken_to_in_the_clear == (scheme == "redis")


@pytest.mark.parametrize("kind", ["", "+sentinel", "+cluster"])
@pytest.mark.parametrize(
    "options",
    [
        "ssl_ca_certs={folder}/none.crt",
        "ssl_ca_certs={folder}/ca.key",
        "ssl_certfile={folder}/client.crt&ssl_keyfile={folder}/none.key",
        "ssl_certfile={folder}/client.crt&ssl_keyfile={folder}/server.key",
    ],
)
def test_certificates_that_cannot_be_read_are_found_at_once(
    folder: Path, kind: str, options: str
) -> None:
    service = "/games" if kind == "+sentinel" else ""
    with pytest.raises(StoreUnfit, match=f"{folder}/"):
        Store(f"rediss{kind}://127.0.0.1:1{service}?{options.format(folder=folder)}")
