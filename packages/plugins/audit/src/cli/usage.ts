import { parseArgs } from "node:util";

/** An error in the arguments of a command. */
export class UsageError extends Error {}

/** The arguments of a command. */
export interface Parsed {
  /** The only positional argument. */
  readonly path: string;
  /** All values of an option, in order. */
  all(name: string): readonly string[];
  last(name: string): string | undefined;
  /** Returns true if a flag was passed. */
  has(flag: string): boolean;
}

/**
 * Parses arguments: options with a value, and flags.
 *
 * @throws UsageError
 */
export function parse(args: readonly string[], options: readonly string[], flags: readonly string[] = []): Parsed {
  try {
    const known: Record<string, { type: "string"; multiple: true } | { type: "boolean" }> = {};
    for (const name of options) known[name] = { type: "string", multiple: true };
    for (const name of flags) known[name] = { type: "boolean" };
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: known });
    const [path] = positionals;
    if (path === undefined || positionals.length > 1) throw new UsageError("One path was expected.");
    const all = (name: string) => [values[name] ?? []].flat().filter((value) => typeof value === "string");
    return { path, all, last: (name) => all(name).at(-1), has: (flag) => values[flag] === true };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(firstSentence((error as Error).message));
  }
}

/**
 * Returns the one of several flags that was passed, if any.
 *
 * @throws UsageError if more than one was passed
 */
export function chosen<F extends string>({ has }: Parsed, flags: readonly F[]): F | undefined {
  const passed = flags.filter(has);
  if (passed.length > 1) throw new UsageError(`One of ${passed.map((flag) => `--${flag}`).join(", ")}, please.`);
  return passed[0];
}

/**
 * Parses the value of an option as a whole number.
 *
 * @throws UsageError
 */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}.`);
}

/** Node adds a hint for positional arguments that begin with a dash, which no command accepts. */
const firstSentence = (message: string): string => message.replace(/\. To specify a positional argument[\s\S]*$/, ".");
