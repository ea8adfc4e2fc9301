import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { runModule } from "./support.js";

describe("the README's first example", () => {
  it("runs as printed, and prints the output below it", async () => {
    const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
    const [, example = ""] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const [, printed = ""] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    const log = jest.spyOn(console, "log").mockImplementation(() => {});
    try {
      await runModule(example);
      expect(log.mock.calls.map((line) => `${line.join(" ")}\n`).join("")).toBe(printed);
    } finally {
      log.mockRestore();
    }
  });
});
