import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { transformSync } from "@swc/core";
import { blocks } from "../../scripts/readme.mjs";
import { publishable, root } from "../../scripts/workspaces.mjs";
import { describeStranger, type Ran, stranger } from "../stranger.js";

const packages = publishable().map(({ manifest }) => manifest);
const subpaths = packages.flatMap(({ name, exports = {} }) =>
  Object.keys(exports).map((subpath) => name + subpath.slice(1)),
);
const modules = subpaths.filter((specifier) => !specifier.endsWith(".json"));
const commands = packages.flatMap(({ bin = {} }) => Object.keys(bin));
const optionalPeers = packages.flatMap(({ peerDependenciesMeta = {} }) =>
  Object.keys(peerDependenciesMeta).filter((peer) => peerDependenciesMeta[peer]?.optional),
);

const peers = packages.flatMap(({ peerDependencies = {}, peerDependenciesMeta = {}, devDependencies = {} }) =>
  Object.keys(peerDependenciesMeta).map((peer) => `${peer}@${devDependencies[peer] ?? peerDependencies[peer]}`),
);

/** `npm pack` of each package, installed together into an empty project; no install script runs. */
const there = stranger(packages.map(({ name }) => name));
const project = there?.folder ?? "";
const run = (command: string, args: readonly string[]): Ran => there?.run(command, args) ?? { code: null, output: "" };
afterAll(() => there?.remove());

const evaluate = (type: string, code: string) =>
  run(process.execPath, ["--disable-warning=ExperimentalWarning", `--input-type=${type}`, "-e", code]);

const load = {
  import: (specifier: string) =>
    evaluate(
      "module",
      `await import("${specifier}"${specifier.endsWith(".json") ? ', { with: { type: "json" } }' : ""})`,
    ),
  require: (specifier: string) => evaluate("commonjs", `require("${specifier}")`),
};

/** The first example of a package's README as a stranger would copy it, without its types. */
function firstExample(name: string): string {
  const readme = readFileSync(join(project, "node_modules", name, "README.md"), "utf8");
  const code = /^```(?:ts|typescript|js|javascript)\n(.*?)^```$/ms.exec(readme)?.[1];
  if (code === undefined) throw new Error(`The README of ${name} has no example in a ts or js block`);
  return transformSync(code, { jsc: { target: "es2023", parser: { syntax: "typescript" } } }).code;
}

describeStranger("the packed packages in an empty project, without optional peers", there, ({ installed }) => {
  it("install", () => expect(installed).toMatchObject([{ code: 0 }]));

  it("have one file for each entry and what entries share, with source maps to the sources", () => {
    const files = readdirSync(join(project, "node_modules/@suite/pii/dist")).filter((name) => name.endsWith(".js"));
    expect(files.filter((name) => !/^(index|node|cli|chunk-\w+)\.js$/.test(name))).toEqual([]);
    const code = 'import { createRedactor } from "@suite/pii"; createRedactor({ email: "wrong" })';
    const { output } = run(process.execPath, ["--enable-source-maps", "--input-type=module", "-e", code]);
    expect(output).toMatch(/node_modules\/@suite\/pii\/src\/[\w/-]+\.ts:\d+/);
  });

  it("install no native engine, which npm would compile", () => {
    expect(existsSync(join(project, "node_modules/re2js"))).toBe(true);
    expect(existsSync(join(project, "node_modules/re2"))).toBe(false);
  });

  describe.each(["import", "require"] as const)("%s", (way) => {
    it.each(subpaths)("%s loads, or the error names the optional peer that it needs", (specifier) => {
      const { code, output } = load[way](specifier);
      const missing = /Cannot find (?:package|module) '((?:@[^/']+\/)?[^/']+)/.exec(output)?.[1];
      if (packages.some(({ name }) => name === specifier)) expect(output).toBe("");
      if (code !== 0) expect(optionalPeers).toContain(missing ?? output);
    });
  });

  it.each(commands)("the command %s answers --help", (command) => {
    const { code, output } = run(join(project, "node_modules/.bin", command), ["--help"]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(command) });
  });
});

describeStranger("the packed packages with their optional peers", there, () => {
  beforeAll(() => {
    expect(there?.install(peers)).toMatchObject({ code: 0 });
  }, 180_000);

  describe.each(["import", "require"] as const)("%s", (way) => {
    it.each(modules)("%s loads and says nothing", (specifier) => {
      expect(load[way](specifier)).toEqual({ code: 0, output: "" });
    });
  });

  it("their declarations compile in a strict project that has no types of Node", () => {
    const imports = modules.map((specifier, index) => `export * as m${index} from "${specifier}";`);
    writeFileSync(join(project, "uses.mts"), imports.join("\n"));
    const options = "--noEmit --strict --module nodenext --target es2023 --lib es2023,dom,dom.iterable --types";
    const { output } = run(join(root, "node_modules/.bin/tsc"), [...options.split(" "), "", "uses.mts"]);
    expect(output.split("\n").filter((line) => /^uses|@suite/.test(line))).toEqual([]);
  });

  // Those of adapters, and of what is shown in an agent with a real model's client, ask a model: readmes.test.ts gives them one.
  const asksModel = (dir: string) => {
    const [first = ""] = blocks(readFileSync(join(root, dir, "README.md"), "utf8"), "ts|typescript|js|javascript");
    return first.includes('"@suite/agent/openai"');
  };
  const examples = publishable().filter(({ dir }) => !dir.startsWith("packages/adapters/") && !asksModel(dir));
  it.each(examples.map(({ manifest }) => manifest.name))("the first example in the README of %s runs", (name) => {
    const file = `${name.replace("@suite/", "")}.mjs`;
    writeFileSync(join(project, file), firstExample(name));
    expect(run(process.execPath, [file])).toMatchObject({ code: 0 });
  });
});
