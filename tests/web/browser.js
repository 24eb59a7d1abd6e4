// Opens a page in Chromium, which is at $CHROMIUM: node browser.js URL
//
// Prints what the page writes into its element `#report`; what goes wrong in it, to standard error.

import process from "node:process";

import { chromium } from "playwright-core";

const LIMIT_MS = 60_000;

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
  page.on("console", (message) => console.error(message.text()));
  page.on("pageerror", (error) => console.error(error));
  await page.goto(process.argv[2]);
  const report = await page.waitForSelector("#report:not(:empty)", { timeout: LIMIT_MS });
  console.log(await report.textContent());
} finally {
  await browser.close();
}
