import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fixture } from "../durability/proof.js";
import { temporaryDirectory } from "../support.js";
import { attach } from "./strace.js";
import { parseTrace, type SystemCall } from "./trace.js";

/** The end of one append, and the line of the trace at which it was told. */
interface Told {
  readonly id?: string;
  readonly file?: string;
  readonly index?: number;
  readonly code?: string;
  readonly at: number;
}

export interface Run {
  readonly dir: string;
  readonly calls: readonly SystemCall[];
  readonly told: readonly Told[];
}

/** Calls by which a log touches the disk, and that by which the fixture tells of it. `?`: not every machine has it. */
const watched = [
  ...["openat", "write", "pwrite64", "pread64", "fdatasync", "fsync", "ftruncate", "getdents64", "close", "?statx"],
  ...["?unlink", "?unlinkat", "?link", "?linkat", "?mkdir", "?mkdirat", "writev"],
];

/** A run of the fixture `rotating.mjs` in a new directory, traced, with faults. All its disk calls are those of one thread. */
export async function run(faults: readonly string[] = []): Promise<Run> {
  const base = await temporaryDirectory();
  const dir = join(base, "log");
  const trace = join(base, "trace");
  const child = spawn(process.execPath, [fixture("rotating.mjs"), dir], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, UV_THREADPOOL_SIZE: "1", NODE_NO_WARNINGS: "1" },
  });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close");
  await once(child.stdout, "data");
  const seen = `trace=${watched.join(",")}`;
  const injected = faults.flatMap((fault) => ["-e", `inject=${fault}`]);
  const tracer = await attach(child.pid ?? 0, ["-y", "-s", "200", "-o", trace, "-e", seen, ...injected]);
  child.stdin.end();
  await ended;
  await tracer.ended;
  const calls = parseTrace(await readFile(trace, "utf8"));
  const at = calls.filter(({ name, args }) => name === "writev" && args.startsWith("1<")).map(({ start }) => start);
  const lines = printed.split("\n").slice(1, -1);
  const told = lines.map((line, i) => ({ ...(JSON.parse(line) as object), at: at[i] ?? 0 }));
  return { dir, calls, told };
}
