// Opens a page in Chromium, which is at $CHROMIUM: node browser.js URL
//
// Prints what the page writes into its element `#report`; what goes wrong in it, to standard error.

import process from "node:process";

import { launched } from "./chromium.js";

const LIMIT_MS = 60_000;

const browser = await launched();
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
