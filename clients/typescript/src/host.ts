// A host's view of a game: filling, beginning and removing it.

import type { Connection } from "./connection.js";
import type { Game } from "./gen/coltexpress/v1/game_pb.js";
import { GameService } from "./gen/coltexpress/v1/game_service_pb.js";
import { newRequestId } from "./request_ids.js";

/** Whoever created a game. Made by `Client.create` and `Client.host`. */
export class Host {
  readonly #connection: Connection;
  readonly #token: string;

  /**
   * @param game The game's name, "games/...".
   * @param joinCode By which others find the game, to be read out to friends; empty where the host
   *   came back.
   */
  constructor(
    connection: Connection,
    readonly game: string,
    token: string,
    readonly joinCode: string,
  ) {
    this.#connection = connection;
    this.#token = token;
  }

  /** Shows that its bearer is the host. A secret; with it, `Client.host` comes back to the game. */
  get token(): string {
    return this.#token;
  }

  /** Puts a bot of the service on a free seat; `level` is one of `ServerInfo.botLevels`. */
  addBot(level: string): Promise<Game> {
    const request = { ...this.#request(), level };
    return this.#connection.call(GameService.method.addBot, request, { token: this.#token });
  }

  /** Begins the game, when all seats are taken. */
  start(): Promise<Game> {
    const token = this.#token;
    return this.#connection.call(GameService.method.startGame, this.#request(), { token });
  }

  /** Removes the game and all that is stored of it; whoever watches it is told. */
  async delete(): Promise<void> {
    const token = this.#token;
    await this.#connection.call(GameService.method.deleteGame, this.#request(), { token });
  }

  #request() {
    return { name: this.game, requestId: newRequestId() };
  }
}
