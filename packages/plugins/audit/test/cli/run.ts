import { execFile } from "node:child_process";
import { join } from "node:path";
import { jest } from "@jest/globals";
import { main } from "../../src/cli/main.js";

/** The built command. */
export const cli = join(import.meta.dirname, "..", "..", "dist", "cli.js");

export interface Given {
  /** The folder in which `query` keeps its index. */
  readonly cache?: string;
  /** The text on standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of a command. */
interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `suite-audit` in this process: many at little cost. Only for commands that print no records. */
export const runHere = (args: readonly string[]): Promise<Result> => printed(() => main(args));

/** Runs the main function of a command, and returns its exit code and the printed lines. */
export async function printed(main: () => Promise<number>): Promise<Result> {
  const spies = [jest.spyOn(console, "log"), jest.spyOn(console, "error")];
  const [out = [], err = []] = spies.map((spy) => {
    const lines: string[] = [];
    spy.mockImplementation((line: unknown) => void lines.push(`${line}\n`));
    return lines;
  });
  try {
    return { code: await main(), out: out.join(""), err: err.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs the built `suite-audit`, or another built command. */
export const run = (args: readonly string[], { cache = "", input = "", env = {} }: Given = {}, command = cli) =>
  new Promise<Result>((resolve) => {
    const all = { ...process.env, XDG_CACHE_HOME: cache, ...env };
    const child = execFile(process.execPath, [command, ...args], { env: all }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end(input);
  });
