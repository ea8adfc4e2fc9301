import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "@jest/globals";

it("runs 50 tools and 50 sub-agents at once on one signal, and Node warns of no leak", () => {
  const program = join(import.meta.dirname, "fixtures", "many-at-once.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, ["--trace-warnings", program], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout).toBe("run done 150\nstream done 150\n");
});
