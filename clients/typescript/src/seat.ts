// A player's view of a game: what is asked, and how to answer.

import { create } from "@bufbuild/protobuf";

import type { CallOptions, Connection } from "./connection.js";
import { ColtExpressError } from "./errors.js";
import type { Action } from "./gen/coltexpress/v1/action_pb.js";
import type { Decision, Option } from "./gen/coltexpress/v1/decision_pb.js";
import type { Commit } from "./gen/coltexpress/v1/event_pb.js";
import { type Game, Game_State } from "./gen/coltexpress/v1/game_pb.js";
import { GameService, SubmitActionRequestSchema } from "./gen/coltexpress/v1/game_service_pb.js";
import { newRequestId } from "./request_ids.js";
import { type Step, watch, type WatchOptions } from "./watching.js";

/** How an answer is given. */
export interface SubmitOptions {
  /** Repeats an answer given before; a new one if there is none. */
  readonly requestId?: string;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** A seat at a table, for whoever holds its token. Made by `Client.join` and `Client.seat`. */
export class Seat {
  readonly #connection: Connection;
  readonly #token: string;
  readonly #listeners = new Set<News>();

  /**
   * @param game The game's name, "games/...".
   * @param number Which seat it is: an index into the game's seats.
   */
  constructor(
    connection: Connection,
    readonly game: string,
    readonly number: number,
    token: string,
  ) {
    this.#connection = connection;
    this.#token = token;
  }

  /** Shows that its bearer sits there. A secret; with it, `Client.seat` comes back to the seat. */
  get token(): string {
    return this.#token;
  }

  /** The game as it is, as the seat sees it. */
  get({ signal }: Pick<CallOptions, "signal"> = {}): Promise<Game> {
    const options = { token: this.#token, signal };
    return this.#connection.call(GameService.method.getGame, { name: this.game }, options);
  }

  /** The game as the seat sees it, then every commit; see `Client.watch`. */
  watch(options: Omit<WatchOptions, "token"> = {}): AsyncGenerator<Step, void, undefined> {
    return watch(this.#connection, this.game, { ...options, token: this.#token });
  }

  /**
   * The seat's decisions, each once while it is open, until the game is over.
   *
   * A decision that was closed before it could be yielded is left out. Where the service has lost
   * the answer to a decision (a failover to an older copy of its data), it comes again.
   */
  async *decisions({
    signal,
  }: Pick<CallOptions, "signal"> = {}): AsyncGenerator<Decision, void, undefined> {
    const news = new News(this.number);
    const leaving = new AbortController();
    const leave = () => leaving.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", leave, { once: true });
    this.#listeners.add(news);
    const following = this.#follow(news, leaving.signal);
    try {
      for (let next = await news.next(); next; next = await news.next()) yield next;
    } finally {
      this.#listeners.delete(news);
      signal?.removeEventListener("abort", leave);
      leaving.abort();
      await following;
    }
  }

  /**
   * Answers a decision; safe against lost replies and restarted servers.
   *
   * @param decision One of the seat's open decisions, or its id.
   * @param answer One of its options, or the id of one, or an action.
   * @returns What the answer brought about; undefined if the decision was closed, answered elsewhere
   *   or timed out, or the game has ended: things go on without this answer.
   */
  async submit(
    decision: Decision | string,
    answer: Option | Action | string,
    { requestId = newRequestId(), signal }: SubmitOptions = {},
  ): Promise<Commit | undefined> {
    const request = create(SubmitActionRequestSchema, {
      name: this.game,
      decisionId: typeof decision === "string" ? decision : decision.id,
      answer: formOf(answer),
      requestId,
    });
    try {
      const options = { token: this.#token, signal };
      const response = await this.#connection.call(
        GameService.method.submitAction,
        request,
        options,
      );
      if (response.commit) for (const news of this.#listeners) news.takeCommit(response.commit);
      return response.commit;
    } catch (error) {
      // Where the game has ended meanwhile, so have its decisions.
      const closed = ["DECISION_CLOSED", "GAME_OVER"];
      if (error instanceof ColtExpressError && closed.includes(error.reason)) return undefined;
      throw error;
    }
  }

  /**
   * Gives up the seat; the token is worth nothing from then on. In a game that has begun a bot plays
   * it to the end.
   */
  leave(): Promise<Game> {
    const request = { name: this.game, requestId: newRequestId() };
    return this.#connection.call(GameService.method.leaveGame, request, { token: this.#token });
  }

  async #follow(news: News, signal: AbortSignal): Promise<void> {
    try {
      for await (const step of this.watch({ signal })) {
        if (step.case === "game") news.takeGame(step.value);
        else news.takeCommit(step.value);
      }
      news.end();
    } catch (error) {
      news.end(error);
    }
  }
}

function formOf(answer: Option | Action | string) {
  if (typeof answer === "string") return { case: "optionId", value: answer } as const;
  if (answer.$typeName === "coltexpress.v1.Action") return { case: "action", value: answer } as const;
  return { case: "optionId", value: answer.optionId } as const;
}

/** The newest that one iteration over decisions has heard, by its watch or in answers. */
class News {
  #version = 0n;
  #open: readonly Decision[] = [];
  #yielded = new Set<string>();
  #over = false;
  #failure: { readonly error: unknown } | undefined;
  #changed = () => {};

  constructor(private readonly seat: number) {}

  /**
   * Begins from a game as it is. If that is not the first time, the service may have lost what it
   * had shown, answers included: what is open now is asked, whether it was yielded before or not.
   */
  takeGame({ version, decisions, state }: Game): void {
    this.#yielded.clear();
    this.#version = version;
    this.#open = decisions;
    this.#over = state === Game_State.FINISHED;
    this.#changed();
  }

  /** Goes on, unless that is no news. */
  takeCommit({ version, decisions, events }: Commit): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#open = decisions;
    this.#over = events.some(
      ({ event }) => event.case === "gameEnded" || event.case === "gameAborted",
    );
    this.#changed();
  }

  /** There is nothing more to come: the game is over, or the error says why not. */
  end(error?: unknown): void {
    if (error === undefined) this.#over = true;
    else this.#failure = { error };
    this.#changed();
  }

  /** Waits for a decision of the seat that was not yielded yet; undefined when the game is over. */
  async next(): Promise<Decision | undefined> {
    for (;;) {
      if (this.#over) return undefined;
      const next = this.#open.find(({ seat, id }) => seat === this.seat && !this.#yielded.has(id));
      if (next) {
        this.#yielded.add(next.id);
        return next;
      }
      if (this.#failure) throw this.#failure.error;
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }
}
