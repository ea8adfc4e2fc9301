import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "../../scripts/workspaces.mjs";

const manifest = JSON.parse(readFileSync(join(root, "packages/plugins/audit-followers/package.json"), "utf8"));
const cli = join(root, "packages/plugins/audit-followers", manifest.bin["suite-audit-follow"]);
const running = new Set<ChildProcess>();

/** A process of `suite-audit-follow`. */
export interface Following {
  /** The text that it printed to standard error. */
  readonly said: () => string;
  kill(): Promise<void>;
  /** Tells the process to end, and gives its exit code. */
  stop(): Promise<number | null>;
}

export function startFollowing(dir: string, ...options: readonly string[]): Following {
  const child = spawn(process.execPath, [cli, dir, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  running.add(child);
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  return {
    said: () => said,
    kill: async () => void (await end(child, "SIGKILL")),
    stop: () => end(child, "SIGTERM"),
  };
}

/** Kills the followers of tests that failed before they ended theirs. */
export async function killFollowers(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  running.delete(child);
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
  return child.exitCode;
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10);
}

/** The records of a log, as stored, each after its file and index. Followers get the same. */
export async function storedRecords(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith(".jsonl"));
  const files = names.map(async (name) => {
    const lines = (await readFile(join(dir, name), "utf8")).split("\n");
    return lines.filter((line) => line.startsWith("{")).map((line, index) => `${name} ${index} ${line}`);
  });
  return (await Promise.all(files)).flat().sort();
}
