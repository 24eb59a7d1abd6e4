// Following a game across broken streams and restarted servers.

import { Code } from "@connectrpc/connect";

import type { CallOptions, Connection } from "./connection.js";
import { ColtExpressError, errorOf } from "./errors.js";
import type { Commit } from "./gen/coltexpress/v1/event_pb.js";
import type { Game } from "./gen/coltexpress/v1/game_pb.js";
import {
  EndOfStream_Reason,
  GameService,
  type WatchGameResponse,
} from "./gen/coltexpress/v1/game_service_pb.js";
import { Trying } from "./retries.js";

/** What a watch brings: the game as it is, or the next commit. */
export type Step =
  | { readonly case: "game"; readonly value: Game }
  | { readonly case: "commit"; readonly value: Commit };

/** How a game is watched. */
export interface WatchOptions extends CallOptions {
  /** Of a game or a commit, to go on behind it; none to begin with the game. */
  readonly cursor?: string;
}

/** Milliseconds without a message, heartbeats included, after which a stream is taken for dead. */
const SILENCE = 60_000;

/** Reasons for which a watch is not resumed, with the code of the error that is thrown instead. */
const NO_MORE = new Map([
  [EndOfStream_Reason.GAME_DELETED, Code.NotFound],
  [EndOfStream_Reason.GAME_HIDDEN, Code.NotFound],
  [EndOfStream_Reason.TOKEN_REVOKED, Code.Unauthenticated],
]);

/**
 * The game, then every commit once as it happens, until the game is over.
 *
 * A stream that breaks is resumed. Where the service has lost what it had shown, a game follows
 * again, as it is then.
 */
export async function* watch(
  connection: Connection,
  name: string,
  { cursor = "", ...options }: WatchOptions,
): AsyncGenerator<Step, void, undefined> {
  connection.check(GameService.method.watchGame, { name, cursor }, options.token);
  const trying = new Trying(connection.retries);
  for (;;) {
    try {
      for await (const { message } of messages(connection, name, cursor, options)) {
        switch (message.case) {
          case "game":
          case "commit":
            cursor = message.value.cursor;
            yield message;
            break;
          case "heartbeat":
            cursor = message.value.cursor;
            break;
          case "end":
            if (message.value.reason === EndOfStream_Reason.GAME_OVER) return;
            cursor = message.value.cursor || cursor;
            throw ended(message.value.reason);
        }
        trying.succeeded();
      }
      throw broken("the stream ended without saying why");
    } catch (failure) {
      let error = errorOf(failure);
      if (error.reason === "CURSOR_UNKNOWN" && cursor !== "") {
        cursor = "";
        error = broken("the cursor is unknown by now");
      }
      await trying.waitAfter(error, options.signal);
    }
  }
}

/** The messages of one stream, which is given up when it is silent for too long. */
async function* messages(
  connection: Connection,
  name: string,
  cursor: string,
  { token = "", signal }: CallOptions,
): AsyncGenerator<WatchGameResponse, void, undefined> {
  const silent = new AbortController();
  const giveUp = () => silent.abort(broken("the stream showed no sign of life"));
  const stop = () => silent.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(giveUp, SILENCE);
  try {
    const request = { name, cursor };
    const options = { token, signal: silent.signal };
    for await (const each of await connection.stream(GameService.method.watchGame, request, options)) {
      clearTimeout(timer);
      yield each;
      timer = setTimeout(giveUp, SILENCE);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    silent.abort();
  }
}

/** What it means that the service ended a stream before the game is over. */
function ended(reason: EndOfStream_Reason): ColtExpressError {
  const name = EndOfStream_Reason[reason] ?? String(reason);
  const message = `the service ended the stream: ${name}`;
  if (reason === EndOfStream_Reason.CURSOR_UNKNOWN) {
    return new ColtExpressError(message, Code.OutOfRange, { reason: name });
  }
  const code = NO_MORE.get(reason);
  return code ? new ColtExpressError(message, code, { reason: name }) : broken(message);
}

function broken(message: string): ColtExpressError {
  return new ColtExpressError(message, Code.Unavailable);
}
