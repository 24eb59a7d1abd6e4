// npm's clients in Node: node run.js HTTP_URL GRPC_ADDRESS COMMITS_PER_STREAM
//
// Prints, as JSON, what came of it.

import { Http2SessionManager } from "@connectrpc/connect-node";

import { exercise } from "./exercise.js";
import { nodeTransports } from "./node.js";
import { webTransports } from "./web.js";

const [http, grpc, commitsPerStream] = process.argv.slice(2);
const sessions = new Http2SessionManager(`http://${grpc}`);
const transports = { ...webTransports(http), ...nodeTransports(http, grpc, sessions) };
console.log(JSON.stringify(await exercise(transports, Number(commitsPerStream))));
sessions.abort(); // else it would keep Node alive
