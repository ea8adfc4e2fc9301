import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { publishable, root } from "../../scripts/workspaces.mjs";

/** A table of words at the beginning of a line: `const words: Readonly<Record<string, …>> = {`. */
const table = /^[ ]*(?:export )?const (\w+): Readonly<Record<string, .*?>> = ?(.*)$/gm;

/** The paths of the sources of all published packages but the testkit. */
const sources = (): readonly string[] =>
  publishable()
    .filter(({ dir: folder }) => !folder.endsWith("testkit") && existsSync(join(root, folder, "src")))
    .flatMap(({ dir: folder }) =>
      readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
        join(folder, "src", file),
      ),
    )
    .filter((path) => path.endsWith(".ts"));

// `words[given] ?? given` for a given word "constructor" is a function of JavaScript if the table inherits.
it("a table in which a foreign word is looked up inherits nothing, or is asked for its own words", () => {
  const files = sources().map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
  const wrong: string[] = [];
  let tables = 0;
  for (const { path, source } of files) {
    for (const { 1: name = "", 2: begun = "", index } of source.matchAll(table)) {
      const exported = source.slice(index).startsWith("export");
      const used = files.filter((file) => file.path === path || (exported && file.source.includes(`{ ${name}`)));
      const looksUp = used.some(
        (file) =>
          new RegExp(`\\b${name}\\[[^"\\]]`).test(file.source) && !file.source.includes(`Object.hasOwn(${name}, `),
      );
      if (!looksUp) continue;
      tables++;
      const rest = begun === "{" ? source.slice(source.indexOf("\n", index)).trimStart() : begun.replace(/^\{ /, "");
      if (!rest.startsWith("__proto__: null")) wrong.push(`${path}: ${name}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tables).toBeGreaterThan(20);
});
