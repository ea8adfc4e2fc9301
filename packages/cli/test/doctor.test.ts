import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { diagnose, type Finding } from "@suite/cli";
import { publishable, root } from "../../../scripts/workspaces.mjs";
import { frameworks } from "../src/frameworks.js";
import { folderWith, packages } from "./support.js";

type Files = Readonly<Record<string, unknown>>;

const project = (dependencies: Files, installed: Parameters<typeof packages>[0], more: Files = {}): string =>
  folderWith({ "package.json": { name: "app", dependencies }, ...packages(installed), ...more });

const rowsOf = async (folder: string): Promise<Readonly<Record<string, Finding>>> =>
  Object.fromEntries((await diagnose({ folder })).map((finding) => [finding.subject, finding]));

const core = { "@suite/core": {} };
const tracing = { "@suite/tracing": { dependencies: { "@suite/core": "0.1.0" } } };

describe("the packages of a project", () => {
  it("are listed with their versions, those that lie deeper too", async () => {
    const folder = project({ "@suite/tracing": "*" }, { ...core, ...tracing });
    expect(await rowsOf(folder)).toMatchObject({
      node: { state: "ok" },
      "@suite/core": { state: "ok", found: "0.1.0" },
      "@suite/tracing": { state: "ok", found: "0.1.0" },
    });
  });

  it("are wrong if there is none, and if there is no project", async () => {
    expect(await rowsOf(folderWith({ "package.json": {} }))).toMatchObject({ "@suite/…": { state: "wrong" } });
    await expect(diagnose({ folder: "/" })).rejects.toMatchObject({ code: "ERR_CLI_PROJECT" });
  });

  it("that no adapter takes are noted, with the one to use in their place", async () => {
    const folder = project({ "@modelcontextprotocol/client": "*" }, { ...core, "@modelcontextprotocol/client": {} });
    expect(await rowsOf(folder)).toMatchObject({
      "@modelcontextprotocol/client": {
        state: "note",
        found: expect.stringContaining("@suite/mcp supports @modelcontextprotocol/sdk ^1"),
        advice: expect.stringContaining("@modelcontextprotocol/sdk@^1"),
      },
    });
  });

  it("are found from a folder below, and in those of a workspace above", async () => {
    const folder = project({}, core, {
      "apps/one/package.json": { dependencies: { "@suite/core": "*" } },
      "apps/one/src/x": "",
    });
    expect(await rowsOf(join(folder, "apps/one/src"))).toMatchObject({ "@suite/core": { state: "ok" } });
  });

  it("are wrong with two versions of core, with the command that leaves one", async () => {
    const folder = project(
      { "@suite/core": "*", "@suite/tracing": "*" },
      { ...core, ...tracing, "@suite/tracing/node_modules/@suite/core": { version: "0.2.0" } },
      { "pnpm-lock.yaml": "" },
    );
    const { "@suite/core": row, versions } = await rowsOf(folder);
    expect(row).toMatchObject({ state: "wrong", found: expect.stringContaining("0.1.0 and 0.2.0") });
    expect(row?.advice).toContain("pnpm add @suite/core@0.2.0");
    expect(versions).toMatchObject({ state: "wrong", advice: expect.stringContaining("@suite/tracing@0.2.0") });
  });

  it("may have two copies of core of one version: that is told, and not wrong", async () => {
    const folder = project(
      { "@suite/core": "*", "@suite/tracing": "*" },
      { ...core, ...tracing, "@suite/tracing/node_modules/@suite/core": {} },
    );
    expect(await rowsOf(folder)).toMatchObject({
      "@suite/core": { state: "note", found: expect.stringContaining("2 copies") },
    });
  });

  it("are wrong if a peer is missing or has another version, an optional one only if it is installed", async () => {
    const peers = {
      peerDependencies: { one: "^1.0.0", two: "^2.0.0", gone: "^1.0.0" },
      peerDependenciesMeta: { gone: { optional: true } },
    };
    const folder = project({ "@suite/x": "*" }, { ...core, "@suite/x": peers, one: { version: "3.0.0" } });
    const { "@suite/x": row } = await rowsOf(folder);
    expect(row).toMatchObject({
      state: "wrong",
      found: "0.1.0, but one is 3.0.0 instead of ^1.0.0; two is not installed",
    });
    expect(row?.advice).toBe('npm install "one@^1.0.0" "two@^2.0.0"');
  });

  it("say when Node is older than one of them takes", async () => {
    const folder = project({ "@suite/x": "*" }, { "@suite/x": { engines: { node: ">=99" } } });
    expect(await rowsOf(folder)).toMatchObject({ node: { state: "wrong", advice: "install Node >=99" } });
  });

  it("with manifests that are broken, or of other types, harm nothing", async () => {
    const folder = folderWith({
      "package.json": { dependencies: { a: "1", b: "1" }, peerDependencies: null, devDependencies: [1] },
      "node_modules/a/package.json": "{",
      "node_modules/b/package.json": { version: 7, dependencies: "x", peerDependencies: { c: 1 } },
      "node_modules/@suite/core/package.json": { name: "@suite/core", version: "\u001b[31mred" },
    });
    const rows = await rowsOf(folder);
    expect(rows["@suite/core"]).toMatchObject({ state: "ok", found: "with an invalid version" });
  });
});

