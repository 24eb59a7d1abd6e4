// The service's page about itself, read and tried on: node read_docs.js URL
//
// Finds the names of all operations, and the status and body of a call made from the page.

import { visit } from "./chromium.js";

await visit(process.argv[2], async (page) => {
  await page.waitForSelector(".opblock");
  const operations = await page.$$eval(".opblock", (all) => all.map(({ id }) => id));
  const server = page.locator("[id$=GetServerInfo]");
  await server.locator(".opblock-summary-control").click();
  await server.locator(".try-out__btn").click();
  await server.locator(".execute").click();
  const answer = server.locator(".live-responses-table .response").first();
  const status = await answer.locator(".response-col_status").textContent();
  const body = await answer.locator(".highlight-code, .microlight").first().textContent();
  return { operations, status, body };
});
