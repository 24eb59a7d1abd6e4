// A seat that plays a game to its end, over any transport, in Node and in browsers.

import { toJson } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";

import { CommitSchema } from "../generated/coltexpress/v1/event_pb.js";
import { EndOfStream_Reason, GameService } from "../generated/coltexpress/v1/game_service_pb.js";

export function bearer(token) {
  return { authorization: `Bearer ${token}` };
}

// Takes a free seat of a game, and returns what `play` needs to go on from there.
export async function join(transport, name) {
  const games = createClient(GameService, transport);
  const joined = await games.joinGame({ name, requestId: crypto.randomUUID() });
  return {
    games,
    name,
    seat: joined.seat,
    headers: bearer(joined.seatToken),
    cursor: joined.game.cursor,
  };
}

// Watches from the cursor to the end of the game, and answers every decision put to the seat. After
// so many commits the stream is given up, each time, and begun anew behind the last one.
//
// Returns the commits as JSON, how many streams it took and decisions it answered, and why the service
// ended streams.
export async function play({ games, name, seat, headers, cursor }, commitsPerStream) {
  const report = { seat, commits: [], streams: 0, answers: 0, ends: [] };
  const answered = new Set();

  async function decide(commit) {
    for (const decision of commit.decisions) {
      if (decision.seat !== seat || answered.has(decision.id)) continue;
      answered.add(decision.id);
      const { options } = decision;
      const { optionId } = options[Number(commit.version) % options.length];
      await games.submitAction(
        {
          name,
          decisionId: decision.id,
          answer: { case: "optionId", value: optionId },
          requestId: crypto.randomUUID(),
        },
        { headers },
      );
      report.answers += 1;
    }
  }

  while (!report.ends.length) {
    report.streams += 1;
    const leaving = new AbortController();
    let heard = 0;
    const stream = games.watchGame({ name, cursor }, { headers, signal: leaving.signal });
    for await (const { message } of stream) {
      if (message.case === "commit") {
        report.commits.push(toJson(CommitSchema, message.value));
        cursor = message.value.cursor;
        await decide(message.value);
        heard += 1;
        if (heard === commitsPerStream) break;
      } else if (message.case === "end") {
        report.ends.push(EndOfStream_Reason[message.value.reason]);
      }
    }
    leaving.abort();
  }
  return report;
}
