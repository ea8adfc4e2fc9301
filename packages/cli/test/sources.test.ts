import { describe, expect, it } from "@jest/globals";
import { checkEnvironment } from "../src/doctor/environment.js";
import { checkSources } from "../src/doctor/sources.js";
import { manifestIn } from "../src/project/manifest.js";
import { folderWith, packages } from "./support.js";

type Files = Readonly<Record<string, unknown>>;

const setup =
  'import { tracing } from "@suite/tracing";\nimport { setupTracing } from "@suite/tracing/node";\nsetupTracing({});\n';
const program = 'import { generateText } from "ai";\nimport { plugins } from "./suite.js";\n';
const peers = ["api", "sdk-trace-node", "resources", "exporter-trace-otlp-http"].map(
  (name) => `@opentelemetry/${name}`,
);
const all = Object.fromEntries(["@suite/tracing", "@suite/ai-sdk", "ai", ...peers].map((name) => [name, {}]));

/** The findings about the sources of a project with these files. */
async function check(files: Files, installed: Parameters<typeof packages>[0]) {
  const folder = folderWith({ "package.json": { name: "app" }, ...files, ...packages(installed) });
  return checkSources({ folder, manifest: (await manifestIn(folder)) ?? {} }, "npm install");
}

describe("the sources of a project", () => {
  it("are wrong if they import packages that are not installed, or that those need", async () => {
    const found = await check({ "src/main.js": program, "src/suite.js": setup }, { ai: {} });
    expect(found).toEqual([
      {
        subject: "@suite/tracing",
        state: "wrong",
        found: "It is not installed. It is required by src/suite.js.",
        advice: "npm install @suite/tracing",
      },
      ...["api@1.9", "sdk-trace-node@2", "resources@2", "exporter-trace-otlp-http@0.223"].map((asked) => ({
        subject: `@opentelemetry/${asked.split("@")[0]}`,
        state: "wrong",
        found: "It is not installed. It is required by @suite/tracing/node, which src/suite.js imports.",
        advice: `npm install @opentelemetry/${asked}`,
      })),
    ]);
  });

  it.each([
    ["a comment", '// import "@suite/agent";\n'],
    ["a type", 'import type { Agent } from "@suite/agent";\n'],
    ["a string", 'const text = "@suite/agent";\n'],
  ])("are right with %s that names one", async (_, code) => {
    expect(await check({ "src/main.ts": code }, {})).toEqual([]);
  });

  it.each(['await import("@suite/agent");', 'const { x } = require("@suite/agent");', 'export * from "@suite/agent";'])(
    "are read for %s",
    async (code) => {
      expect(await check({ "src/main.js": `${code}\n` }, {})).toMatchObject([{ subject: "@suite/agent" }]);
    },
  );

  it("are wrong if an adapter is installed and attached nowhere", async () => {
    const files = { "src/main.js": 'import { generateText } from "ai";\n' };
    expect(await check(files, all)).toEqual([
      {
        subject: "@suite/ai-sdk",
        state: "wrong",
        found: "It is installed for ai, but no file here imports it, so no plugin is attached.",
        advice: "suite init",
      },
    ]);
    const attached = { ...files, "src/other.js": 'import { withPlugins } from "@suite/ai-sdk";\n' };
    expect(await check(attached, all)).toEqual([]);
  });

  it("are told of if they set tracing up twice, or trace with the AI SDK besides", async () => {
    const used = 'import { withPlugins } from "@suite/ai-sdk";\n';
    const files = { "src/a/suite.js": setup, "src/b/suite.js": setup, "src/main.js": used };
    expect(await check(files, all)).toMatchObject([
      { state: "note", found: expect.stringContaining("2 files: src/a/suite.js, src/b/suite.js") },
    ]);
    const both = { "src/suite.js": setup, "src/main.js": `${used}generateText({ experimental_telemetry: {} });\n` };
    expect(await check(both, all)).toMatchObject([
      { state: "note", found: expect.stringContaining("experimental_telemetry is used in src/main.js") },
    ]);
    expect(await check({ "src/suite.js": setup, "src/main.js": used }, all)).toEqual([]);
  });
});

describe("the environment", () => {
  it.each([
    { OTEL_SDK_DISABLED: "true" },
    { OTEL_SDK_DISABLED: " TRUE " },
    { OTEL_TRACES_SAMPLER: "always_off" },
    { OTEL_TRACES_SAMPLER: "parentbased_always_off" },
    { OTEL_TRACES_EXPORTER: "none" },
  ])("is wrong with %j: no trace leaves the program", (env) => {
    const [name = ""] = Object.keys(env);
    expect(checkEnvironment(env)).toEqual([
      { subject: "environment", state: "wrong", found: expect.stringContaining(name), advice: `unset ${name}` },
    ]);
  });

  it("is right with other values", () => {
    expect(
      checkEnvironment({ OTEL_SDK_DISABLED: "false", OTEL_TRACES_SAMPLER: "always_on", OTEL_TRACES_EXPORTER: "otlp" }),
    ).toEqual([]);
  });
});
