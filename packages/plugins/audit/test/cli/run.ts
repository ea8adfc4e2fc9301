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

/** Runs a command in this process: many at little cost. For what prints no records. */
export async function runHere(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const spies = [jest.spyOn(console, "log"), jest.spyOn(console, "error")];
  const [out = [], err = []] = spies.map((spy) => {
    const lines: string[] = [];
    spy.mockImplementation((line: unknown) => void lines.push(`${line}\n`));
    return lines;
  });
  try {
    return { code: await main(args), out: out.join(""), err: err.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Runs the built `suite-audit`. */
export const run = (args: readonly string[], { cache = "", input = "", env = {} }: Given = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const all = { ...process.env, XDG_CACHE_HOME: cache, ...env };
    const child = execFile(process.execPath, [cli, ...args], { env: all }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end(input);
  });
