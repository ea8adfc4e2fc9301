import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { pack, withOwn } from "../scripts/pack.mjs";

/** Errors of npm where a registry cannot be reached. All else is what a stranger would meet as well. */
const UNREACHABLE =
  /code (?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|E5\d\d)\b/;
const FLAGS = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--fetch-retries=1"];

/** A program's output, and how it ended. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** A project of somebody who has nothing of this repository but the packed tarballs. */
export interface Stranger {
  readonly folder: string;
  /** Output of `npm install`, one for each list. */
  readonly installed: readonly Ran[];
  /** A further `npm install`. */
  install(list: readonly string[]): Ran;
  /** Writes a file of the project. */
  write(name: string, text: string): void;
  run(command: string, args: readonly string[]): Ran;
  /** A program's run while this process goes on, for one that asks a server in it. */
  start(command: string, args: readonly string[]): Promise<Ran>;
  remove(): void;
}

/**
 * An empty project, in which lists of packages were installed one after the other; `@suite/…` is the packed tarball.
 * Undefined where there is no registry, which a line says; on CI that is an error.
 */
export function stranger(...lists: readonly (readonly string[])[]): Stranger | undefined {
  const root = mkdtempSync(join(tmpdir(), "stranger-"));
  const folder = join(root, "project");
  mkdirSync(folder);
  const remove = () => rmSync(root, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const run = (command: string, args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    return { code: status, output: stdout + stderr };
  };
  const start = (command: string, args: readonly string[]): Promise<Ran> =>
    new Promise((resolve) => {
      execFile(command, args, { cwd: folder }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, output: stdout + stderr });
      });
    });
  write("package.json", '{ "name": "empty", "private": true }\n');
  const tarballs = new Map(pack(root).map(({ name, tarball }) => [name, tarball]));
  const install = (list: readonly string[]): Ran =>
    run("npm", ["install", ...FLAGS, ...withOwn(list).map((name) => tarballs.get(name) ?? name)]);
  const installed: Ran[] = [];
  for (const list of lists) {
    const ran = install(list);
    if (ran.code !== 0 && UNREACHABLE.test(ran.output) && !process.env.CI) {
      console.error("Tests are skipped: npm cannot reach its registry.");
      remove();
      return undefined;
    }
    installed.push(ran);
  }
  return { folder, installed, install, write, run, start, remove };
}

/** The tests of a project, or none where there is no registry. */
export function describeStranger(title: string, project: Stranger | undefined, tests: (project: Stranger) => void) {
  if (project !== undefined) describe(title, () => tests(project));
  else describe.skip(title, () => tests(nobody));
}

/** Stands where a skipped test would have its project. */
const nobody = {} as Stranger;
