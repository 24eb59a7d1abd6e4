// Starts Chromium, which is at $CHROMIUM.

import process from "node:process";

import { chromium } from "playwright-core";

export function launched() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid() !== 0,
    // Nothing but the page goes to the network.
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
