// The page at three sizes in two themes: nothing runs over, nothing is too small, axe finds nothing serious.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { openPage } from "./harness.mjs";
import { linkTo } from "./page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SIZES = [[1440, 900], [1280, 720], [390, 844]];
const BUSY = linkTo(
  "title Everything at once\nset net.ipv4.tcp_mem = 4 8 4000\nsocket s\nsetsockopt s SO_RCVBUF 8192\nconnect s\nsocket t\n" +
    "connect t\nsend t 300 x200\nrx s 1460 x3\nrx_at s +2920 1460 x2\nrx s 1460 x6\nread s 1000\n",
  "&step=9&sock=s",
);

for (const [width, height] of SIZES) {
  for (const theme of ["light", "dark"]) {
    for (const [name, hash] of [["first lesson", ""], ["a busy scenario", BUSY]]) {
      test(`${width}x${height} ${theme}: ${name}`, async () => {
        const page = await openPage(hash, { width, height, theme, reducedMotion: true });
        const faults = await page.evaluate(look);
        assert.deepEqual(faults, []);
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
        const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
        const said = serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
        assert.deepEqual(said, []);
      });
    }
  }
}

/** Runs in the page: what is too small, too wide, or cut off. */
function look() {
  const faults = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".sr, kbd, svg.sr");
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !seen(e)) continue;
    const size = Number.parseFloat(getComputedStyle(e).fontSize);
    if (size < 14) faults.push(`${size} px: ${node.data.trim().slice(0, 40)}`);
  }
  const least = innerWidth < 761 ? 30 : 24;
  for (const e of document.querySelectorAll("button, select, input, summary")) {
    if (!seen(e)) continue;
    const box = e.getBoundingClientRect();
    if (box.height < least || box.width < 24) {
      faults.push(`target ${Math.round(box.width)}x${Math.round(box.height)}: ${e.textContent.slice(0, 30)}`);
    }
  }
  for (const card of document.querySelectorAll(".card")) {
    if (seen(card) && card.scrollWidth > card.clientWidth + 1) faults.push(`${card.className} is cut off at its side`);
  }
  return faults;
}
