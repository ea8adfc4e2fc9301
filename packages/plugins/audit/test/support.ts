import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import type { Log } from "../src/index.js";
import { isLogFile } from "../src/log/format.js";

const made: string[] = [];

/** A new directory, removed after the tests. */
export async function temporaryDirectory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "suite-audit-"));
  made.push(dir);
  return dir;
}

afterAll(async () => {
  await Promise.all(made.splice(0).map((dir) => rm(dir, { recursive: true, force: true, maxRetries: 5 })));
});

/** Closes a log and leaves its files as a process that was killed does: without what closing one writes. */
export async function abandon(log: Log, dir: string): Promise<void> {
  const before = await Promise.all(
    (await logFiles(dir)).map(async (name) => ({ path: join(dir, name), bytes: await readFile(join(dir, name)) })),
  );
  await log.close();
  await Promise.all(before.map(({ path, bytes }) => writeFile(path, bytes)));
}

/** The identity of the log in a directory. */
export const idOf = async (dir: string): Promise<string> => (await readFile(join(dir, "id"), "utf8")).trim();

export async function logFiles(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter(isLogFile).sort();
}

/** Lines of the only log file. */
export async function linesOf(dir: string, file?: string): Promise<string[]> {
  const name = file ?? (await logFiles(dir))[0] ?? "";
  return (await readFile(join(dir, name), "utf8")).split("\n").slice(0, -1);
}

export async function writeLines(dir: string, lines: readonly string[], file?: string): Promise<void> {
  const name = file ?? (await logFiles(dir))[0] ?? "";
  await writeFile(join(dir, name), lines.map((line) => `${line}\n`).join(""));
}

/** Records of all files, in order. */
export async function recordsOf(dir: string): Promise<Record<string, unknown>[]> {
  const lines = await Promise.all((await logFiles(dir)).map((name) => linesOf(dir, name)));
  return lines.flat().flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Record<string, unknown>] : []));
}
