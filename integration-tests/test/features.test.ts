import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { root, workspaces } from "../../scripts/workspaces.mjs";

// docs/features.md: names that are renamed, sections and tests that go are told here.

const read = (path: string) => readFileSync(join(root, path), "utf8");
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const rows = read("docs/features.md")
  .split("\n")
  .filter((line) => /^\| (?!feature|-)/.test(line))
  .map((line) => ({
    cells: line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  }))
  .map(({ cells }) => ({ feature: cells[0] ?? "", cells }));

/** Whether an entry of a package exports a name, by its list of exports or by a file that it exports whole. */
function exports(entry: string, name: string): boolean {
  const [, owner, sub = "index"] = /^(@suite\/[\w-]+)(?:\/([\w-]+))?$/.exec(entry) ?? [];
  const dir = workspaces().find(({ manifest }) => manifest.name === owner)?.dir;
  const path = join(dir ?? "none", "src", `${sub}.ts`);
  if (dir === undefined || !existsSync(join(root, path))) return false;
  const text = read(path);
  if (new RegExp(`export [^;]*\\b${name}\\b[^;]* from`).test(text)) return true;
  const whole = [...text.matchAll(/export (?:type )?\* from "\.\/(.+)\.js"/g)].map(([, file]) => `${file}.ts`);
  return whole.some((file) => new RegExp(`export [\\w ]+ ${name}\\b`).test(read(join(dir, "src", file))));
}

describe("the page of what others have", () => {
  it("has rows, and no cell of them is empty", () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ cells }) => cells.length !== 7 || cells.includes(""))).toEqual([]);
  });

  it.each(rows)("names in its row what there is: $feature", ({ cells: [, , ours = "", page = "", test = ""] }) => {
    const [entry = "", ...names] = [...ours.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !exports(entry, name))).toEqual([]);
    const [, heading = "?", guide = "?"] = /^\[(.+)\]\((.+)#.*\)$/.exec(page) ?? [];
    expect(read(join("docs", guide))).toMatch(new RegExp(`^#+ ${escaped(heading)}$`, "m"));
    const [, title = "?", file = "?"] = /^\[(.+)\]\(\.\.\/(.+)\)$/.exec(test) ?? [];
    expect(read(file)).toMatch(new RegExp(`["\`]${escaped(title)}["\`]`));
  });
});
