import { describe, expect, it } from "@jest/globals";
import { main } from "../src/cli/main.js";
import { printed, within } from "./command.js";
import { packages } from "./support.js";

const app = { "package.json": { dependencies: { "@suite/core": "*" } } };

describe("suite doctor", () => {
  it("prints a table, and ends with 0 where nothing is wrong", async () => {
    within({ ...app, ...packages({ "@suite/core": {} }) });
    expect(await main(["doctor"])).toBe(0);
    expect(printed.join("\n")).toMatch(/^ok {5}node .*\nok {5}@suite\/core +0\.1\.0\n[\s\S]*\n\nNothing is wrong\.$/);
  });

  it("prints advice below a row, and exits with 1 if a check fails", async () => {
    within(app);
    expect(await main(["doctor"])).toBe(1);
    expect(printed.join("\n")).toMatch(/^WRONG {2}@suite\/… .*\n +-> suite init/);
    expect(printed.join("\n")).toMatch(/\n\n1 wrong\.$/);
  });

  it("prints the same as JSON", async () => {
    within({ ...app, ...packages({ "@suite/core": {} }) });
    expect(await main(["doctor", "--json"])).toBe(0);
    expect(JSON.parse(printed.join(""))).toContainEqual({ subject: "@suite/core", state: "ok", found: "0.1.0" });
  });
});

describe("suite", () => {
  it.each([
    [[]],
    [["mend"]],
    [["doctor", "--colour"]],
    [["doctor", "here"]],
    [["doctor", "--audit"]],
    [["doctor", "--setup", "none.js"]],
  ])("refuses %j with 2 and a reason", async (args) => {
    within(app);
    expect(await main(args)).toBe(2);
    expect(printed.join("\n")).toMatch(/\w+ .*/);
  });

  it("explains itself, and says its version", async () => {
    expect(await main(["--help"])).toBe(0);
    expect(await main(["doctor", "--help"])).toBe(0);
    expect(await main(["--version"])).toBe(0);
    expect(printed[0]).toContain("suite doctor");
    expect(printed[2]).toMatch(/^\d+\.\d+\.\d+/);
  });
});
