// gRPC, which Node speaks and browsers do not.

import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";

/** As much as the service sends at most, in bytes. */
const LARGEST_REPLY = 64 * 1024 * 1024;

/** A transport, and how its connection is closed. */
export interface ClosableTransport extends Transport {
  /** Ends the connection; calls in flight fail. */
  close(): void;
}

/**
 * gRPC over one connection, made when it is needed: `new Client(grpcTransport("localhost:50051"))`.
 *
 * @param target "HOST:PORT", or "https://HOST:PORT" for TLS.
 */
export function grpcTransport(target: string): ClosableTransport {
  const baseUrl = target.includes("://") ? target : `http://${target}`;
  const session = new Http2SessionManager(baseUrl, {
    // Find out that the other side is gone even where it cannot say so.
    pingIntervalMs: 30_000,
    pingTimeoutMs: 10_000,
  });
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager: session,
    readMaxBytes: LARGEST_REPLY,
  });
  return { ...transport, close: () => session.abort() };
}
