// How the methods of the service are called.

import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, type Transport } from "@connectrpc/connect";

import { ColtExpressError, errorOf } from "./errors.js";
import { type Retries, Trying } from "./retries.js";

/** Who calls, and how a call is ended early. */
export interface CallOptions {
  /** A host's or a seat's; none to call as a spectator. A secret. */
  readonly token?: string;
  /** Ends the call, or the watch; what waits for it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The transport of a client, with what all its calls have in common. */
export class Connection {
  constructor(
    private readonly transport: Transport,
    private readonly headers: Readonly<Record<string, string>>,
    readonly retries: Retries,
  ) {}

  /** Calls a method until it answers, with the same request every time. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    { token, signal }: CallOptions = {},
  ): Promise<MessageShape<O>> {
    this.check(method, request, token);
    const trying = new Trying(this.retries);
    for (;;) {
      try {
        const timeout = this.retries.attemptMs;
        const headers = this.headersOf(token, request);
        return (await this.transport.unary(method, signal, timeout, headers, request)).message;
      } catch (failure) {
        await trying.waitAfter(errorOf(failure), signal);
      }
    }
  }

  /**
   * Throws ColtExpressError if a request cannot be sent. Transports fail then as if the connection
   * had broken.
   */
  check<I extends DescMessage>(
    { input }: DescMethod & { readonly input: I },
    request: MessageInitShape<I>,
    token: string | undefined,
  ): void {
    try {
      new Headers(this.headersOf(token, request));
    } catch {
      // What is wrong with them is not repeated: there are secrets among them.
      throw new ColtExpressError("these headers cannot be sent", Code.InvalidArgument);
    }
    try {
      toBinary(input, create(input, request));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new ColtExpressError(message, Code.InvalidArgument, { cause });
    }
  }

  /** The messages of one stream. */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    { token, signal }: CallOptions,
  ): Promise<AsyncIterable<MessageShape<O>>> {
    const headers = this.headersOf(token, request);
    const input = only(request);
    return (await this.transport.stream(method, signal, undefined, headers, input)).message;
  }

  private headersOf(token: string | undefined, request: object): Record<string, string> {
    const game = gameOf(request);
    return {
      ...this.headers,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      // A proxy may lead all calls about a game to the same server, which then has it at hand.
      ...(game ? { "x-game": game } : {}),
    };
  }
}

/** The name of the game that a request is about, if a header can carry it; else empty. */
function gameOf(request: { readonly name?: unknown; readonly parent?: unknown }): string {
  const name = request.name ?? request.parent;
  return typeof name === "string" && /^[!-~]+$/.test(name) ? name : "";
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}
