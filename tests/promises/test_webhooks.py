"""Webhooks: what a process has begun to deliver when it is killed, another one delivers."""

from __future__ import annotations

from pathlib import Path

from coltexpress.v1 import seat_service_pb2 as seat_pb
from coltexpress_server.store import EmbeddedValkey
from tests.api.receivers import receiving
from tests.api.tables import begun, deciding, new_id, submit
from tests.promises.replicas import client_of, on_store

HOOKS = (
    *("--allow-private-webhooks", "--webhook-timeout-s", "0.5", "--webhook-retry-s", "0.1"),
    *("--sweep-interval-s", "0.1"),
)


async def test_a_process_that_is_killed_while_it_delivers_loses_no_message(
    tmp_path: Path,
) -> None:
    # A store of its own: other tests' processes, which may not send to this machine, would take the
    # message on.
    async with (
        EmbeddedValkey(tmp_path / "store", appendfsync="no") as valkey,
        receiving() as receiver,
    ):
        first = on_store(valkey.url, tmp_path / "first", *HOOKS)
        second = on_store(valkey.url, tmp_path / "second", *HOOKS)
        with first:
            async with client_of(first.address) as service:
                table = await begun(service)
                decision = await deciding(service, table)
                assert decision is not None
                hook = await service.seats.SetWebhook(
                    seat_pb.SetWebhookRequest(
                        name=table.name, url=receiver.url(), request_id=new_id()
                    ),
                    metadata=table.as_seat((decision.seat + 1) % 4),
                )
                receiver.silent = True
                await submit(service, table, decision, decision.options[0].option_id)
                begun_to_deliver = await receiver.next()
            first.kill()
        receiver.silent = False
        with second:
            delivered = await receiver.next()
    assert delivered.headers["webhook-id"] == begun_to_deliver.headers["webhook-id"]
    assert delivered.content == begun_to_deliver.content
    assert delivered.is_signed_with(hook.secret)
