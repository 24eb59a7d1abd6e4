// What a proxy makes of a call whose server is gone: over real connections, by Connect and by gRPC.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { constants, createServer as createHttp2Server, type Http2ServerResponse } from "node:http2";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

import { Client, ColtExpressError, GameService } from "coltexpress";
import { grpcTransport } from "coltexpress/node";
import { EndOfStream_Reason, WatchGameResponseSchema } from "coltexpress/v1/game_service";
import { ErrorInfoSchema } from "coltexpress/google/rpc/error_details";

type Message = MessageInitShape<typeof WatchGameResponseSchema>;
type Service = Partial<ServiceImpl<typeof GameService>>;

const GAME = "games/a";
const RETRIES = { firstWaitMs: 1, longestWaitMs: 2, patienceMs: 2_000 };
const OVER: Message = {
  message: { case: "end", value: { reason: EndOfStream_Reason.GAME_OVER } },
};
const SNAPSHOT: Message = {
  message: { case: "game", value: { name: GAME, version: 1n, cursor: "c1" } },
};

/** A client of a service over Connect, whose first call of each method meets something else. */
async function overConnect(
  t: TestContext,
  service: Service,
  instead: (response: ServerResponse) => unknown,
): Promise<Client> {
  const answer = connectNodeAdapter({ routes: ({ service: serve }) => serve(GameService, service) });
  const first = new First();
  const server = createServer((request, response) => {
    if (first.is(request.url)) request.resume().on("end", () => void instead(response));
    else answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return new Client(`http://127.0.0.1:${portOf(server)}`, { retries: RETRIES });
}

/** The same over gRPC. */
async function overGrpc(
  t: TestContext,
  service: Service,
  instead: (response: Http2ServerResponse, method: string) => unknown,
): Promise<Client> {
  const answer = connectNodeAdapter({ routes: ({ service: serve }) => serve(GameService, service) });
  const first = new First();
  const server = createHttp2Server((request, response) => {
    const method = request.url.split("/").at(-1) ?? "";
    if (first.is(method)) request.resume().on("end", () => void instead(response, method));
    else answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = grpcTransport(`127.0.0.1:${portOf(server)}`);
  t.after(() => {
    transport.close();
    server.close();
  });
  return new Client(transport, { retries: RETRIES });
}

/** Tells the first call of each method from others. */
class First {
  readonly #met = new Set<string>();

  is(path = ""): boolean {
    const first = !this.#met.has(path);
    this.#met.add(path);
    return first;
  }
}

function portOf(server: { address(): AddressInfo | string | null }): number {
  return (server.address() as AddressInfo).port;
}

/** A message as Connect and gRPC have it in streams. */
function envelope(message: Message): Buffer {
  const data = toBinary(WatchGameResponseSchema, create(WatchGameResponseSchema, message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}

const ENVOYS = {
  error: {
    code: 503,
    status: "UNAVAILABLE",
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TRANSPORT" }],
  },
};
const JSON_TYPE = { "content-type": "application/json" };
const PROTO = { "content-type": "application/proto", "content-length": "100" };

for (const [what, instead] of Object.entries<(response: ServerResponse) => unknown>({
  "502, as a page": (r) => r.writeHead(502, { "content-type": "text/html" }).end("<h1>Gone</h1>"),
  "503, as plain text": (r) => r.writeHead(503, { "content-type": "text/plain" }).end("gone"),
  "503, as our Envoy has it": (r) => r.writeHead(503, JSON_TYPE).end(JSON.stringify(ENVOYS)),
  "504 without a body": (r) => r.writeHead(504).end(),
  "429 without a body": (r) => r.writeHead(429).end(),
  "500, as a page": (r) => r.writeHead(500, { "content-type": "text/html" }).end("<h1>Oh</h1>"),
  "half of an error": (r) => r.writeHead(503, JSON_TYPE).end('{"code":'),
  "internal without details": (r) => r.writeHead(500, JSON_TYPE).end('{"code":"internal"}'),
  "unknown without details": (r) => r.writeHead(500, JSON_TYPE).end('{"code":"unknown"}'),
  "a page instead of an answer": (r) => r.writeHead(200, { "content-type": "text/html" }).end("?"),
  "half of an answer": (r) => r.writeHead(200, PROTO).write("1234", () => r.destroy()),
  "no answer": (r) => r.destroy(),
})) {
  test(`over Connect ${what} is no refusal`, async (t) => {
    const client = await overConnect(t, { getGame: () => ({ name: GAME }) }, instead);
    assert.equal((await client.get(GAME)).name, GAME);
  });
}

test("a proxy says by a header when to come back", async (t) => {
  let refused = 0;
  const service: Service = { getGame: () => ({ version: BigInt(Date.now()) }) };
  const client = await overConnect(t, service, (response) => {
    refused = Date.now();
    response.writeHead(429, { "retry-after": "1" }).end();
  });
  const { version } = await client.get(GAME);
  assert(Number(version) - refused >= 990);
});

const BROKEN_STREAMS: Record<string, (response: ServerResponse) => unknown> = {
  "breaks": (r) => r.write(envelope(SNAPSHOT), () => r.destroy()),
  "breaks within a message": (r) =>
    r.write(Buffer.concat([envelope(SNAPSHOT), envelope(OVER).subarray(0, 6)]), () => r.destroy()),
  "is ended": (r) => r.end(envelope(SNAPSHOT)),
  "is ended within a message": (r) =>
    r.end(Buffer.concat([envelope(SNAPSHOT), envelope(OVER).subarray(0, 6)])),
};
for (const [what, instead] of Object.entries(BROKEN_STREAMS)) {
  test(`over Connect a watch that ${what} is resumed`, async (t) => {
    const cursors: string[] = [];
    const client = await overConnect(t, { watchGame: over(cursors) }, (response) => {
      instead(response.writeHead(200, { "content-type": "application/connect+proto" }));
    });
    assert.deepEqual(await cursorsOf(client), ["c1"]);
    assert.deepEqual(cursors, ["c1"]);
  });
}

const GRPC = { ":status": 200, "content-type": "application/grpc+proto" };
const INTERNAL_ERROR = constants.NGHTTP2_INTERNAL_ERROR;

for (const [what, instead] of Object.entries<(response: Http2ServerResponse) => unknown>({
  "a reset": ({ stream }) => stream.close(INTERNAL_ERROR),
  "a reset instead of an answer": ({ stream }) => {
    stream.respond(GRPC);
    stream.close(INTERNAL_ERROR);
  },
  "a cancelled stream": ({ stream }) => stream.close(constants.NGHTTP2_CANCEL),
  "a refused stream": ({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
  "INTERNAL without details": ({ stream }) =>
    stream.respond({ ...GRPC, "grpc-status": "13" }, { endStream: true }),
  "502, as a page": ({ stream }) => {
    stream.respond({ ":status": 502, "content-type": "text/html" });
    stream.end("<h1>Gone</h1>");
  },
  "a connection that is gone": ({ stream }) => stream.session?.destroy(),
  "GOAWAY": ({ stream }) => {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 0);
    stream.session?.destroy();
  },
})) {
  test(`over gRPC ${what} is no refusal`, async (t) => {
    const client = await overGrpc(t, { getGame: () => ({ name: GAME }) }, instead);
    assert.equal((await client.get(GAME)).name, GAME);
  });
}

test("over gRPC a watch that is reset is resumed", async (t) => {
  const cursors: string[] = [];
  const client = await overGrpc(t, { watchGame: over(cursors) }, ({ stream }) => {
    stream.respond(GRPC);
    // Half a message more, so that the client has got the first one when it is reset.
    stream.write(envelope(SNAPSHOT));
    stream.write(envelope(OVER).subarray(0, 6), () => setImmediate(() => stream.close(INTERNAL_ERROR)));
  });
  assert.deepEqual(await cursorsOf(client), ["c1"]);
  assert.deepEqual(cursors, ["c1"]);
});

test("a stream outlives GOAWAY, and calls take another connection", async (t) => {
  const cursors: string[] = [];
  const service: Service = { watchGame: over(cursors), getGame: () => ({ name: GAME }) };
  let finish = () => {};
  const client = await overGrpc(t, service, (response, method) => {
    if (method !== "WatchGame") return response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    response.writeHead(200, { "content-type": "application/grpc+proto" });
    response.addTrailers({ "grpc-status": "0" });
    response.write(envelope(SNAPSHOT));
    response.stream.session?.goaway();
    finish = () => response.end(envelope(OVER));
  });
  const steps = client.watch(GAME);
  assert.equal((await steps.next()).value?.case, "game");
  assert.equal((await client.get(GAME)).name, GAME);
  finish();
  assert.equal((await steps.next()).done, true);
  assert.deepEqual(cursors, []);
});

test("a defect of the service is an answer", async (t) => {
  const value = { domain: "coltexpress", reason: "INTERNAL" };
  let calls = 0;
  const service: Service = {
    getGame: () => {
      calls++;
      throw new ConnectError("a defect", Code.Internal, undefined, [{ desc: ErrorInfoSchema, value }]);
    },
  };
  for (const client of [
    await overConnect(t, service, (response) => response.writeHead(502).end()),
    await overGrpc(t, service, ({ stream }) => stream.close(INTERNAL_ERROR)),
  ]) {
    calls = 0;
    await assert.rejects(client.get(GAME), { code: Code.Internal, reason: "INTERNAL" });
    assert.equal(calls, 1);
  }
});

test("what cannot be sent is not tried again", async (t) => {
  const never = () => assert.fail("it was sent");
  const retries = { patienceMs: 3_600_000 };
  const url = "http://127.0.0.1:9";
  const wrong = (secret: string) => (error: unknown) => {
    assert(error instanceof ColtExpressError);
    assert.equal(error.code, Code.InvalidArgument);
    assert(!error.message.includes(secret));
    return true;
  };
  for (const service of [url, grpcTransport("127.0.0.1:9")]) {
    const client = new Client(service, { retries });
    await assert.rejects(client.join(GAME, { seat: 1.5 }).then(never), wrong("none"));
    await assert.rejects(client.seat(GAME, "secret\n1").then(never), wrong("secret"));
    const watch = client.watch(GAME, { token: "secret\n1" });
    await assert.rejects(watch.next().then(never), wrong("secret"));
  }
});

/** Watching a game that is over. */
function over(cursors: string[]): ServiceImpl<typeof GameService>["watchGame"] {
  return async function* ({ cursor }) {
    cursors.push(cursor);
    yield cursor ? OVER : SNAPSHOT;
  };
}

async function cursorsOf(client: Client): Promise<string[]> {
  const seen = [];
  for await (const step of client.watch(GAME)) seen.push(step.value.cursor);
  return seen;
}
