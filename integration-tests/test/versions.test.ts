import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { elsewhere } from "../../scripts/versions/groups.mjs";
import { readVersions, withTable } from "../../scripts/versions/table.mjs";
import { publishable, root } from "../../scripts/workspaces.mjs";

const tested = readVersions();
const withPeers = publishable().filter(({ manifest: { peerDependencies = {} } }) =>
  Object.keys(peerDependencies).some((peer) => !elsewhere.includes(peer)),
);

describe.each(withPeers.map(({ dir, manifest }) => [manifest.name, dir, manifest] as const))(
  "the tested versions of %s",
  (name, dir, { peerDependencies = {} }) => {
    it("are of the ranges in its manifest", () => {
      const ranges = Object.entries(peerDependencies).filter(([peer]) => !elsewhere.includes(peer));
      const known = Object.entries(tested[name] ?? {}).map(([peer, each]) => [peer, Object.keys(each).join(" || ")]);
      expect(known.sort()).toEqual(ranges.sort());
    });

    it("are those of the table in its README", () => {
      const readme = readFileSync(join(root, dir, "README.md"), "utf8");
      expect(withTable(readme, tested[name] ?? {})).toBe(readme);
    });
  },
);
