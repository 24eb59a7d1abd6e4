// What a page of ours reports, in its element `#report`: node report_of.js URL

import { visit } from "./chromium.js";

await visit(process.argv[2], async (page) => {
  const report = await page.waitForSelector("#report:not(:empty)");
  return JSON.parse(await report.textContent());
});
