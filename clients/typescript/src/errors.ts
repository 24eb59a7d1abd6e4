// Why the service refused a request, or why it could not be reached.

import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";

import {
  ErrorInfoSchema,
  LocalizedMessageSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

const DOMAIN = "coltexpress";

/** What an error says beside its message and code. */
export interface ErrorDetails {
  /**
   * A value of ErrorReason without its prefix, for programs to branch on; empty where the error does
   * not come from the service itself.
   */
  readonly reason?: string;
  /** What else the service says, by name. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** One sentence for players, in the client's language; empty where it has none. */
  readonly text?: string;
  /** Milliseconds after which the service wants to be asked again; undefined if it says nothing. */
  readonly retryAfterMs?: number | undefined;
  /** The error that this one comes from. */
  readonly cause?: unknown;
}

/** A request that was refused, or that failed. */
export class ColtExpressError extends Error {
  override readonly name = "ColtExpressError";
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** The field of the request that is wrong, e.g. `seats[1].figures`; often empty. */
  readonly field: string;
  /** The paragraph of the rules that forbids a choice, e.g. `1.6.4`; often empty. */
  readonly rule: string;

  /**
   * @param message One sentence for developers.
   * @param code The status, as in gRPC.
   */
  constructor(
    message: string,
    readonly code: Code,
    details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause });
    this.reason = details.reason ?? "";
    this.metadata = details.metadata ?? {};
    this.text = details.text ?? "";
    this.retryAfterMs = details.retryAfterMs;
    this.field = this.metadata["field"] ?? "";
    this.rule = this.metadata["rule"] ?? "";
  }
}

/** The typed error that a failed call stands for. */
export function errorOf(failure: unknown): ColtExpressError {
  if (failure instanceof ColtExpressError) return failure;
  const error = ConnectError.from(failure);
  const info = error.findDetails(ErrorInfoSchema).find(({ domain }) => domain === DOMAIN);
  const retry = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  // The service says both over HTTP, a proxy the header alone.
  const header = 1000 * Number(error.metadata.get("retry-after") ?? NaN);
  return new ColtExpressError(error.rawMessage, error.code, {
    reason: info?.reason ?? "",
    metadata: info?.metadata ?? {},
    text: error.findDetails(LocalizedMessageSchema)[0]?.message ?? "",
    retryAfterMs: retry ? durationMs(retry) : header > 0 ? header : undefined,
    cause: failure,
  });
}

const UNREACHABLE: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled, // by the other side: an own cancellation is told by its signal
]);

/**
 * What transports give where a connection broke, or a proxy answered for a server that is gone: each
 * has words of its own for it.
 */
const BROKEN: ReadonlySet<Code> = new Set([
  Code.Unknown,
  Code.Internal,
  Code.Aborted,
  Code.InvalidArgument, // a message that ends before its time
]);

/** Whether the same request may succeed later. */
export function mayPass({ code, reason, retryAfterMs }: ColtExpressError): boolean {
  return (
    UNREACHABLE.has(code) ||
    // The service gives a reason for all that it refuses.
    (BROKEN.has(code) && reason === "") ||
    reason === "CONFLICT" ||
    (code === Code.ResourceExhausted && retryAfterMs !== undefined)
  );
}
