import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { entriesOf, root } from "../../scripts/workspaces.mjs";
import { expected } from "./probe.mjs";

const url = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href);
const program = `
  ${entriesOf("packages/core")
    .map((entry) => `import ${url(entry)};`)
    .join("\n  ")}
  import * as contract from ${url("packages/core/dist/index.js")};
  import * as engine from ${url("packages/core/dist/adapter.js")};
  import { probe } from ${url("integration-tests/runtimes/probe.mjs")};
  console.log(JSON.stringify({ version: process.version, result: await probe({ ...contract, ...engine }) }));
`;

describe.each([
  ["Node 24", join(import.meta.dirname, "node_modules/.bin/node"), /^v24\./],
  ["this Node", process.execPath, /^v/],
])("@suite/core in %s", (_name, node, version) => {
  it("loads with all its subpaths, and streams a call through its layers", () => {
    const output = execFileSync(node, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect(JSON.parse(output)).toEqual({ version: expect.stringMatching(version), result: expected });
  });
});
