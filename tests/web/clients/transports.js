// Every way in which npm's clients reach the service from Node.

import * as node from "@connectrpc/connect-node";
import * as web from "@connectrpc/connect-web";

// connect-web is what browsers use, over fetch; connect-node is Node's own, over its sockets.
// http: the URL of the HTTP port; grpc: HOST:PORT. Call `close` when done: an HTTP/2 connection
// would keep Node alive.
export function transportsTo(http, grpc) {
  const sessions = new node.Http2SessionManager(`http://${grpc}`);
  const baseUrl = http;
  const httpVersion = "1.1";
  return {
    transports: {
      "connect-web, Connect, JSON": web.createConnectTransport({ baseUrl }),
      "connect-web, Connect, binary": web.createConnectTransport({ baseUrl, useBinaryFormat: true }),
      "connect-web, gRPC-Web": web.createGrpcWebTransport({ baseUrl }),
      "connect-node, Connect, compressed": node.createConnectTransport({
        baseUrl,
        httpVersion,
        sendCompression: node.compressionGzip,
        compressMinBytes: 0,
      }),
      "connect-node, gRPC-Web": node.createGrpcWebTransport({ baseUrl, httpVersion }),
      "connect-node, gRPC": node.createGrpcTransport({
        baseUrl: `http://${grpc}`,
        sessionManager: sessions,
      }),
    },
    close: () => sessions.abort(),
  };
}
