import { describe, expect, it } from "@jest/globals";
import { main } from "../src/cli/main.js";
import { printed, within } from "./command.js";

const setup = (...plugins: readonly string[]): Record<string, unknown> => ({
  "setup.mjs": `export const plugins = [${plugins.join(", ")}];`,
});
const notes = '{ name: "notes", forgetUser: async (user) => (user === "ada" ? 3 : 0) }';
const broken = '{ name: "broken", forgetUser: () => { throw new Error("down\\u001b[2J"); } }';

describe("suite forget", () => {
  it("erases the data of each plugin, lists data that it cannot reach, and prints the run of the proof", async () => {
    within(setup(notes));
    expect(await main(["forget", "ada", "--setup", "setup.mjs"])).toBe(0);
    const text = printed.join("\n");
    expect(text).toMatch(/^notes {2}erased {2}3\n\nNot reached by this command:\n- traces/);
    expect(text).toMatch(/The proof is in the records of run [0-9a-f]{32}\. They do not name the user\.$/);
  });

  it("ends with 1 if something is left, and shows the cause as a terminal can", async () => {
    within(setup(notes, broken));
    expect(await main(["forget", "ada", "--setup", "setup.mjs"])).toBe(1);
    const text = printed.join("\n");
    expect(text).toMatch(/^notes {3}erased {2}3\nbroken {2}LEFT {4}down/);
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(/Some data of the user is left/);
  });

  it("prints the report as JSON", async () => {
    within(setup(broken));
    expect(await main(["forget", "ada", "--setup", "setup.mjs", "--json"])).toBe(1);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      complete: false,
      plugins: [{ plugin: "broken", error: expect.stringContaining("down") }],
    });
  });

  it.each([
    [["forget"]],
    [["forget", "ada"]],
    [["forget", "", "--setup", "setup.mjs"]],
    [["forget", "ada", "bob", "--setup", "setup.mjs"]],
    [["forget", "ada", "--setup", "none.mjs"]],
    [["forget", "ada", "--setup", "setup.mjs"]],
  ])("cannot be asked like this: %j", async (args) => {
    within(setup('{ name: "tracing" }'));
    expect(await main(args)).toBe(2);
    expect(printed).toHaveLength(1);
  });
});
