import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";

// docs/pitfalls.md: each row names tests. Whoever renames or removes one is told here.

const read = (path: string) => readFileSync(join(root, path), "utf8");
const rows = [...read("docs/pitfalls.md").matchAll(/^\| (\d+) +\|(.*)\|$/gm)].map(([, number, rest]) => ({
  number: Number(number),
  cells: (rest as string).split(" | ").map((cell) => cell.trim()),
}));

/** The titles of a link to a test that its file does not have; the file itself where there is none. */
function missing(link: string): readonly string[] {
  const [, titles, path] = /^\[(.+)\]\(\.\.\/(.+)\)$/.exec(link) ?? [];
  if (titles === undefined || path === undefined || !existsSync(join(root, path))) return [link];
  const text = read(path);
  const titled = (title: string) => ['"', "`"].some((quote) => text.includes(`${quote}${title}${quote}`));
  return titles.split(" › ").filter((title) => !titled(title));
}

describe("the page of what goes wrong elsewhere", () => {
  it("has each number from 1 on, once and in order, with all its cells", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 69 }, (_, index) => index + 1));
    expect(rows.filter(({ cells }) => cells.length !== 3 || cells.includes(""))).toEqual([]);
  });

  it.each(rows)("names tests in row $number that are there", ({ cells }) => {
    expect((cells[2] ?? "").split("<br>").flatMap(missing)).toEqual([]);
  });
});
