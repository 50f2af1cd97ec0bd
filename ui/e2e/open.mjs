// How long a report takes from navigation to its first chart: node open.mjs REPORT.html [TIMES]. Prints milliseconds, a line for
// each time. CHROMIUM: the browser, /usr/bin/chromium without it.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [file, times = "5"] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
  ],
});
try {
  for (let i = 0; i < Number(times); i++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector(".chart svg path")) window.firstChart_ms = performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(pathToFileURL(resolve(file)).href);
    await page.waitForFunction(() => window.firstChart_ms !== undefined, null, {
      timeout: 120_000,
    });
    console.log((await page.evaluate(() => window.firstChart_ms)).toFixed(0));
    await page.close();
  }
} finally {
  await browser.close();
}
