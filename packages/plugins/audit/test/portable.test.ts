import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { build } from "esbuild";

it("the core of verification needs nothing of Node", async () => {
  const entry = join(import.meta.dirname, "..", "src", "verify", "verify-files.ts");
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  expect(outputFiles[0]?.text).not.toMatch(/\b(?:Buffer|process|require)\b/);
});
