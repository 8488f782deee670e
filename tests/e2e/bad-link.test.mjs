// A link that does not open says which part is wrong, keeps its text and offers a way on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./harness.mjs";
import { linkTo } from "./page.mjs";

const GOOD = linkTo("socket s\nconnect s\nsend s 1000\n");

const CASES = [
  ["#hello", "v", 'this is not a skmem link: it has no part "v="'],
  ["#v=2&lesson=reserve-floor", "v", "this link was made by a newer skmem lab (version 2); this one reads up to version 1"],
  ["#v=1", "s or lesson", 'this link is incomplete: the part "s or lesson" is missing'],
  [`${GOOD}&step=99`, "step", 'the part "step=" of this link is "99"; expected a step from 0 to 3'],
  [GOOD.slice(0, -4), "s", /this link was cut short: the part "s=" has \d+ of \d+ bytes/],
  [linkTo("socket s\nsend s lots\n"), "s", /the scenario in this link has a fault: line 2, column 8: expected a number of bytes, found "lots"/],
];

for (const [hash, part, message] of CASES) {
  test(`${hash.slice(0, 40)}: ${String(message).slice(0, 60)}`, async () => {
    const page = await openPage(hash);
    await page.getByRole("heading", { name: "This link does not open" }).waitFor();
    const alert = await page.getByRole("alert").first().innerText();
    assert.ok(alert.startsWith(part), alert);
    if (message instanceof RegExp) assert.match(alert, message);
    else assert.ok(alert.includes(message), alert);
    assert.equal(await page.locator(".bad-link pre").innerText(), hash.slice(1));
    assert.equal(new URL(page.url()).hash, hash, "the address keeps the link");
    await page.getByRole("button", { name: "Open the first lesson" }).click();
    await page.locator(".stage").waitFor();
    assert.match(await page.title(), /The reserve that never leaves/);
  });
}

test("a bad link offers every lesson", async () => {
  const page = await openPage("#v=1&lesson=nothing");
  await page.locator(".lesson-list button").nth(1).click();
  await page.locator("h2", { hasText: "Lesson 2 of" }).waitFor();
});
