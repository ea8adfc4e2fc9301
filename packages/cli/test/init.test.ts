import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { main } from "../src/cli/main.js";
import { replaceFile } from "../src/init/write.js";
import { printed, within } from "./command.js";
import { folderWith } from "./support.js";

type Files = Readonly<Record<string, unknown>>;
const manifest = (dependencies: Files): Files => ({
  "package.json": { name: "@acme/shop", type: "module", dependencies },
});
const program = 'import { generateText } from "ai";\nawait generateText({});\n';
const shop = { ...manifest({ ai: "6" }), "src/main.js": program };

/** Runs `suite init` in a folder with these files. */
async function init(files: Files, ...args: readonly string[]) {
  const folder = within(files);
  const code = await main(["init", ...args]);
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  return { code, folder, read, out: printed.join("\n") };
}

describe("suite init", () => {
  it("shows the change first, and writes nothing without confirmation", async () => {
    const { code, out, read, folder } = await init(shop);
    expect(code).toBe(1);
    expect(out).toMatch(/^--- \/dev\/null\n\+\+\+ src\/suite\.js\n/);
    expect(out).toMatch(
      /--- src\/main\.js\n\+\+\+ src\/main\.js\n@@ -1,2 \+1,6 @@\n-import \{ generateText \} from "ai";\n\+/,
    );
    expect(out).toContain("Nothing was written.");
    expect([read("src/main.js"), readdirSync(join(folder, "src"))]).toEqual([program, ["main.js"]]);
  });

  it("writes with --yes, installs nothing, and prints the install command of the lock file's package manager", async () => {
    const { code, out, read } = await init({ ...shop, "pnpm-lock.yaml": "" }, "--yes");
    expect(code).toBe(0);
    expect(read("src/main.js")).toContain("const { generateText } = withPlugins(ai, plugins);");
    expect(read("src/suite.js")).toContain('setupTracing({ serviceName: "shop" })');
    expect(out).toContain("To install: pnpm add @suite/core @suite/ai-sdk @suite/tracing @opentelemetry/api@1.9 ");
  });

  it("suite init says so if no file makes an agent or a client, and writes nothing", async () => {
    const { code, out, folder } = await init({ ...manifest({}), "index.js": "console.log(1);\n" }, "--yes");
    expect(code).toBe(2);
    expect(out).toMatch(
      /^No file here contains code that creates an agent or a model client.*This project depends on none of ai, /,
    );
    expect(readdirSync(folder).sort()).toEqual(["index.js", "package.json"]);
  });

  it("changes nothing when it is run again", async () => {
    const { folder, read } = await init(shop, "--yes");
    const first = [read("src/main.js"), read("src/suite.js")];
    expect(await main(["init", "--yes"])).toBe(0);
    expect(await main(["init", "--yes", "--file", "src/main.js"])).toBe(0);
    expect(printed.at(-1)).toMatch(/^To install/);
    expect(printed.join("\n")).toContain("already has the plugins. Nothing to change");
    expect([read("src/main.js"), read("src/suite.js")]).toEqual(first);
    expect(readdirSync(join(folder, "src"))).toEqual(["main.js", "suite.js"]);
  });

  it("prints no install command if all packages are dependencies", async () => {
    const names = ["core", "ai-sdk", "tracing"].map((name) => `@suite/${name}`);
    const apis = ["api", "sdk-trace-node", "resources", "exporter-trace-otlp-http"].map(
      (name) => `@opentelemetry/${name}`,
    );
    const all = Object.fromEntries(["ai", ...names, ...apis].map((name) => [name, "*"]));
    expect((await init({ ...shop, ...manifest(all) }, "--yes")).out).not.toContain("To install");
  });

  it("takes the one file that has a place, of those that nobody made or tests", async () => {
    const { code, folder } = await init(
      {
        ...shop,
        "dist/main.js": program,
        "src/main.test.js": program,
        "node_modules/x/x.js": program,
        ".cache/x.js": program,
        "src/big.js": program + "/".repeat(1_000_001),
      },
      "--yes",
    );
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "src"))).toContain("suite.js");
  });

  it("asks for one of several files, lists them without a terminal, and accepts --file", async () => {
    const two = { ...shop, "src/other.js": program };
    const { code, out, read } = await init(two, "--yes");
    expect([code, out]).toEqual([
      2,
      expect.stringMatching(/--file:\n {2}1 {2}src\/main\.js \(ai\)\n {2}2 {2}src\/other\.js/),
    ]);
    expect(await main(["init", "--yes", "--file", "src/other.js"])).toBe(0);
    expect(read("src/main.js")).toBe(program);
  });

  it("prints the lines to write by hand if no code can be edited, or the framework is unknown", async () => {
    const { code, out } = await init(
      { ...shop, "src/main.js": 'const { generateText } = await import("ai");\n' },
      "--yes",
    );
    expect([code, out]).toEqual([2, expect.stringContaining("const { generateText } = withPlugins(ai, plugins);")]);
    expect((await init({ "package.json": {} }, "--yes")).out).toContain("Use @suite/agent as the agent loop");
    expect((await init(manifest({ openai: "6" }), "--yes")).out).toContain(
      'import { withPlugins } from "@suite/fetch";\nconst openai = withPlugins(new OpenAI({ … }), plugins);',
    );
    expect((await init(manifest({ "@suite/agent": "0.1" }), "--yes")).out).toContain(
      "const agent = withPlugins(createAgent({ … }), plugins);",
    );
  });

  it("overwrites no file that has the name of the set-up, and uses one that exports plugins", async () => {
    const own = "export const plugins = [];\n";
    const taken = await init({ ...shop, "src/suite.js": "mine" }, "--yes");
    expect([taken.code, taken.read("src/suite.js"), taken.read("src/main.js")]).toEqual([2, "mine", program]);
    const used = await init({ ...shop, "src/suite.js": own }, "--yes");
    expect([used.code, used.read("src/suite.js")]).toEqual([0, own]);
    expect(used.read("src/main.js")).toContain('from "./suite.js"');
  });

  it.each([
    ["import x from './x'", {}, "./suite"],
    ["import x from './x.js'", {}, "./suite.js"],
    ["import x from './x.ts'", {}, "./suite.ts"],
    ["", {}, "./suite.ts"],
    ["", { "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }' }, "./suite.js"],
    ["", { "tsconfig.json": '{ "compilerOptions": { "moduleResolution": "bundler" } }' }, "./suite"],
    ["", { "tsconfig.json": '{ "compilerOptions": { "allowImportingTsExtensions": true } }' }, "./suite.ts"],
  ])("imports the set-up of TypeScript as the file and the project do: %j %j", async (line, more, specifier) => {
    const { read } = await init({ ...manifest({ ai: "6" }), ...more, "main.ts": `${line}\n${program}` }, "--yes");
    expect(read("main.ts")).toContain(`from "${specifier}";`);
    expect(read("suite.ts")).toContain("export const plugins");
  });

  it("uses one set-up for files in several folders, found upwards: a second would register tracing again", async () => {
    const two = { ...manifest({ ai: "6" }), "src/a/index.js": program, "src/b/c/index.js": program };
    const { read, folder } = await init(two, "--yes", "--file", "src/a/index.js");
    expect(await main(["init", "--yes", "--file", "src/b/c/index.js"])).toBe(0);
    expect(readdirSync(join(folder, "src"))).toEqual(["a", "b", "suite.js"]);
    expect([readdirSync(join(folder, "src/a")), readdirSync(join(folder, "src/b/c"))]).toEqual([
      ["index.js"],
      ["index.js"],
    ]);
    expect(read("src/a/index.js")).toContain('import { plugins } from "../suite.js";');
    expect(read("src/b/c/index.js")).toContain('import { plugins } from "../../suite.js";');
  });

  it.each([
    ["ESM", manifest({ ai: "6" }), "main.js", "suite.js"],
    ["CommonJS", manifest({ ai: "6" }), "main.cjs", "suite.cjs"],
    ["Next.js", manifest({ ai: "6", next: "16" }), "app/route.ts", "suite.ts"],
  ])("writes how messages are recorded into the set-up: %s", async (_, project, path, setup) => {
    const { read } = await init({ ...project, [path]: program }, "--yes", "--file", path);
    expect(read(setup)).toContain(
      '// Messages are recorded with tracing({ content: "redacted" }) and pii() of @suite/pii in this list.\n',
    );
  });

  it("uses the set-up of another folder, if an earlier version has written one there", async () => {
    const own = "export const plugins = [];\n";
    const { code, read, folder } = await init(
      { ...manifest({ ai: "6" }), "src/a/suite.js": own, "src/b/index.js": program },
      "--yes",
    );
    expect(code).toBe(0);
    expect(read("src/b/index.js")).toContain('import { plugins } from "../a/suite.js";');
    expect(readdirSync(join(folder, "src/b"))).toEqual(["index.js"]);
  });

  it("does not import a set-up in TypeScript into JavaScript", async () => {
    const { read } = await init(
      { ...manifest({ ai: "6" }), "suite.ts": "export const plugins = [];\n", "main.js": program },
      "--yes",
    );
    expect(read("main.js")).toContain('from "./suite.js"');
    expect(read("suite.js")).toContain("export const plugins");
  });

  it.each([
    ["app/api/chat/route.ts", "", "../../../suite"],
    ["src/app/api/chat/route.ts", "src/", "../../../suite"],
  ])("in Next.js sets tracing up in instrumentation, which is loaded once: %s", async (route, at, specifier) => {
    const next = {
      ...manifest({ ai: "6", next: "16" }),
      "tsconfig.json": '{ "compilerOptions": { "moduleResolution": "bundler" } }',
      [route]: program,
      [route.replace("chat", "two")]: program,
    };
    const { read, out } = await init(next, "--yes", "--file", route);
    expect(read(`${at}suite.ts`)).not.toContain("setupTracing");
    expect(read(`${at}suite.ts`)).toContain("export const plugins = [tracing()];");
    expect(read(`${at}instrumentation.ts`)).toMatch(
      /^\/\/ .*\nexport async function register\(\) \{\n {2}if \(process\.env\.NEXT_RUNTIME !== "nodejs"\) return;\n[\s\S]*setupTracing\(\{ serviceName: "shop" \}\);\n\}\n$/,
    );
    expect(out).toContain(`+++ ${at}instrumentation.ts`);
    expect(read(route)).toContain(`import { plugins } from "${specifier}";`);
    expect(await main(["init", "--yes", "--file", route.replace("chat", "two")])).toBe(0);
    expect(read(route.replace("chat", "two"))).toContain(`from "${specifier}"`);
  });

  it("in Next.js leaves an instrumentation that is there, and prints the lines to add", async () => {
    const own = "export function register() {}\n";
    const next = { ...manifest({ ai: "6", next: "16" }), "app/route.ts": program, "instrumentation.ts": own };
    const { code, read, out } = await init(next, "--yes");
    expect([code, read("instrumentation.ts")]).toEqual([0, own]);
    expect(out).toContain('  const { setupTracing } = await import("@suite/tracing/node");');
    printed.length = 0;
    const done = { ...next, "instrumentation.ts": 'import { setupTracing } from "@suite/tracing/node";\n' };
    expect((await init(done, "--yes")).out).not.toContain("Add to its register()");
  });

  it("keeps the file's mode", async () => {
    const folder = within(shop);
    chmodSync(join(folder, "src/main.js"), 0o755);
    expect(await main(["init", "--yes"])).toBe(0);
    expect(statSync(join(folder, "src/main.js")).mode & 0o777).toBe(0o755);
  });

  it("leaves a file that was changed since it was read", async () => {
    const path = join(folderWith({ "main.js": "old" }), "main.js");
    writeFileSync(path, "newer");
    await expect(replaceFile(path, "old", "ours")).rejects.toMatchObject({ code: "ERR_CLI_FILE" });
    expect(readFileSync(path, "utf8")).toBe("newer");
  });

  it("shows what a terminal would obey as what it is", async () => {
    const { out } = await init({ ...shop, "src/main.js": `${program}// \u001b[31m\u202e\tx\n` });
    expect(out).toContain("\\u001b[31m\\u202e\tx");
  });

  it.each([[["--colour"]], [["src/main.js"]], [["--file", "none.js"]], [["--file", "."]]])(
    "refuses %j with 2",
    async (args) => {
      const { code, read } = await init(shop, "--yes", ...args);
      expect([code, read("src/main.js")]).toEqual([2, program]);
    },
  );
});
