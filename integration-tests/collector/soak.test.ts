import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it, jest } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";
import { withRedis } from "../redis.js";
import { withCollector } from "./collector.js";

jest.setTimeout(180_000);

const dir = mkdtempSync(join(tmpdir(), "soak-"));
afterAll(() => rmSync(dir, { recursive: true }));

withCollector("the soak of packages/bench, for twenty seconds", () => {
  withRedis("with faults on", () => {
    it("has all books exact, and leaves nothing", async () => {
      const program = join(root, "packages/bench/dist/soak/main.js");
      const args = ["--expose-gc", program, "--minutes", "0.33", "--each", "1000", "--share", "0.8", "--dir", dir];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      const said = (await text(child.stdout)).split("\n");
      expect(said.filter((line) => line.startsWith("DOES NOT HOLD"))).toEqual([]);
      expect(said.filter((line) => line.startsWith("holds")).length).toBeGreaterThan(15);
      expect(await ended).toBe(0);
    });
  });
});
