// How refusals reach clients.

import { Code, ConnectError, createClient } from "@connectrpc/connect";

import { GameService } from "../generated/coltexpress/v1/game_service_pb.js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  LocalizedMessageSchema,
} from "../generated/google/rpc/error_details_pb.js";
import { bearer } from "./seat.js";

const NOBODYS = `games/00${"a".repeat(24)}`;
const SPANISH = { "accept-language": "es" };

// The error that a call ends with: what it is for programs, and for players.
async function refusal(calling) {
  let error;
  try {
    await calling();
    return "not refused";
  } catch (raised) {
    error = ConnectError.from(raised);
  }
  const [info] = error.findDetails(ErrorInfoSchema);
  const [bad] = error.findDetails(BadRequestSchema);
  const [localized] = error.findDetails(LocalizedMessageSchema);
  return {
    code: Code[error.code],
    reason: info?.reason,
    domain: info?.domain,
    metadata: info?.metadata,
    fields: bad?.fieldViolations.map((violation) => violation.field),
    language: localized?.locale,
  };
}

async function first(stream) {
  for await (const message of stream) return message;
}

// What a transport makes of each of some calls that are refused.
export async function refusalsOver(transport) {
  const games = createClient(GameService, transport);
  const created = await games.createGame({
    game: { seats: [{}, {}, {}] },
    requestId: crypto.randomUUID(),
  });
  const { name } = created.game;
  const requestId = crypto.randomUUID();
  const spanish = { headers: SPANISH };
  const asHost = { headers: { ...SPANISH, ...bearer(created.hostToken) } };
  return {
    noSuchGame: await refusal(() => games.getGame({ name: NOBODYS }, spanish)),
    wrongField: await refusal(() => games.listGames({ pageSize: -1 }, spanish)),
    noToken: await refusal(() => games.startGame({ name, requestId }, spanish)),
    tooEarly: await refusal(() => games.startGame({ name, requestId }, asHost)),
    wrongCursor: await refusal(() => first(games.watchGame({ name, cursor: "none" }, spanish))),
    outOfTime: await refusal(() =>
      games.getGame({ name, waitForVersion: 1000n }, { ...spanish, timeoutMs: 100 }),
    ),
  };
}
