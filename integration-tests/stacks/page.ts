import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { freePort } from "../../scripts/free-port.mjs";
import { root } from "../../scripts/workspaces.mjs";
import { type Receiver, startReceiver } from "../collector/receiver.js";

/** The output of a program, and its exit code. */
interface Ran {
  readonly code: number | null;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

/** A program of a page that listens on a port. */
interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

/** The arguments of a program, or a function of its port that returns them. */
type Arguments = readonly string[] | ((port: string) => readonly string[]);

type Variables = Readonly<Record<string, string>>;

/** A page of docs/stacks, its files written to an empty folder, and local servers in place of those of the internet. */
export interface Page {
  readonly folder: string;
  readonly text: string;
  readonly model: ModelServer;
  readonly spans: Receiver;
  /** Runs a command in the folder until it ends. */
  run(command: string, args: readonly string[], variables?: Variables): Promise<Ran>;
  /** Starts a command in the folder, with `PORT`, and waits until the port is open. */
  serve(command: string, args: Arguments, variables?: Variables): Promise<Served>;
}

/** Node 24, from the lock file of this folder: most of these frameworks need it. */
export const node = join(import.meta.dirname, "node_modules/.bin/node");

/** A key for vaults and approvals: 32 bytes as hexadecimal digits. */
export const vaultKey = "ab".repeat(32);

/** The name in the comment that is the first line of a block. */
const NAME = /^\/\/ (\S+)\n/;

/** The maximum number of lines of code of a page. */
const MAX_LINES = 40;

/** The files of a page, by the names in their first lines. Blocks without a name are examples of use. */
const filesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^```(?:js|ts|json|capnp)\n(.*?)^```$/gms)].flatMap(([, block = ""]) => {
      const [, name] = NAME.exec(block) ?? [];
      return name === undefined ? [] : [[name, block]];
    }),
  );

/** Lines of code: neither empty nor only a comment. */
const linesOf = (code: string): number => code.split("\n").filter((line) => /^\s*(?!\/\/)\S/.test(line)).length;

/**
 * Describes a page of docs/stacks. Its files are extracted word for word.
 *
 * @param name the name of the page, without `.md`
 * @param packages the folder whose packages the page uses, relative to this one
 */
export function describePage(name: string, tests: (page: Page) => void, packages = "."): void {
  const text = readFileSync(join(root, "docs/stacks", `${name}.md`), "utf8");
  const files = filesOf(text);
  const kept = join(import.meta.dirname, packages, ".suite");
  mkdirSync(kept, { recursive: true });
  const folder = mkdtempSync(join(kept, `${name}-`));
  // Outside of the repository, so that a program finds no settings, and Next.js the packages of this folder.
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const page = { folder, text } as { -readonly [Key in keyof Page]: Page[Key] };
  const running = new Set<ChildProcess>();

  const environment = (variables: Variables = {}): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: home,
    OPENAI_BASE_URL: `${page.model.url}/v1`,
    OPENAI_API_KEY: "none",
    OTEL_EXPORTER_OTLP_ENDPOINT: page.spans.url,
    ...variables,
  });

  page.run = (command, args, variables) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: environment(variables), timeout: 540_000 };
      execFile(command, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, output: stdout, errors: stderr });
      });
    });

  page.serve = async (command, args, variables) => {
    const port = `${await freePort()}`;
    const env = environment({ ...variables, PORT: port });
    const child = spawn(command, typeof args === "function" ? args(port) : args, {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += String(chunk);
      });
    }
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(url).then(Boolean, () => false))) {
      if (child.exitCode !== null) throw new Error(`The program has ended:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const stop = async () => {
      running.delete(child);
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, "exit");
    };
    return { url, stop };
  };

  describe(`docs/stacks/${name}.md`, () => {
    beforeAll(async () => {
      page.model = await startModelServer();
      page.spans = await startReceiver();
      for (const [file, code] of files) {
        const path = join(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, code);
      }
    });
    beforeEach(() => {
      page.model.reset();
      page.spans.bodies.splice(0);
    });
    afterAll(async () => {
      for (const child of running) child.kill("SIGKILL");
      await page.model.close();
      await page.spans.close();
      for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
    });

    it(`has at most ${MAX_LINES} lines of code`, () => {
      expect(files.size).toBeGreaterThan(0);
      expect([...files.values()].map(linesOf).reduce((sum, lines) => sum + lines)).toBeLessThanOrEqual(MAX_LINES);
    });

    tests(page);
  });
}
