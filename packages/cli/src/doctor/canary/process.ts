import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageUrl } from "@suite/kit/package";
import type { Report } from "./planted.js";

/** The most milliseconds for the set-up and the run, and then for sending the remaining data. */
const MOST_MS = 30_000;
const MOST_MS_TO_END = 2000;

/** The end of a process: its report, or the reason of its failure. */
export type Ran = { readonly report: Report } | { readonly failed: string };

/**
 * Runs the tiny agent with a set-up, in a separate process and a temporary folder, so that its files disturb nothing.
 */
export async function runSetup(file: string, endpoint: string): Promise<Ran> {
  const cwd = await mkdtemp(join(tmpdir(), "suite-doctor-"));
  try {
    return await ran(file, endpoint, cwd);
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function ran(file: string, endpoint: string, cwd: string): Promise<Ran> {
  const child = fork(fileURLToPath(new URL("dist/doctor/canary/child.js", packageUrl(import.meta.url))), [file], {
    cwd,
    env: environment(endpoint),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let report: Report | undefined;
  let output = "";
  child.stderr?.on("data", (piece: Buffer) => {
    output = `${output}${piece}`.slice(-4000);
  });
  const killAfter = (after: number, signal: NodeJS.Signals) => setTimeout(() => child.kill(signal), after);
  const timers = [killAfter(MOST_MS, "SIGTERM"), killAfter(MOST_MS + MOST_MS_TO_END, "SIGKILL")];
  child.on("message", (message) => {
    report = message as Report;
    timers.push(killAfter(MOST_MS_TO_END, "SIGTERM"), killAfter(2 * MOST_MS_TO_END, "SIGKILL"));
  });
  return new Promise((resolve) => {
    child.on("close", () => {
      for (const timer of timers) clearTimeout(timer);
      resolve(report === undefined ? { failed: reasonIn(output) } : { report });
    });
    child.on("error", () => resolve({ failed: "the process could not be started" }));
  });
}

/** Returns the environment of this process, with the local receiver as endpoint of all signals. */
function environment(endpoint: string): NodeJS.ProcessEnv {
  const others = /^OTEL_(?:EXPORTER_OTLP_.*|SDK_DISABLED|TRACES_EXPORTER|TRACES_SAMPLER.*)$/;
  const inherited = Object.entries(process.env).filter(([name]) => !others.test(name));
  return {
    ...Object.fromEntries(inherited),
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TIMEOUT: `${MOST_MS_TO_END}`,
  };
}

/** Returns the kind of error that made loading the set-up fail. The message itself may contain anything. */
function reasonIn(output: string): string {
  const code = /\b(?:code: '|\[)(ERR_[A-Z_]{1,60}|MODULE_NOT_FOUND|ENOENT)\b/.exec(output)?.[1];
  const name = /^(?:Uncaught )?([A-Z]\w{1,40}Error)\b/m.exec(output)?.[1];
  return code ?? name ?? "it ended before the run finished";
}
