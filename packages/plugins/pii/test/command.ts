import { execFile } from "node:child_process";
import { join } from "node:path";

/** The program `suite-pii`, as it is built. */
export const cli = join(import.meta.dirname, "..", "dist", "cli.js");

/** The exit code and the output of a program that has ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `suite-pii` with this standard input, in a folder where one is named. */
export const runCli = (args: readonly string[], input: string | Uint8Array = "", cwd?: string): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { maxBuffer: 1e9, encoding: "utf8", cwd } as const;
    const child = execFile(process.execPath, [cli, ...args], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.on("error", () => {}).end(input);
  });
