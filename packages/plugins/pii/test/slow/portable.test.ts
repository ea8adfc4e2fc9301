import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import * as contract from "@suite/core";
import * as adapter from "@suite/core/adapter";
import * as pii from "@suite/pii";
import { type BuildOptions, build } from "esbuild";
import { compilePattern, type EngineName } from "../../src/patterns/engine.js";
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

describe("the two RE2 engines", () => {
  const text = "aBc é αβ 12 \u0661 😀 \u00a0_ \u017f \u212a k \n\t\u0001 - / ] [ $ \ud83d 中 Ab\u0301 C <n> \\";
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
  const properties = ["L", "Letter", "gc=Lu", "Script=Greek", "sc=Han", "Greek", "^Greek", "Any", "Grek", "Lucky"];
  const others = ["Alphabetic", "Emoji", "ASCII", "Lowercase", "Script_Extensions=Greek", "Cs", "Cn", "LC", "", "L}{"];
  const atoms = [
    "[^]",
    "[]",
    "[[]",
    "[/]",
    "\\u{1f600}",
    "\\u00e",
    "\\x4",
    "\\x{41}",
    "\\cA",
    "\\c1",
    "[\\b]",
    "\\k<n>",
  ];

  /** The matches of a pattern, the empty text left out (rules refuse that), or that it is refused. */
  function outcome(source: string, flags: string, engine: EngineName): readonly string[] | "refused" {
    try {
      const pattern = compilePattern(source, flags, engine);
      const found: string[] = [];
      for (let at = 0; at <= text.length; ) {
        const match = pattern.find(text, at);
        if (match === undefined) break;
        if (match.end > match.start) found.push(text.slice(match.start, match.end));
        at = Math.max(match.end, at + 1);
      }
      return found;
    } catch {
      return "refused";
    }
  }

  it.each(["", "i", "s", "m", "u"])("take, refuse and match the same, with the flags %j", (flags) => {
    const escapes = printable.map((character) => `\\${character}`);
    const classes = [...properties, ...others].flatMap((name) => [`\\p{${name}}`, `[^\\P{${name}}x]`]);
    for (const source of [...escapes, ...classes, ...atoms]) {
      expect([source, outcome(source, flags, "re2js")]).toEqual([source, outcome(source, flags, "re2")]);
    }
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
