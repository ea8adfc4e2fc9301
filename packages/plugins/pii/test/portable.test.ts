import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../src", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

describe("the package", () => {
  it("imports nothing of Node", () => {
    for (const file of files) expect(readFileSync(join(source, file), "utf8")).not.toMatch(/from "node:|require\("/);
  });

  it("bundles for a browser without a setting, without the native engine, and works there", async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createRedactor, engine } from "./index.ts";
          const redactor = createRedactor({ email: "hash", own: { recognizer: /TCK-\\d+/, strategy: "redact" } });
          globalThis.result = [engine(), redactor.redact("jane@x.com TCK-12")];`,
        resolveDir: source,
      },
      bundle: true,
      write: false,
      platform: "browser",
      format: "iife",
      logLevel: "silent",
    });
    const code = outputFiles[0]?.text ?? "";
    expect(code).not.toContain("re2.node");
    const scope: { result?: unknown; crypto: Crypto } = { crypto: globalThis.crypto };
    new Function("globalThis", "process", "require", code)(scope, undefined, undefined);
    expect(scope.result).toEqual(["re2js", expect.stringMatching(/^<email_hash:[0-9a-f]{16}> \[REDACTED_OWN\]$/)]);
  });
});
