import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { type EngineName, linearEngine } from "@suite/kit/patterns";
import fc from "fast-check";
import { RE2JS } from "re2js";
import { runs } from "../../scripts/runs.mjs";
import { root } from "../../scripts/workspaces.mjs";

const folder = join(root, "integration-tests/re2");
const modules = join(folder, "node_modules");
const engine = linearEngine(RE2JS, pathToFileURL(join(folder, "package.json")).href);
const engines: EngineName[] = ["re2", "re2js"];

// A machine without a compiler has no re2 unless its binary can be fetched.
const isThere = engine.name === "re2" || process.env.CI !== undefined;
if (!isThere) console.error("Tests are skipped: re2 could not be installed on this machine.");
const describeNative = isThere ? describe : describe.skip;

/** The matches of a pattern that are not empty. */
function matches(source: string, flags: string, name: EngineName, text: string): readonly string[] {
  const pattern = engine.compile(source, flags, name);
  const found: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const match = pattern.find(text, at);
    if (match === undefined) break;
    if (match.end > match.start) found.push(`${match.start}:${text.slice(match.start, match.end)}`);
    at = Math.max(match.end, at + 1);
  }
  return found;
}

describeNative("a project that has installed re2", () => {
  beforeAll(() => {
    for (const path of ["core", "plugins/pii", "plugins/guardrails"]) {
      const from = join(root, "packages", path);
      const { name } = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as { readonly name: string };
      const to = join(modules, name);
      rmSync(to, { recursive: true, force: true });
      for (const part of ["package.json", "dist"]) cpSync(join(from, part), join(to, part), { recursive: true });
    }
  });

  it.each([
    [
      "pii",
      `import { createRedactor, engine } from "@suite/pii";
      const redactor = createRedactor({ ticket: { recognizer: /TCK-\\d{6}/, strategy: "redact" } });
      console.log(engine(), redactor.redact("see TCK-123456"));`,
      "re2 see [REDACTED_TICKET]",
    ],
    [
      "guardrails",
      `import { denyPatterns } from "@suite/guardrails";
      console.log(denyPatterns({ patterns: { ticket: /TCK-\\d{6}/ } }).name);`,
      "denyPatterns",
    ],
  ])("runs the patterns of %s in it", (_, program, expected) => {
    const code = `${program}
      console.log(process.report.getReport().sharedObjects.some((path) => path.endsWith("re2.node")));`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(output.split("\n")).toEqual([expected, "true", ""]);
  });
});

describeNative("the two RE2 engines", () => {
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

  function outcome(source: string, flags: string, name: EngineName): readonly string[] | "refused" {
    try {
      return matches(source, flags, name, text);
    } catch {
      return "refused";
    }
  }

  it("are both there", () => {
    expect(engine.name).toBe("re2");
  });

  it.each(["", "i", "s", "m", "u"])("accept, refuse and match the same, with the flags %j", (flags) => {
    const escapes = printable.map((character) => `\\${character}`);
    const classes = [...properties, ...others].flatMap((name) => [`\\p{${name}}`, `[^\\P{${name}}x]`]);
    for (const source of [...escapes, ...classes, ...atoms]) {
      expect([source, outcome(source, flags, "re2js")]).toEqual([source, outcome(source, flags, "re2")]);
    }
  });

  it("match the same in random strings", () => {
    const cases = [
      ["\\bTCK-\\d{2,4}\\b", ""],
      ["[\\p{L}]+é", "u"],
      ["straße|\\u0041b", "i"],
      ["^line.$", "m"],
      ["(?<name>a|b)+c", ""],
      [".\\n.", "s"],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.string({ unit: fc.constantFrom(..."abcAB é\nTCK-12lineß😀\ud83d谢") }),
        ([source, flags], random) => {
          const [native, portable] = engines.map((name) => matches(source, flags, name, random));
          expect(portable).toEqual(native);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});
