// The client against a service that is played by the test.

import assert from "node:assert/strict";
import { test } from "node:test";

import { type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";

import { Client, ColtExpressError, GameService } from "coltexpress";
import { EndOfStream_Reason, type WatchGameResponseSchema } from "coltexpress/v1/game_service";
import { ErrorInfoSchema, RetryInfoSchema } from "coltexpress/google/rpc/error_details";

type Message = MessageInitShape<typeof WatchGameResponseSchema>;

const GAME = "games/a";
const RETRIES = { firstWaitMs: 1, longestWaitMs: 2, patienceMs: 2_000 };

function clientOf(service: Partial<ServiceImpl<typeof GameService>>): Client {
  const transport = createRouterTransport(({ service: serve }) => serve(GameService, service));
  return new Client(transport, { retries: RETRIES });
}

function refusal(code: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  const info = { desc: ErrorInfoSchema, value: { domain: "coltexpress", reason, metadata } };
  return new ConnectError("no", code, undefined, [info]);
}

function commit(version: number, decisions: string[] = []): Message {
  return {
    message: {
      case: "commit",
      value: {
        version: BigInt(version),
        cursor: `c${version}`,
        decisions: decisions.map((id) => ({ id, seat: 1, options: [{ optionId: "new.kind:1" }] })),
      },
    },
  };
}

function end(reason: EndOfStream_Reason, cursor = ""): Message {
  return { message: { case: "end", value: { reason, cursor } } };
}

const SNAPSHOT: Message = {
  message: { case: "game", value: { name: GAME, version: 1n, cursor: "c1" } },
};
const OVER = end(EndOfStream_Reason.GAME_OVER);

test("an answer is repeated with its request id until there is a reply", async () => {
  const ids: string[] = [];
  const client = clientOf({
    getGame: () => ({ viewer: 1 }),
    submitAction: ({ requestId }, { requestHeader }) => {
      assert.equal(requestHeader.get("authorization"), "Bearer secret");
      assert.equal(requestHeader.get("x-game"), GAME);
      ids.push(requestId);
      if (ids.length === 1) throw new TypeError("fetch failed");
      if (ids.length === 2) throw refusal(Code.Unavailable, "STORE_UNAVAILABLE");
      if (ids.length === 3) throw refusal(Code.Aborted, "CONFLICT");
      return { commit: { version: 5n } };
    },
  });
  const seat = await client.seat(GAME, "secret");
  assert.equal((await seat.submit("d1", "decline"))?.version, 5n);
  assert.equal(ids.length, 4);
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0] ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

test("a refusal says why, and is not tried again", async () => {
  let calls = 0;
  const client = clientOf({
    joinGame: () => {
      calls++;
      throw refusal(Code.InvalidArgument, "INVALID_FIELD", { field: "seat" });
    },
  });
  await assert.rejects(client.join(GAME, { seat: 9 }), (error) => {
    assert(error instanceof ColtExpressError);
    assert.deepEqual([error.code, error.reason, error.field], [Code.InvalidArgument, "INVALID_FIELD", "seat"]);
    return true;
  });
  assert.equal(calls, 1);
});

test("the service says when to come back", async () => {
  const times: number[] = [];
  const client = clientOf({
    getGame: () => {
      times.push(Date.now());
      if (times.length > 1) return { name: GAME };
      const retry = { desc: RetryInfoSchema, value: { retryDelay: { nanos: 50_000_000 } } };
      throw new ConnectError("too many", Code.ResourceExhausted, undefined, [retry]);
    },
  });
  assert.equal((await client.get(GAME)).name, GAME);
  assert((times[1] ?? 0) - (times[0] ?? 0) >= 45);
});

test("an answer that comes too late is no error", async () => {
  const client = clientOf({
    getGame: () => ({ viewer: 1 }),
    submitAction: () => {
      throw refusal(Code.Aborted, "DECISION_CLOSED");
    },
  });
  const seat = await client.seat(GAME, "secret");
  assert.equal(await seat.submit("d1", "decline"), undefined);
});

test("a watch resumes behind what it has yielded, and begins anew where that is lost", async () => {
  const cursors: string[] = [];
  const streams: Message[][] = [
    [SNAPSHOT, commit(2)],
    [commit(3), {}, end(EndOfStream_Reason.DRAINING, "c3")],
    [end(EndOfStream_Reason.CURSOR_UNKNOWN)],
    [SNAPSHOT, OVER],
  ];
  const client = clientOf({
    async *watchGame({ cursor }) {
      cursors.push(cursor);
      yield* streams[cursors.length - 1] ?? [];
      if (cursors.length === 1) throw new TypeError("terminated");
    },
  });
  const seen = [];
  for await (const step of client.watch(GAME)) seen.push(`${step.case} ${step.value.version}`);
  assert.deepEqual(seen, ["game 1", "commit 2", "commit 3", "game 1"]);
  assert.deepEqual(cursors, ["", "c2", "c3", ""]);
});

test("a game that is gone is watched no longer", async () => {
  const client = clientOf({
    async *watchGame() {
      yield SNAPSHOT;
      yield end(EndOfStream_Reason.GAME_DELETED);
    },
  });
  const seat = client.watch(GAME);
  await seat.next();
  await assert.rejects(seat.next(), { code: Code.NotFound, reason: "GAME_DELETED" });
});

test("each open decision comes once, until the game is over", async () => {
  const client = clientOf({
    getGame: () => ({ viewer: 1 }),
    submitAction: () => ({ commit: { version: 3n, decisions: [{ id: "d2", seat: 1 }] } }),
    async *watchGame() {
      yield SNAPSHOT;
      yield commit(2, ["d1"]);
      yield commit(3, ["d2"]);
      yield commit(4, ["d2"]);
      yield OVER;
    },
  });
  const seat = await client.seat(GAME, "secret");
  const asked: string[] = [];
  for await (const decision of seat.decisions()) {
    asked.push(decision.id);
    await seat.submit(decision, decision.options[0] ?? "decline");
  }
  assert.equal(new Set(asked).size, asked.length);
  assert(asked.every((id) => ["d1", "d2"].includes(id)));
});

test("whoever waits can leave", async () => {
  const client = clientOf({
    getGame: () => ({ viewer: 1 }),
    async *watchGame(_, { signal }) {
      yield SNAPSHOT;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const seat = await client.seat(GAME, "secret");
  const leaving = new AbortController();
  const waiting = seat.decisions({ signal: leaving.signal }).next();
  setTimeout(() => leaving.abort(new Error("enough")), 10);
  await assert.rejects(waiting, /enough/);
});
