import { spawnSync } from "node:child_process";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";

const root = resolve(import.meta.dirname, "../..");
const planted = "integration-tests/test/fixtures/arrows/packages";

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

/** The imports that break a rule of `.dependency-cruiser.mjs`, as "rule: from -> to". */
function breaches(folder: string): { readonly cruised: number; readonly found: readonly string[] } {
  const bin = join(root, "node_modules/.bin/depcruise");
  const args = ["--config", ".dependency-cruiser.mjs", "--output-type", "json", `${folder}/**/src`];
  const { stdout, stderr } = spawnSync(bin, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (stdout === "") throw new Error(`dependency-cruiser said: ${stderr}`);
  const { summary } = JSON.parse(stdout) as Cruise;
  const found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${relative(folder, from)} -> ${to}`);
  return { cruised: summary.totalCruised, found };
}

describe("the arrows between the rooms", () => {
  it("hold in all packages", () => {
    const { cruised, found } = breaches("packages");
    expect(found).toEqual([]);
    expect(cruised).toBeGreaterThan(20);
  });

  const { found } = breaches(planted);
  it.each([
    ["core-imports-nothing", "core/src/imports-package.ts"],
    ["core-imports-nothing", "core/src/imports-node.ts"],
    ["no-node-built-in", "core/src/imports-node.ts"],
    ["no-node-built-in", "plugins/pii/src/rules.ts"],
    ["node-stays-in-its-subpath", "agent/src/index.ts"],
    ["kit-imports-core", "kit/src/imports-agent.ts"],
    ["wire-imports-core", "wire/src/imports-agent.ts"],
    ["agent-imports-core", "agent/src/imports-plugin.ts"],
    ["plugin-imports-core", "plugins/tracing/src/imports-plugin.ts"],
    ["adapter-imports-core", "adapters/mcp/src/imports-plugin.ts"],
    ["adapter-imports-core", "adapters/mcp/src/imports-agent.ts"],
    ["adapter-imports-core", "adapters/fetch/src/imports-adapter.ts"],
    ["store-imports-core", "stores/redis/src/imports-plugin.ts"],
    ["testkit-imports-core", "testkit/src/imports-agent.ts"],
    ["only-tracing-knows-opentelemetry", "plugins/audit/src/imports-opentelemetry.ts"],
    ["declared-dependencies-only", "plugins/audit/src/imports-undeclared.ts"],
    ["audit-loads-no-export", "plugins/audit/src/index.ts"],
    ["audit-imports-audit", "plugins/audit-keys/src/imports-plugin.ts"],
    ["no-circles", "agent/src/circle/one.ts"],
    ["no-folder-circles", "agent/src/folders/one"],
    ["resolvable", "plugins/audit/src/imports-nothing-there.ts"],
  ])("a breach of %s is found in %s", (rule, file) => {
    expect(found).toContainEqual(expect.stringMatching(`^${rule}: ${file} -> `));
  });

  it("what is allowed is not called a breach", () => {
    expect(found.filter((breach) => breach.includes(": agent/src/node/files.ts"))).toEqual([]);
  });
});
