// A game with each seat on another transport: node game.js HTTP_URL GRPC_ADDRESS COMMITS_A_STREAM
//
// Prints, as JSON, the game's name and what each seat reports.

import { createClient } from "@connectrpc/connect";

import { GameService } from "../generated/coltexpress/v1/game_service_pb.js";
import { bearer, join, play } from "./seat.js";
import { transportsTo } from "./transports.js";

const { transports, close } = transportsTo(process.argv[2], process.argv[3]);
const host = createClient(GameService, Object.values(transports)[0]);
const created = await host.createGame({
  game: { seats: Object.keys(transports).map(() => ({})) },
  seed: new Uint8Array(32),
  requestId: crypto.randomUUID(),
});
const { name } = created.game;

const seats = [];
for (const transport of Object.values(transports)) seats.push(await join(transport, name));
await host.startGame(
  { name, requestId: crypto.randomUUID() },
  { headers: bearer(created.hostToken) },
);
const reports = await Promise.all(seats.map((seat) => play(seat, Number(process.argv[4]))));
close();

const names = Object.keys(transports);
console.log(
  JSON.stringify({
    name,
    seats: reports.map((report, at) => ({ transport: names[at], ...report })),
  }),
);
