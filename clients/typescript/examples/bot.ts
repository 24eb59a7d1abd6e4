// Takes a seat of a game, plays any option there is, and ends with the game.
//
//     node bot.js --service http://localhost:8080 --game games/... [--seat 1] [--join-code CODE] [--name NAME]
//
// The service is a URL of HTTP, or HOST:PORT of gRPC. What is not given is looked for in the
// environment: COLTEXPRESS_HTTP, COLTEXPRESS_TARGET, COLTEXPRESS_GAME, COLTEXPRESS_SEAT,
// COLTEXPRESS_JOIN_CODE.

import { parseArgs } from "node:util";

import { Client } from "coltexpress";
import { grpcTransport } from "coltexpress/node";

const { values } = parseArgs({
  options: {
    service: { type: "string" },
    game: { type: "string" },
    seat: { type: "string" },
    "join-code": { type: "string" },
    name: { type: "string" },
  },
});

/** What the environment says; an empty variable says nothing. */
function variable(name: string): string | undefined {
  return process.env[`COLTEXPRESS_${name}`] || undefined;
}

/** Takes a seat and answers its decisions until the game is over. */
async function play(client: Client, game: string, seatNumber: string | undefined): Promise<void> {
  const name = values.name ?? "TypeScript bot";
  const joinCode = values["join-code"] ?? variable("JOIN_CODE");
  const seat = await client.join(game, {
    displayName: name,
    ...(seatNumber === undefined ? {} : { seat: Number(seatNumber) }),
    ...(joinCode === undefined ? {} : { joinCode }),
  });
  console.log(`${name} has seat ${seat.number} of ${seat.game}`);
  for await (const decision of seat.decisions()) {
    // Whatever it is about, and however new: every option is legal, and has an id.
    const { options } = decision;
    const option = options[Math.floor(Math.random() * options.length)];
    if (option) await seat.submit(decision, option);
  }
}

const service =
  values.service ?? variable("HTTP") ?? variable("TARGET") ?? "http://localhost:8080";
const game = values.game ?? variable("GAME");
if (game === undefined) {
  console.error("which game? give --game or COLTEXPRESS_GAME");
  process.exit(2);
}
if (/^https?:/.test(service)) {
  await play(new Client(service), game, values.seat ?? variable("SEAT"));
} else {
  const transport = grpcTransport(service);
  try {
    await play(new Client(transport), game, values.seat ?? variable("SEAT"));
  } finally {
    transport.close();
  }
}
