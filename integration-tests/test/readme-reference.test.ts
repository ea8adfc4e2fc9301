import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { errorsIn } from "../../scripts/examples.mjs";
import { figuresOf, leastCode } from "../../scripts/readme-figures.mjs";
import { codesOf, declarations, optionsOf, typesIn, unpadded, withReference } from "../../scripts/reference.mjs";
import { publishable, root } from "../../scripts/workspaces.mjs";
import { pages } from "../pages.js";

// READMEs: their tables of options and codes match the types, their examples compile, and they are more code than words.

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Options that other code of the suite sets, and no user. */
const internal = new Set(["SendOptions", "ModelCallOptions"]);

const packages = publishable().map(({ dir, manifest }) => [manifest.name, dir] as const);

describe.each(packages)("the README of %s", (name, dir) => {
  const readme = read(join(dir, "README.md"));

  it("has the tables of options and error codes that the types define: node scripts/reference.mjs", () => {
    expect(unpadded(withReference(readme, dir))).toBe(unpadded(readme));
  });

  it("has a table for each type of options that the package exports, also as a parent of another one", () => {
    const report = read(`etc/${name.replace("@suite/", "")}.api.md`);
    const exported = [...report.matchAll(/^export interface (\w+Options)\b/gm)].map(([, type]) => type as string);
    const shown = typesIn(readme, "options");
    const known = declarations(dir);
    const covered = new Set(
      shown.flatMap((type) => [type, ...optionsOf(known, type).parents]).filter((type) => type !== undefined),
    );
    expect(exported.filter((type) => !covered.has(type) && !internal.has(type))).toEqual([]);
  });

  it("has a row for each error code", () => {
    const { source } = declarations(dir);
    const unions = [...source.matchAll(/^export type (\w+Code) =\n(?:\s*\/\*\*|\s*\|? ?"ERR_)/gm)].map(
      ([, type]) => type,
    );
    const codes = unions.flatMap((type) => codesOf(source, type as string)).map(({ code }) => code);
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });

  it("has at least 60 lines of code per 1,000 words, and no cell above 25 words", () => {
    const { perThousand, long } = figuresOf(readme);
    expect(long).toEqual([]);
    expect(perThousand).toBeGreaterThanOrEqual(leastCode);
  });
});

it("each example of the READMEs and guides compiles against the built packages", () => {
  expect(pages().length).toBeGreaterThan(40);
  expect(errorsIn(pages())).toEqual([]);
});