describe("a framework", () => {
  const adapter = { "@suite/ai-sdk": { peerDependencies: { ai: "^6.0.0" } } };

  it("whose adapter is there is right where the adapter takes its version", async () => {
    const folder = project({ ai: "*", "@suite/ai-sdk": "*" }, { ...core, ...adapter, ai: { version: "6.1.0" } });
    expect((await rowsOf(folder)).ai).toMatchObject({ state: "ok", found: "6.1.0, which @suite/ai-sdk takes" });
  });

  it("of a version that the adapter does not take is wrong", async () => {
    const folder = project({ ai: "*", "@suite/ai-sdk": "*" }, { ...core, ...adapter, ai: { version: "5.9.0" } });
    expect((await rowsOf(folder)).ai).toMatchObject({ state: "wrong", advice: 'npm install "ai@^6.0.0"' });
  });

  it("without its adapter is wrong, and one beside a framework that has one is worth a note", async () => {
    const bare = project({ openai: "*" }, { ...core, openai: { version: "6.50.0" } }, { "yarn.lock": "" });
    expect((await rowsOf(bare)).openai).toMatchObject({
      state: "wrong",
      advice: "yarn add @suite/fetch, then suite init",
    });
    const beside = project(
      { ai: "*", openai: "*" },
      { ...core, ...adapter, ai: { version: "6.1.0" }, openai: { version: "6.50.0" } },
    );
    expect((await rowsOf(beside)).openai).toMatchObject({ state: "note" });
  });

  it("that is a dependency and not installed is wrong", async () => {
    expect((await rowsOf(project({ langchain: "*" }, core))).langchain).toMatchObject({
      state: "wrong",
      advice: "npm install",
    });
  });

  it("has the versions here that its adapter's manifest has", () => {
    const manifests = new Map(publishable().map(({ manifest }) => [manifest.name, manifest]));
    for (const { name, adapter: by, versions } of frameworks)
      expect([name, manifests.get(by)?.peerDependencies?.[name]]).toEqual([name, versions]);
    const adapters = publishable().filter(({ dir }) => dir.startsWith("packages/adapters/"));
    expect(new Set(frameworks.map((each) => each.adapter))).toEqual(
      new Set(adapters.map(({ manifest }) => manifest.name)),
    );
  });
});

describe("the options of diagnose", () => {
  it.each([[{ folder: 1 }], [{ audit: "" }], [{ colour: true }]])("refuse %j", async (options) => {
    await expect(diagnose(options as never)).rejects.toMatchObject({ code: "ERR_CLI_OPTION" });
  });

  it("refuse a set-up that is not there", async () => {
    const folder = project({}, core);
    await expect(diagnose({ folder, setup: "none.js" })).rejects.toMatchObject({ code: "ERR_CLI_OPTION" });
  });
});

describe("the audit log", () => {
  it("is skipped if there is none, and wrong if @suite/audit is not installed to verify it", async () => {
    const folder = project({}, core);
    expect((await rowsOf(folder))["audit log"]).toBeUndefined();
    const findings = await diagnose({ folder, audit: "log" });
    expect(findings.find(({ subject }) => subject === "audit log")).toMatchObject({ state: "wrong" });
  });
});

it("the error class has its codes in the README", () => {
  const readme = readFileSync(join(root, "packages/cli/README.md"), "utf8");
  for (const code of ["ERR_CLI_OPTION", "ERR_CLI_PROJECT", "ERR_CLI_TARGET", "ERR_CLI_FILE"])
    expect(readme).toContain(code);
});
