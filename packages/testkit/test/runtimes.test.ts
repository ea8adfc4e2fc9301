import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";

const packages = new URL("../../", import.meta.url).pathname;
const esbuild = `${packages}../node_modules/.bin/esbuild`;

it("the contract tests use nothing of Node, so that any runtime can run them", async () => {
  const bundle = (entry: string) =>
    promisify(execFile)(esbuild, [
      `${packages}testkit/src/${entry}`,
      ...[
        "--bundle",
        "--format=esm",
        "--platform=neutral",
        `--alias:@suite/core/adapter=${packages}core/src/adapter.ts`,
        `--alias:@suite/core/error-type=${packages}core/src/error-type.ts`,
        `--alias:@suite/core/hooks=${packages}core/src/hooks.ts`,
        `--alias:@suite/core/parts=${packages}core/src/parts.ts`,
        `--alias:@suite/core=${packages}core/src/index.ts`,
      ],
    ]);
  expect((await bundle("contract/index.ts")).stdout).toContain("export {");
  await expect(bundle("server/server.ts")).rejects.toMatchObject({ stderr: expect.stringContaining("node:http") });
});
