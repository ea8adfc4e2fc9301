import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { recognisers } from "../src/recognisers/registry.js";

it("the README's table has every built-in type", async () => {
  const readme = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
  const listed = [...readme.matchAll(/^\| `(\w+)`[^|]*\|[^|]+\| `[^|]+\|$/gm)].map(([, type]) => type);
  expect(listed.sort()).toEqual(recognisers.map(({ type }) => type).sort());
});
