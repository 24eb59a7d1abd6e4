// Debian's Chromium, which is at $CHROMIUM, for one page.

import process from "node:process";

import { chromium } from "playwright-core";

const LIMIT_MS = 60_000;

// Opens a page and looks at it: `look` is given it, as playwright's.
//
// Prints, as JSON, what `look` found, the page's errors, and the origins that were asked for anything.
export async function visit(url, look) {
  const browser = await chromium.launch({
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
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    const errors = [];
    const origins = new Set();
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith("http")) origins.add(origin);
    });
    await page.goto(url);
    const found = await look(page);
    console.log(JSON.stringify({ found, errors, origins: [...origins] }));
  } finally {
    await browser.close();
  }
}
