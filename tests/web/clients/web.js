// connect-web's transports, for browsers and for Node: what is over fetch.

import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";

// baseUrl: of the HTTP port.
export function webTransports(baseUrl) {
  return {
    "Connect, JSON, over fetch": createConnectTransport({ baseUrl }),
    "Connect, binary, over fetch": createConnectTransport({ baseUrl, useBinaryFormat: true }),
    "gRPC-Web, over fetch": createGrpcWebTransport({ baseUrl }),
  };
}
