import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { runs } from "../../../../../scripts/runs.mjs";
import { temporaryDirectory } from "../../../audit/test/support.js";

const MEGABYTES = runs(50);

it(`a log of ${MEGABYTES} MB is followed within the memory of a few commits, however slow the target`, async () => {
  const fixture = join(import.meta.dirname, "..", "fixtures", "follow-much.mjs");
  const dir = await temporaryDirectory();
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", fixture, dir, String(MEGABYTES)]);
  const { records, grown } = JSON.parse(stdout) as { records: number; grown: number };
  expect(records).toBeGreaterThan(64 * MEGABYTES);
  expect(grown).toBeLessThan(16 * 1024 * 1024);
}, 600_000);
