// What a set of transports is tried with, in Node and in browsers.

import { createClient } from "@connectrpc/connect";

import { GameService } from "../generated/coltexpress/v1/game_service_pb.js";
import { refusalsOver } from "./refusals.js";
import { bearer, join, play } from "./seat.js";

// Plays a game with a seat on each transport, and has calls refused over each.
//
// Returns the game's name, what each seat reports, and how each call was refused.
export async function exercise(transports, commitsPerStream) {
  const all = Object.values(transports);
  const host = createClient(GameService, all[0]);
  const created = await host.createGame({
    game: { seats: all.map(() => ({})) },
    seed: new Uint8Array(32),
    requestId: crypto.randomUUID(),
  });
  const { name } = created.game;
  const seats = [];
  for (const transport of all) seats.push(await join(transport, name));
  await host.startGame(
    { name, requestId: crypto.randomUUID() },
    { headers: bearer(created.hostToken) },
  );
  const played = await Promise.all(seats.map((seat) => play(seat, commitsPerStream)));
  const refused = {};
  for (const [kind, transport] of Object.entries(transports)) {
    refused[kind] = await refusalsOver(transport);
  }
  return { name, played, refused };
}
