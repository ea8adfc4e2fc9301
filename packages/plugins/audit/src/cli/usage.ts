import { parseArgs } from "node:util";

/** An error of usage: what was asked makes no sense. */
export class UsageError extends Error {}

/** The arguments that were given to a command. */
export interface Parsed {
  /** The one positional argument. */
  readonly path: string;
  /** The values that an option was given, each time. */
  all(name: string): readonly string[];
  last(name: string): string | undefined;
  /** Whether an option without a value was given. */
  has(flag: string): boolean;
}

/** Reads arguments: options that take a value, and flags that do not. @throws UsageError */
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

/** The one of some flags that was given, if any. @throws UsageError where several were */
export function chosen<F extends string>({ has }: Parsed, flags: readonly F[]): F | undefined {
  const given = flags.filter(has);
  if (given.length > 1) throw new UsageError(`One of ${given.map((flag) => `--${flag}`).join(", ")}, please.`);
  return given[0];
}

/** A whole number that an option was given. @throws UsageError */
export function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${name} takes a whole number from ${least} to ${most}.`);
}

/** Node adds how an argument is written that begins with a dash, which no command here takes. */
const firstSentence = (message: string): string => message.replace(/\. To specify a positional argument[\s\S]*$/, ".");
