import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { collector } from "../../scripts/collector.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { freePort } from "./receiver.js";

const program = collector();
if (program === undefined) {
  const lacks = "Neither a collector on the PATH, nor Docker, nor Go on this machine: its tests";
  if (process.env.CI) throw new Error(`${lacks} cannot run`);
  console.warn(`${lacks} are skipped`);
}

/** Tests that need a real collector. */
export const withCollector = program === undefined ? describe.skip : describe;

/** A real collector, as `collector/config.yaml` sets it up. */
export interface Collector {
  readonly url: string;
  /** It sends on what it has, and ends. */
  stop(): Promise<void>;
  /** It is gone at once. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** For tests that failed before they ended theirs. */
export async function killAll(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

/** Starts one, and waits until it takes spans. */
export async function startCollector(sendsTo: string, port?: number): Promise<Collector> {
  if (program === undefined) throw new Error("no collector");
  const url = `http://127.0.0.1:${port ?? (await freePort())}`;
  const env = {
    ...process.env,
    OTLP_GRPC_ENDPOINT: `127.0.0.1:${await freePort()}`,
    OTLP_HTTP_ENDPOINT: url.slice("http://".length),
    EXPORT_ENDPOINT: sendsTo,
    EXPORT_ENCODING: "json",
    EXPORT_METRICS_TO: "[otlp_http]",
    EXPORT_LOGS_TO: "[otlp_http]",
  };
  const config = `--config=${join(root, "collector/config.yaml")}`;
  const child = spawn(program, [config], { env, stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  let log = "";
  child.stderr.on("data", (data) => {
    log = `${log}${data}`.slice(-4000);
  });
  while (!(await takesSpans(url))) {
    running.delete(child);
    if (child.exitCode !== null) throw new Error(`The collector ended: ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, stop: () => end(child, "SIGTERM"), kill: () => end(child, "SIGKILL") };
}

async function takesSpans(url: string): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/v1/traces`, { method: "POST", headers, body: "{}" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}
