import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import * as contract from "@suite/core";
import * as adapter from "@suite/core/adapter";
import * as pii from "@suite/pii";
import { type BuildOptions, build } from "esbuild";
import { recognisers } from "../../src/recognisers/registry.js";
import { engineChecks } from "../engine-checks/index.mjs";
import { samples } from "../engine-checks/samples.mjs";
import { mixedRules } from "../engine-checks/texts.mjs";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** A program that tells the engine and what it makes of two values, in one file. */
async function bundle(options: BuildOptions) {
  const contents = `
    import { createRedactor, engine } from "./index.ts";
    const redactor = createRedactor({ email: "hash", own: { recognizer: /TCK-\\d+/, strategy: "redact" } });
    globalThis.result = [engine(), redactor.redact("jane@x.com TCK-12")];`;
  const stdin = { contents, resolveDir: source };
  const { metafile, outputFiles, warnings } = await build({
    ...options,
    stdin,
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  return { code: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs), warnings };
}

describe("the engine, by the checks that every runtime passes", () => {
  it.each(engineChecks)("$name", async ({ run }) => {
    await run({ core: { ...contract, ...adapter }, pii });
  });

  it("has samples of every built-in type", () => {
    expect(samples.map(({ type }) => type).sort()).toEqual(recognisers.map(({ type }) => type).sort());
    expect(Object.keys(mixedRules)).toEqual(expect.arrayContaining(recognisers.map(({ type }) => type)));
  });
});

describe("bundled by esbuild", () => {
  // On the platform `neutral` no package is found by its `main`, unless one says so.
  it.each<BuildOptions>([
    { platform: "browser", format: "iife" },
    { platform: "browser", format: "esm" },
    { platform: "node", format: "cjs" },
    { platform: "node", format: "esm" },
    { platform: "neutral", format: "esm", mainFields: ["module", "main"] },
  ])("for $platform as $format, it is without the native engine, and without a warning", async (options) => {
    const { code, inputs, warnings } = await bundle(options);
    expect(warnings).toEqual([]);
    expect(inputs.filter((path) => /\/re2js\//.test(path))).not.toEqual([]);
    expect(inputs.filter((path) => /\/re2\//.test(path))).toEqual([]);
    expect(code).not.toMatch(/re2\.node|from "node:|require\("node:/);
  });

  const node = { node: "24.0.0" };

  it.each([
    { where: "there is no process", asked: false },
    { where: "process is not Node's", versions: {}, asked: false },
    { where: "Node has re2", versions: node, asked: true, addOn: RegExp },
    { where: "Node has no re2", versions: node, asked: true },
    { where: "it is Bun", versions: { ...node, bun: "1.4.5" }, asked: false, addOn: RegExp },
    { where: "it is Deno", versions: { ...node, deno: "2.9.6" }, asked: false, addOn: RegExp },
  ])("it works where $where, and asks only Node for the native engine", async ({ versions, asked, addOn }) => {
    const { code } = await bundle({ platform: "browser", format: "iife" });
    const names: string[] = [];
    const require = (name: string) => {
      names.push(name);
      if (addOn === undefined) throw new Error(`Cannot find module "${name}"`);
      return addOn;
    };
    const process = versions && { versions, getBuiltinModule: () => ({ createRequire: () => require }) };
    const scope: { result?: unknown; process: unknown } = { process };
    new Function("globalThis", "process", "require", code)(Object.assign(scope, { crypto }), undefined, undefined);
    const treated = expect.stringMatching(/^<email_hash:[0-9a-f]{16}> \[REDACTED_OWN\]$/);
    expect(scope.result).toEqual([asked && addOn ? "re2" : "re2js", treated]);
    expect(names).toEqual(asked ? ["re2"] : []);
  });
});
