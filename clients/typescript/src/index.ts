// Play Colt Express against a Colt Express service, from Node or a browser.
//
//     const client = new Client("http://localhost:8080");
//     const seat = await client.join("games/...", { displayName: "Ten lines" });
//     for await (const decision of seat.decisions()) {
//       await seat.submit(decision, decision.options[0]!);
//     }
//
// Messages are those of the service's protos: `coltexpress/v1/game` and so on; those a program meets
// all the time can be imported from here.

export { Code } from "@connectrpc/connect";
export { Client, type ClientOptions, type JoinOptions } from "./client.js";
export type { CallOptions } from "./connection.js";
export { ColtExpressError, type ErrorDetails } from "./errors.js";
export type { Action } from "./gen/coltexpress/v1/action_pb.js";
export type { Decision, Option } from "./gen/coltexpress/v1/decision_pb.js";
export type { Commit, Event } from "./gen/coltexpress/v1/event_pb.js";
export type { Game } from "./gen/coltexpress/v1/game_pb.js";
export { GameService } from "./gen/coltexpress/v1/game_service_pb.js";
export { Host } from "./host.js";
export { newRequestId } from "./request_ids.js";
export { DEFAULT_RETRIES, type Retries } from "./retries.js";
export { Seat, type SubmitOptions } from "./seat.js";
export type { Step, WatchOptions } from "./watching.js";
