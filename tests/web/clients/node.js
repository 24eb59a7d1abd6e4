// connect-node's transports: over Node's own sockets.

import * as node from "@connectrpc/connect-node";

// http: the URL of the HTTP port. grpc: HOST:PORT. sessions: of HTTP/2, over `grpc`.
export function nodeTransports(http, grpc, sessions) {
  const web = { baseUrl: http, httpVersion: "1.1" };
  return {
    "Connect, compressed": node.createConnectTransport({
      ...web,
      sendCompression: node.compressionGzip,
      compressMinBytes: 0,
    }),
    "gRPC-Web": node.createGrpcWebTransport(web),
    gRPC: node.createGrpcTransport({ baseUrl: `http://${grpc}`, sessionManager: sessions }),
  };
}
