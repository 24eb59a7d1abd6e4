// A program that the types of the document let pass.
import type { components, operations } from "./colt-express";

type Schemas = components["schemas"];

export function answer(game: Schemas["Game"], seat: number): Schemas["SubmitActionRequest"] | null {
  const decision = game.decisions.find((each) => each.seat === seat);
  if (decision === undefined) return null;
  const requestId = "00000000-0000-4000-8000-000000000000";
  return { decisionId: decision.id, optionId: decision.options[0].optionId, requestId };
}

export const move: Schemas["ActionInput"] = { move: { space: "3.roof" } };
export const created: Schemas["CreateGameRequest"] = {
  game: { seats: [{ figures: ["DOC"] }, {}, {}], visibility: "VISIBILITY_PRIVATE", clock: null },
  requestId: "00000000-0000-4000-8000-000000000000",
};
export const query: operations["GetGame"]["parameters"]["query"] = { waitForVersion: "12" };

export function told(message: Schemas["WatchGameResponse"]): string {
  if ("commit" in message) return message.commit.version;
  if ("game" in message) return message.game.version;
  return "heartbeat" in message ? message.heartbeat.cursor : message.end.reason;
}
