import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { current, page } from "../../scripts/dependencies.mjs";
import { manifestOf, root, workspaces } from "../../scripts/workspaces.mjs";

const folders = [
  ".",
  "scripts/check",
  "scripts/docs",
  "scripts/release",
  "integration-tests/runtimes",
  "integration-tests/frameworks",
  "integration-tests/stacks",
  "integration-tests/stacks/strands",
  "integration-tests/stacks/voltagent",
  ...workspaces().map(({ dir }) => dir),
];

const declared = folders.flatMap((folder) => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies });
});

const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const section = /^## Dependencies$(.*?)^## /ms.exec(contributing)?.[1] ?? "";
const explained = section.split("\n").flatMap((row) => {
  const [, names = "", ...cells] = row.split("|");
  return cells.length === 0 ? [] : [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
});

const foreign = (names: readonly (string | undefined)[]) =>
  [...new Set(names)].filter((name) => !name?.startsWith("@suite/")).sort();

describe("CONTRIBUTING.md", () => {
  it("gives the reason of every dependency, and of no other package", () => {
    expect(foreign(explained)).toEqual(foreign(declared));
  });
});

describe("docs/dependencies.md", () => {
  it("has every package that users get, with version and licence; else run `npm run dependencies`", () => {
    // Columns are as wide as the formatter makes them.
    const rows = (text: string) => text.split("\n").map((line) => line.replaceAll(/ +|-{3,}/g, " "));
    expect(rows(readFileSync(page, "utf8"))).toEqual(rows(current()));
  });
});
