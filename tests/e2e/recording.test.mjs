// The page against recordings of a real kernel: every number on screen at every step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./harness.mjs";
import { numbers, recording, seek, showAllFields } from "./page.mjs";

/** Everything a recorded step says, as `sock|field` -> exact integer in text. */
function recorded(step) {
  const all = new Map();
  const walk = (sock, prefix, value) => {
    if (typeof value === "number") all.set(`${sock}|${prefix}`, String(value));
    else if (value === "no" || value === "yes") all.set(`${sock}|${prefix}`, value === "yes" ? "1" : "0");
    else if (value && typeof value === "object" && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) walk(sock, prefix ? `${prefix}.${key}` : key, inner);
    }
  };
  for (const [name, sock] of Object.entries(step.state.socks)) walk(name, "", sock);
  walk("", "", step.state.global);
  all.set("|ret", String(step.ret));
  if (step.errno) all.set("|errno", String(step.errno));
  return all;
}

for (const name of ["r08_reserve_tx_cycle", "x04_rx_min_rcvbuf"]) {
  test(`every number on screen is the kernel's: ${name} on 6.12.117`, async () => {
    const { text, data } = recording("6.12.117", name);
    const page = await openPage();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.locator("#open-text").fill(text);
    await page.locator("dialog").getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForFunction((n) => document.querySelector(".transport input").max === String(n), data.steps.length);
    await showAllFields(page);
    let compared = 0;
    const wrong = [];
    for (const [i, step] of data.steps.entries()) {
      await seek(page, i + 1);
      const shown = await numbers(page);
      for (const [key, value] of recorded(step)) {
        const [sock, field] = key.split("|");
        const skipped = [`socks.${sock}.${field}`, `${sock}.${field}`, field, `global.${field}`].some((path) =>
          (data.not_compared[path] ?? []).includes(i),
        );
        if (skipped || !shown.has(key)) continue;
        compared += 1;
        const values = [...shown.get(key)];
        if (values.length !== 1 || values[0] !== value) wrong.push(`step ${i + 1} ${key}: ${values} on screen, ${value} recorded`);
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(compared > data.steps.length * 25, `only ${compared} numbers compared`);
  });
}
