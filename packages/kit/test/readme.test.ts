import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { blocks } from "../../../scripts/readme.mjs";

describe("the README", () => {
  it("has examples that run, of which the first prints what is printed below it", async () => {
    const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
    const examples = blocks(readme, "ts");
    const folder = await mkdtemp(join(tmpdir(), "suite-kit-"));
    const log = jest.spyOn(console, "log").mockImplementation(() => {});
    try {
      for (const [at, example] of examples.entries()) {
        await writeFile(join(folder, `example${at}.ts`), example);
        await import(join(folder, `example${at}.ts`));
      }
      expect(examples).toHaveLength(7);
      expect(log.mock.calls.map((line) => `${line.join(" ")}\n`).join("")).toBe(blocks(readme, "text")[0]);
    } finally {
      log.mockRestore();
      await rm(folder, { recursive: true });
    }
  });
});
