import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { collector as collectorRecipe } from "../../../../scripts/collector.mjs";
import { freePort } from "../../../../scripts/free-port.mjs";
import { find } from "../../../../scripts/programs.mjs";
import { hasRedis } from "../redis-server.js";

/** A third-party server, which is killed and started again under the same address. */
export interface Program {
  readonly url: string;
  kill(): Promise<void>;
  /** Starts it, and waits until it answers. */
  start(): Promise<void>;
}

/** The Collector's program, or the reason why the soak cannot run on this machine. */
export function findCollector(): { readonly program: string } | { readonly missing: string } {
  if (!existsSync("/proc/self/fd")) return { missing: "open files and processes are read from /proc, which is Linux'" };
  return hasRedis ? find(collectorRecipe) : { missing: "there is no redis-server" };
}

const children = new Set<ChildProcess>();

/** Sees to it that no program outlives this process, however it ends. */
export function killAtExit(): void {
  process.once("exit", () => {
    for (const child of children) child.kill("SIGKILL");
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
}

function started(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** A Redis that writes each change to the disk before it answers: killed, it loses nothing that it has acknowledged. */
export async function redis(dir: string): Promise<Program> {
  const port = await freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const command = ["redis-server", "--port", `${port}`, "--bind", "127.0.0.1", "--dir", dir, ...durable] as const;
  return program(`redis://127.0.0.1:${port}`, command, async (child) => {
    let output = "";
    for await (const text of child.stdout ?? []) {
      output += text;
      if (output.includes("Ready to accept connections")) return true;
    }
    return false;
  });
}

/**
 * Starts a Collector that answers only after the next one has accepted the spans. So acknowledged spans survive, even
 * if it is killed right afterwards.
 */
export async function collector(path: string, dir: string, sendsTo: string): Promise<Program> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(dir, "collector.yaml");
  writeFileSync(config, collectorConfig(port, sendsTo));
  return program(url, [path, `--config=${config}`], async () => {
    const empty = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    for (let tries = 0; tries < 400; tries++) {
      const answered = await fetch(`${url}/v1/traces`, empty).catch(() => undefined);
      await answered?.arrayBuffer();
      if (answered?.ok) return true;
      await sleep(50);
    }
    return false;
  });
}

const collectorConfig = (port: number, sendsTo: string): string => `
receivers: { otlp: { protocols: { http: { endpoint: "127.0.0.1:${port}" } } } }
processors:
  memory_limiter: { check_interval: 1s, limit_mib: 256, spike_limit_mib: 64 }
  redaction: { allow_all_keys: true }
exporters:
  otlp_http:
    endpoint: ${sendsTo}
    encoding: json
    compression: none
    sending_queue: { enabled: false }
    retry_on_failure: { enabled: false }
service:
  telemetry: { metrics: { level: none } }
  pipelines:
    traces: { receivers: [otlp], processors: [memory_limiter, redaction], exporters: [otlp_http] }
    metrics: { receivers: [otlp], processors: [memory_limiter, redaction], exporters: [otlp_http] }
`;

/** A program of the soak in a separate process, so that its memory is not measured with the suite's. */
export interface Outside<Totals> {
  readonly url: string;
  /** The books that it has kept so far. */
  totals(): Promise<Totals>;
  end(): Promise<void>;
}

/** Starts `model-process` or `receiver-process`, which reports its address when it listens. */
export async function outside<Totals>(
  name: "model" | "receiver",
  ...args: readonly string[]
): Promise<Outside<Totals>> {
  const path = fileURLToPath(new URL(`${name}-process.js`, import.meta.url));
  const child = started(spawn(process.execPath, [path, ...args], { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  return {
    url,
    async totals() {
      const reply = once(child, "message");
      child.send("totals");
      return (await reply)[0] as Totals;
    },
    end: () => end(child, "SIGTERM"),
  };
}

async function program(
  url: string,
  [command, ...args]: readonly [string, ...string[]],
  isUp: (child: ChildProcess) => Promise<boolean>,
): Promise<Program> {
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = started(spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] }));
    if (!(await isUp(child))) throw new Error(`${command} did not start`);
    child.stdout?.resume();
  };
  await start();
  return {
    url,
    start,
    async kill() {
      if (child !== undefined) await end(child, "SIGKILL");
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill(signal);
  child.stdout?.resume();
  await closed;
}
