// The page's program stays small enough for a slow line: 350 KB as a host would send it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { DIST } from "./harness.mjs";

const LIMIT = 350 * 1024;

test("the wasm is at most 350 KB under brotli", (t) => {
  const wasm = readdirSync(DIST).filter((name) => name.endsWith(".wasm"));
  assert.equal(wasm.length, 1, `one program in dist/, not ${wasm.length}`);
  const raw = readFileSync(join(DIST, wasm[0]));
  const packed = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  t.diagnostic(`${raw.length} bytes raw, ${packed.length} bytes brotli, limit ${LIMIT}`);
  assert.ok(packed.length <= LIMIT, `${packed.length} bytes brotli exceed ${LIMIT}`);
});
