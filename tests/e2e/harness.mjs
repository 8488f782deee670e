// What every page test needs: the built page behind a small static server, and Chromium.
// Node built-ins and playwright-core only. README.md beside this file shows its use.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { after, afterEach } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const DIST = process.env.SKMEM_DIST ?? fileURLToPath(new URL("../../dist/", import.meta.url));

// The page must work below any path, so it is never served from "/".
const MOUNT = "/some/where/lab/";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const CHROME = process.env.CHROME ?? "/usr/bin/chromium";
const CHROME_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const PATIENCE_MS = 15_000;

// ---- the server -------------------------------------------------------------------

/** Serves `dir` below MOUNT on a free port. Returns `{ url, close }`. */
export async function serve(dir = DIST) {
  assert.ok(existsSync(join(dir, "index.html")), `${dir} holds no built page: run ./dev build first`);
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    // Browsers ask for this at the root by themselves; it is no part of the page.
    if (path === "/favicon.ico") return response.writeHead(204).end();
    const file = fileBelow(dir, path);
    const body = file && (await readFile(file).catch(() => null));
    if (!body) return response.writeHead(404).end(`not here: ${path}\n`);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${server.address().port}${MOUNT}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

function fileBelow(dir, path) {
  if (!path.startsWith(MOUNT)) return null;
  const relative = normalize(`/${path.slice(MOUNT.length)}`); // no way up out of `dir`
  return join(dir, relative.endsWith("/") ? `${relative}index.html` : relative);
}

// ---- the browser ------------------------------------------------------------------

let shared; // one server and one browser for a test file, started by the first openPage
const opened = []; // the pages of the running test: { context, problems, allow }

async function start() {
  const [server, browser] = await Promise.all([
    serve(),
    chromium.launch({ executablePath: CHROME, args: CHROME_FLAGS }),
  ]);
  return { server, browser };
}

/**
 * Opens the page at `hash` ("" or "#...") and waits until the app has rendered.
 *
 * Options: `width`, `height` (1280x800), `theme` ("light" | "dark": what the system says),
 * `reducedMotion` (boolean), `ready` (false: do not wait), `allow` (regular expressions of
 * problems that this test expects), `context` (more Playwright context options).
 *
 * Any console error, uncaught exception, failed request or request to another host fails
 * the test. Pages close by themselves after each test.
 */
export async function openPage(hash = "", options = {}) {
  const {
    width = 1280,
    height = 800,
    theme = "light",
    reducedMotion = false,
    ready = true,
    allow = [],
    context: more = {},
  } = options;
  shared ??= start();
  const { server, browser } = await shared;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    locale: "en-US",
    timezoneId: "UTC",
    ...more,
  });
  const problems = [];
  opened.push({ context, problems, allow });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  watch(page, problems, new URL(server.url).origin);
  await page.goto(server.url + hash);
  if (ready) await waitUntilReady(page, problems);
  return page;
}

function watch(page, problems, origin) {
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console error: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error}`));
  page.on("requestfailed", (request) =>
    problems.push(`request failed: ${request.url()} (${request.failure()?.errorText})`),
  );
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== origin) {
      problems.push(`request to another host: ${url}`);
    }
  });
}

/** Waits for `<html data-ready="true">`, which the app sets after its first render. */
export async function waitUntilReady(page, problems = []) {
  try {
    await page.locator('html[data-ready="true"]').waitFor({ state: "attached" });
  } catch (cause) {
    const seen = problems.length > 0 ? problems.join("\n") : "the console shows no error";
    throw new Error(`the app did not become ready: ${seen}`, { cause });
  }
}

afterEach(async () => {
  const pages = opened.splice(0);
  await Promise.all(pages.map(({ context }) => context.close()));
  const unexpected = pages.flatMap(({ problems, allow }) =>
    problems.filter((problem) => !allow.some((pattern) => pattern.test(problem))),
  );
  assert.deepEqual(unexpected, [], "the page reported problems");
});

after(async () => {
  if (!shared) return;
  const { server, browser } = await shared;
  await browser.close();
  await server.close();
});
