import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";

const guide = readFileSync(join(root, "docs/architecture.md"), "utf8");

it("docs/architecture.md names files and folders that there are", () => {
  const files = [...guide.matchAll(/`(packages\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  // A paragraph of a room names its folder first, then what is in it.
  const inRooms = guide.split("\n").flatMap((line) => {
    const folder = /^\*\*\w+\*\* \(`(packages\/[\w/-]+\/src)`\)/.exec(line)?.[1];
    return folder === undefined
      ? []
      : [...line.matchAll(/`([\w-]+\/|[\w-]+\.ts)`/g)].map(([, name = ""]) => ({ folder, name }));
  });
  expect(files.length).toBeGreaterThan(15);
  expect(inRooms.length).toBeGreaterThan(35);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const missing = inRooms.filter(
    ({ folder, name }) =>
      !["", "engine", "recognisers", "spans", "signing", "log", "query", "node", "rules", "redact", "tokens"].some(
        (below) => existsSync(join(root, folder, below, name)),
      ),
  );
  expect(missing).toEqual([]);
});
