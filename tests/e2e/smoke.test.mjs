// The built page starts: below a sub-path, under its content policy, without a console error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./harness.mjs";

test("the page starts and shows its title", async () => {
  const page = await openPage();
  assert.match(await page.title(), /skmem lab/i);
  assert.match(await page.locator("body").innerText(), /skmem/i);
});

test("the page starts on a phone, in the dark, without motion", async () => {
  const page = await openPage("", { width: 390, height: 844, theme: "dark", reducedMotion: true });
  assert.match(await page.title(), /skmem lab/i);
});

test("inline scripts other than Trunk's are refused by the content policy", async () => {
  const page = await openPage("", { allow: [/Content Security Policy/] });
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.intruder = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.intruder), undefined);
});
