import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import * as pii from "@suite/pii";
import { engineChecks, outputs } from "../../packages/plugins/pii/test/engine-checks/index.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { expectedVerdicts } from "./audit-verdicts.mjs";
import { bun, deno, node24, workerd } from "./binaries.js";
import { expected } from "./probe.mjs";
import { bundled, programOf } from "./programs.js";
import type { report } from "./report.mjs";

type Report = Awaited<ReturnType<typeof report>> & { readonly verdicts: unknown };

const tell = "console.log(JSON.stringify({ ...(await report(suite)), verdicts: await auditVerdicts(suite.audit) }));";

const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
const program = join(folder, "program.mjs");

/** The report that a runtime prints. The folder that Deno writes to is not the user's. */
function told(binary: string, ...args: readonly string[]): Report {
  const env = { ...process.env, DENO_DIR: join(folder, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const output = execFileSync(binary, args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  return JSON.parse(output) as Report;
}

/** A worker as of a compatibility date, from which on it has what was new by then. */
function worker(date: string): Report {
  const config = join(folder, `worker-${date}.capnp`);
  const module = `(name = "worker.mjs", esModule = embed "worker.mjs")`;
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = (modules = [${module}], compatibilityDate = "${date}"))]
    );`,
  );
  return told(workerd(), "test", config);
}

beforeAll(async () => {
  writeFileSync(program, programOf(tell));
  // Workers refuse random numbers where their modules load, and a plugin is often made just there.
  const atTheTop = `pii.pii({ email: "hash", ip: "tokenize" });`;
  const test = `async test() { ${tell} }`;
  writeFileSync(join(folder, "worker.mjs"), await bundled(`${atTheTop} export default { ${test} };`));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  { name: "this Node", run: () => told(process.execPath, program), patterns: [pii.engine()] },
  // A native engine that this checkout has may have been built for it.
  { name: "Node 24", run: () => told(node24(), program), patterns: ["re2", "re2js"] },
  { name: "Bun", run: () => told(bun(), "run", "--no-install", program), patterns: ["re2js"] },
  {
    name: "Deno, without any permission",
    run: () => told(deno(), "run", "--no-prompt", "--node-modules-dir=manual", program),
    patterns: ["re2js"],
  },
  { name: "workerd", run: () => worker("2026-01-01"), patterns: ["re2js"] },
  { name: "workerd with Node's modules", run: () => worker("2026-10-01"), patterns: ["re2js"] },
])("in $name", ({ run, patterns }) => {
  let report: Report;

  beforeAll(() => {
    report = run();
  }, 60_000);

  it("@suite/core loads with all its subpaths, and streams a call through its layers", () => {
    expect(report.probe).toEqual(expected);
  });

  it("the engine of @suite/pii passes all checks, and makes the same of random texts as the sources do", () => {
    expect(report.checks.failed).toEqual({});
    expect(report.checks.passed).toEqual(engineChecks.map(({ name }) => name));
    expect(report.checks.outputs).toBe(outputs({ pii }));
  });

  it("@suite/audit/verify gives the verdicts of a log, with WebCrypto's Ed25519", () => {
    expect(report.verdicts).toEqual(expectedVerdicts);
  });

  it(`users' patterns run in ${patterns.join(" or ")}`, () => {
    expect(patterns).toContain(report.engine);
  });
});
