import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { root } from "../../scripts/workspaces.mjs";
import { describeStranger, stranger } from "../stranger.js";

const there = stranger(["@suite/core", "@suite/pii"]);
afterAll(() => there?.remove());

// What docs/commonjs.md says.
describeStranger("a CommonJS file", there, ({ run, write }) => {
  const compiled = (module: string, text: string, more: readonly string[] = []) => {
    write("uses.cts", text);
    const options = ["--strict", "--target", "es2023", "--lib", "es2023,dom", "--types", "", "--module", module];
    return run(join(root, "node_modules/.bin/tsc"), [...options, ...more, "uses.cts"]).output;
  };
  const plain = `import { createRedactor } from "@suite/pii";
    console.log(createRedactor({ email: "redact" }).redact("mail jane@x.com"));`;
  const awaited = `async function main() {
      const { createRedactor } = await import("@suite/pii");
      console.log(createRedactor({ email: "redact" }).redact("mail jane@x.com"));
    }
    main();`;
  const runs = () => run(process.execPath, ["--disable-warning=ExperimentalWarning", "uses.cjs"]);
  const printed = { code: 0, output: "mail [REDACTED_EMAIL]\n" };

  it.each(["nodenext", "node20"])("compiles under module %s, and runs", (module) => {
    expect(compiled(module, plain)).not.toMatch(/error/);
    expect(runs()).toEqual(printed);
  });

  it.each(["node16", "node18"])("under module %s is TS1479, and compiles with await import()", (module) => {
    expect(compiled(module, plain, ["--noEmit"])).toContain("TS1479");
    expect(compiled(module, awaited)).not.toMatch(/error/);
    expect(runs()).toEqual(printed);
  });

  it("compiles where a bundler is to resolve", () => {
    expect(compiled("preserve", plain, ["--moduleResolution", "bundler", "--noEmit"])).not.toMatch(/error/);
  });
});
