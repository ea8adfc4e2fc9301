import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { entriesToSources } from "../../../scripts/jest/sources.mjs";

const packages = new URL("../../", import.meta.url).pathname;
const aliases = entriesToSources()
  .filter(({ specifier }) => /^@suite\/(?:core|kit)\b/.test(specifier))
  .map(({ specifier, source }) => `--alias:${specifier}=${packages}../${source}`);
const esbuild = `${packages}../node_modules/.bin/esbuild`;

it("the contract tests use nothing of Node, so that any runtime can run them", async () => {
  const bundle = (entry: string) =>
    promisify(execFile)(esbuild, [
      `${packages}testkit/src/${entry}`,
      ...["--bundle", "--format=esm", "--platform=neutral", ...aliases],
    ]);
  expect((await bundle("contract/index.ts")).stdout).toContain("export {");
  await expect(bundle("server/server.ts")).rejects.toMatchObject({ stderr: expect.stringContaining("node:http") });
});
