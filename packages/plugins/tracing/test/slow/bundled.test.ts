import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type BuildOptions, build } from "esbuild";
import { type Receiver, startReceiver } from "../receiver.js";

/** A folder without `node_modules`, as a bundle is deployed. */
let folder = "";
let receiver: Receiver;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bundled-"));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  await rm(folder, { recursive: true });
});

/** Bundles a program on the built package, runs the one file, and returns its exit code and standard error. */
async function run(program: string, file: string, options: BuildOptions) {
  const outfile = join(folder, file);
  const contents = `
    import { trace } from "@opentelemetry/api";
    import { setupTracing } from "./dist/node.js";
    const telemetry = setupTracing({ endpoint: "http://127.0.0.1:${receiver.port}" });
    trace.getTracer("t").startSpan("last words").end();
    ${program}`;
  const resolveDir = join(import.meta.dirname, "../..");
  const built = await build({
    ...options,
    stdin: { contents, resolveDir },
    bundle: true,
    platform: "node",
    outfile,
    logLevel: "silent",
  });
  const child = spawn(process.execPath, [outfile], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors += data;
  });
  const [code] = await once(child, "close");
  return { code, errors, warnings: built.warnings.map(({ text }) => text) };
}

const guide = readFileSync(join(import.meta.dirname, "../../../../../docs/bundling.md"), "utf8");
/** The banner of the guide. */
const banner = { js: /js: '(import .*)',/.exec(guide)?.[1] ?? "" };

describe.each<[string, string, BuildOptions]>([
  ["CommonJS", "main.cjs", { format: "cjs" }],
  ["CommonJS, minified,", "main.cjs", { format: "cjs", minify: true, keepNames: true }],
  ["an ES module", "main.mjs", { format: "esm", banner }],
])("a program that esbuild bundled to %s", (_, file, options) => {
  it("sends its spans, without a warning", async () => {
    const { code, errors } = await run("telemetry.shutdown();", file, options);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(receiver.bodies.join("")).toContain("last words");
  });

  it("sends the spans that ended before a crash", async () => {
    const { code, errors } = await run(`setTimeout(() => { throw new Error("crashed"); });`, file, options);
    expect(code).toBe(1);
    expect(errors).toContain("Error: crashed");
    expect(receiver.bodies.join("")).toContain("last words");
  });
});
