// What page tests have in common: reading every number on screen, links made here, recordings.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";

/** A link to a scenario in the text form, made as src/scenario/link.rs specifies. */
export function linkTo(text, view = "") {
  const data = deflateRawSync(Buffer.from(text, "utf8"), { level: 9 });
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.writeUInt32BE(crc32(data), 4);
  return `#v=1&s=${Buffer.concat([head, data]).toString("base64url")}${view}`;
}

/** Every number on screen as `sock|field` -> value. Numbers that appear twice must agree. */
export async function numbers(page) {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll("[data-field][data-value]")].map((e) => [
      `${e.dataset.sock ?? ""}|${e.dataset.field}`,
      e.dataset.value,
    ]),
  );
  const all = new Map();
  for (const [key, value] of found) {
    if (!all.has(key)) all.set(key, new Set());
    all.get(key).add(value);
  }
  return all;
}

/** Where the page is: the step it says. */
export async function stepOf(page) {
  return Number(await page.locator(".transport input[type=range]").inputValue());
}

/** Waits until the page is at a step. */
export async function atStep(page, step) {
  const shown = (wanted) => document.querySelector(".transport .count b")?.textContent.replaceAll(",", "") === wanted;
  await page.waitForFunction(shown, String(step));
}

/** Goes to a step with the seek slider, as a keyboard or a finger would. */
export async function seek(page, step) {
  await page.locator(".transport input[type=range]").fill(String(step));
  await atStep(page, step);
}

/** Opens the table of all fields. */
export async function showAllFields(page) {
  await page.locator("details.all > summary").click();
  await page.locator(".all-fields table").first().waitFor();
}

/** A recording of a real kernel. */
export function recording(kernel, name) {
  const path = fileURLToPath(new URL(`../recordings/${kernel}/${name}.json`, import.meta.url));
  return { text: readFileSync(path, "utf8"), data: JSON.parse(readFileSync(path, "utf8")) };
}
