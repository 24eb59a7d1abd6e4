// Reads the page about the API in Chromium and tries it: node docs.js ORIGIN
//
// Prints the operations that it shows, what the first one answered when it was tried, what went
// wrong, and what was loaded from elsewhere.

import process from "node:process";

import { launched } from "./chromium.js";

const LIMIT_MS = 60_000;
const [, , origin] = process.argv;

const browser = await launched();
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const wrong = [];
  const elsewhere = [];
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) elsewhere.push(url);
  });
  await page.goto(`${origin}/docs`);
  await page.waitForSelector(".opblock");
  const ids = await page.$$eval(".opblock", (blocks) => blocks.map((block) => block.id));
  await page.click("#operations-Server-GetServerInfo .opblock-summary-control");
  await page.click("#operations-Server-GetServerInfo .try-out__btn");
  await page.click("#operations-Server-GetServerInfo .execute");
  const answer = await page.waitForSelector(".live-responses-table tbody .response-col_status");
  const status = (await answer.textContent()).trim();
  console.log(JSON.stringify({ ids, status, wrong, elsewhere }));
} finally {
  await browser.close();
}
