import type { components } from "./colt-express";

type Schemas = components["schemas"];

export const fly: Schemas["ActionInput"] = { fly: { space: "3.roof" } }; // no such kind
export const state: Schemas["Game"]["state"] = "STATE_PAUSED"; // no such value
export const version: Schemas["Game"]["version"] = 7; // 64 bits are a text
export const silent: Schemas["SubmitActionRequest"] = { decisionId: "7", requestId: "" }; // no answer
export const join: Schemas["JoinGameRequest"] = { displayName: "Ann" }; // no request id
