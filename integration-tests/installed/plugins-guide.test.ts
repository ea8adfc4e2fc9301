import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { blocks } from "../../scripts/readme.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { describeStranger, stranger } from "../stranger.js";

const guide = readFileSync(join(root, "docs/plugins.md"), "utf8");
const [install = "", run = ""] = blocks(guide, "sh");
/** The guide's files: blocks that begin with their name. */
const files = blocks(guide, "ts").flatMap((block) => {
  const name = /^\/\/ (\S+\.ts)\n/.exec(block)?.[1];
  return name === undefined ? [] : [{ name, block }];
});
const packages = [...install.matchAll(/^npm install (?:--save-dev )?(.*)$/gm)].map(([, list = ""]) => list.split(" "));

const there = stranger(...packages);
afterAll(() => there?.remove());

describeStranger(
  "docs/plugins.md, word for word in an empty folder",
  there,
  ({ folder, installed, write, run: ran }) => {
    beforeAll(() => {
      for (const name of ["src", "test"]) mkdirSync(join(folder, name));
      for (const { name, block } of files) write(name, block);
      ran("npm", ["pkg", "set", "type=module"]);
    });

    it("installs", () => {
      expect(files.map(({ name }) => name)).toEqual(["src/index.ts", "test/limit.test.ts"]);
      expect(installed.filter(({ code }) => code !== 0)).toEqual([]);
    });

    it("compiles, and its tests pass", () => {
      for (const line of run.trim().split("\n")) {
        const [command = "", ...args] = line.split(" ");
        const { code, output } = ran(command, args);
        expect(code === 0 ? "" : output).toBe("");
      }
    });
  },
);
