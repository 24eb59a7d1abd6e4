// A player with nothing but what browsers have: plain.html?api=HTTP_URL&game=games/...
//
// Takes a seat, watches, and answers every decision until the game is over.

import { report } from "./report.js";

const FINAL = ["REASON_GAME_OVER", "REASON_GAME_DELETED", "REASON_TOKEN_REVOKED"];

const asked = new URLSearchParams(location.search);
const game = `${asked.get("api")}/v1/${asked.get("game")}`;

// Whatever has a request id may be sent again when the connection broke.
async function post(url, body, token, attempts = 3) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  } catch (error) {
    if (attempts === 1) throw error;
    return post(url, body, token, attempts - 1);
  }
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error.message);
  return found;
}

async function play() {
  const requestId = crypto.randomUUID();
  const { seat, seatToken, game: joined } = await post(`${game}:join`, { requestId });
  const { token } = await post(`${game}:createWatchToken`, {}, seatToken);

  const commits = [];
  const answers = [];
  const ends = [];
  let connections = 0;

  async function decide(commit) {
    const decision = commit.decisions.find((each) => each.seat === seat);
    if (!decision || answers.some(({ decisionId }) => decisionId === decision.id)) return;
    const option = decision.options[Number(commit.version) % decision.options.length];
    const answer = {
      decisionId: decision.id,
      optionId: option.optionId,
      requestId: crypto.randomUUID(),
    };
    answers.push(answer);
    await post(`${game}/actions`, answer, seatToken);
  }

  return new Promise((resolve, reject) => {
    const query = new URLSearchParams({ access_token: token, cursor: joined.cursor });
    const source = new EventSource(`${game}/events:watch?${query}`);
    source.addEventListener("open", () => (connections += 1));
    source.addEventListener("commit", ({ data }) => {
      const { commit } = JSON.parse(data);
      commits.push(commit);
      decide(commit).catch(reject);
    });
    source.addEventListener("failure", ({ data }) => reject(new Error(data)));
    source.addEventListener("end", ({ data }) => {
      const { reason } = JSON.parse(data).end;
      ends.push(reason);
      if (!FINAL.includes(reason)) return; // it goes on with the next connection
      source.close();
      resolve({ seat, commits, answers: answers.length, connections, ends });
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) reject(new Error("the watch was refused"));
    });
  });
}

report(play());
