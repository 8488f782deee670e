// Adds a Content-Security-Policy to the built page: nothing but this page's own files, no
// eval, and of inline scripts only those that Trunk wrote, each named by its hash.
// Usage: node tools/csp.mjs dist/index.html
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const file = process.argv[2];
const html = readFileSync(file, "utf8");

const inlineScripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)];
const hashes = inlineScripts.map(
  ([, text]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
);
const policy = [
  "default-src 'self'",
  `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(" ")}`,
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const withoutOld = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
// First in the head: a policy binds only what comes after it.
const result = withoutOld.replace(/<head>/, () => `<head>${meta}`);
if (!result.includes(meta)) throw new Error(`${file} has no <head> to hold the policy`);
writeFileSync(file, result);
