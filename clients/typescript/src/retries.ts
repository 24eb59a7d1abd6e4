// How often and how fast a failed call is tried again. Repeating a call is safe: all that changes
// something carries a request id, and the service carries a request out once however often it comes.

import { type ColtExpressError, mayPass } from "./errors.js";

/** When to give up, and how long to wait between attempts; all in milliseconds. */
export interface Retries {
  /** How long one attempt may take. */
  readonly attemptMs: number;
  /** How long after the first failure no further attempt is begun; 0 never tries twice. */
  readonly patienceMs: number;
  /**
   * Waited before the second attempt, and doubled before each further one. What is waited is a
   * random part of it, so that clients do not come back all at once.
   */
  readonly firstWaitMs: number;
  /** What doubling stops at. */
  readonly longestWaitMs: number;
}

export const DEFAULT_RETRIES: Retries = {
  attemptMs: 10_000,
  patienceMs: 60_000,
  firstWaitMs: 100,
  longestWaitMs: 5_000,
};

/** The attempts at one request. */
export class Trying {
  #giveUp: number | undefined;
  #wait: number;

  constructor(private readonly retries: Retries) {
    this.#wait = retries.firstWaitMs;
  }

  /** Forgets the failures so far. */
  succeeded(): void {
    this.#giveUp = undefined;
    this.#wait = this.retries.firstWaitMs;
  }

  /**
   * Waits before the next attempt; throws the error if another one is of no use or comes too late,
   * and the signal's reason if that is aborted.
   */
  async waitAfter(error: ColtExpressError, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!mayPass(error)) throw error;
    const now = Date.now();
    this.#giveUp ??= now + this.retries.patienceMs;
    let wait = error.retryAfterMs;
    if (wait === undefined) {
      wait = this.#wait * (0.5 + Math.random() / 2);
      this.#wait = Math.min(2 * this.#wait, this.retries.longestWaitMs);
    }
    if (now + wait > this.#giveUp) throw error;
    await sleep(wait, signal);
  }
}

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
