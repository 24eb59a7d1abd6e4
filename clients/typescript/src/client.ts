// The way in: finding, creating, joining and watching games.

import type {
  DescMessage,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { type CallOptions, Connection } from "./connection.js";
import { type Game, type GameSchema } from "./gen/coltexpress/v1/game_pb.js";
import { GameService } from "./gen/coltexpress/v1/game_service_pb.js";
import { type ServerInfo, ServerService } from "./gen/coltexpress/v1/server_service_pb.js";
import { Host } from "./host.js";
import { newRequestId } from "./request_ids.js";
import { DEFAULT_RETRIES, type Retries } from "./retries.js";
import { Seat } from "./seat.js";
import { type Step, watch, type WatchOptions } from "./watching.js";

/** What a client is like. */
export interface ClientOptions {
  /** Shows who the caller is; without it he is anonymous. */
  readonly apiKey?: string;
  /**
   * Of prompts, labels and all other texts for people, e.g. "es"; several in the order of preference
   * as in the header Accept-Language; English without it.
   */
  readonly language?: string;
  /** When to try again and when to give up, where that differs from DEFAULT_RETRIES. */
  readonly retries?: Partial<Retries>;
}

/** How a seat is taken. */
export interface JoinOptions {
  /** Which one; any that is free without it. */
  readonly seat?: number;
  /** The bandits to play; without them those of the seat, or those dealt. */
  readonly figures?: string[];
  /** What the player is called, shown to everybody. */
  readonly displayName?: string;
  /** What joining a PRIVATE game takes, as people type it. */
  readonly joinCode?: string;
  /** Mixed into the shuffles, so that nobody else can choose them; 32 random bytes without it. */
  readonly entropy?: Uint8Array;
  /** Repeats a request made before; a new one without it. */
  readonly requestId?: string;
}

/**
 * A connection to a Colt Express service.
 *
 * Every method throws ColtExpressError where the service refuses, or does not answer for as long as
 * the client is to try.
 */
export class Client {
  readonly #connection: Connection;

  /**
   * @param service The URL of the service's HTTP port, e.g. "http://localhost:8080"; or a transport
   *   of Connect's, as `coltexpress/node` has one for gRPC.
   */
  constructor(service: string | Transport, { apiKey, language, retries }: ClientOptions = {}) {
    const transport =
      typeof service === "string"
        ? createConnectTransport({ baseUrl: service, useBinaryFormat: true })
        : service;
    const headers = {
      ...(apiKey ? { "x-api-key": apiKey } : {}),
      ...(language ? { "accept-language": language } : {}),
    };
    this.#connection = new Connection(transport, headers, { ...DEFAULT_RETRIES, ...retries });
  }

  /**
   * Calls any method of the service until it answers, with the same request every time. What changes
   * something needs a request id, `newRequestId()`, to be safe to repeat.
   */
  call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    return this.#connection.call(method, request, options);
  }

  /** Versions and limits of the server. */
  info(): Promise<ServerInfo> {
    return this.call(ServerService.method.getServerInfo, {});
  }

  /** Creates a game, of which options, visibility, seats, clock and standIn count. */
  async create(wanted: MessageInitShape<typeof GameSchema>): Promise<Host> {
    const request = { game: wanted, requestId: newRequestId() };
    const { game, hostToken } = await this.call(GameService.method.createGame, request);
    return new Host(this.#connection, game?.name ?? "", hostToken, game?.joinCode ?? "");
  }

  /** Comes back to a game created before, from this process or another one. */
  host(game: string, token: string): Host {
    return new Host(this.#connection, game, token, "");
  }

  /** The game that has a join code, as people type it. */
  find(joinCode: string): Promise<Game> {
    return this.call(GameService.method.findGame, { joinCode });
  }

  /** The game as it is, as a spectator sees it. */
  get(game: string): Promise<Game> {
    return this.call(GameService.method.getGame, { name: game });
  }

  /** Takes a seat of a game that has not begun. */
  async join(game: string, options: JoinOptions = {}): Promise<Seat> {
    const joined = await this.call(GameService.method.joinGame, {
      entropy: crypto.getRandomValues(new Uint8Array(32)),
      requestId: newRequestId(),
      ...options,
      name: game,
    });
    return new Seat(this.#connection, game, joined.seat, joined.seatToken);
  }

  /** Comes back to a seat taken before, from this process or another one. */
  async seat(game: string, token: string): Promise<Seat> {
    const { viewer } = await this.call(GameService.method.getGame, { name: game }, { token });
    return new Seat(this.#connection, game, viewer ?? 0, token);
  }

  /** The game, then every commit once as it happens, until the game is over. */
  watch(game: string, options: WatchOptions = {}): AsyncGenerator<Step, void, undefined> {
    return watch(this.#connection, game, options);
  }
}
