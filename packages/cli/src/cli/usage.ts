import { parseArgs } from "node:util";
import { CliError } from "../errors.js";

export const help = `suite doctor   says what is wrong with the suite in this project, and what to do
suite init     adds the lines that trace an agent, after showing them
suite forget   erases what the plugins of a program keep of a user

  suite doctor [--audit DIR] [--setup FILE] [--json]

  --audit DIR    the folder of an audit log that is verified (default: .suite/audit, where it is there)
  --setup FILE   a module that sets tracing up and exports plugins: a tiny agent runs with its tracing and its
                 redactor in a process of its own, and values that were planted are looked for in what leaves
  --json         the table as JSON

  suite init [--file FILE] [--yes]

  --file FILE    the file in which the agent, or the model's client, is made (default: the one that has it)
  --yes          writes without asking

  suite forget USER --setup FILE [--reference TEXT] [--json]

  USER              the id of the user as runs have it; - reads it from standard input
  --setup FILE      a module that exports the plugins as the program has them, with their stores: \`plugins\`
  --reference TEXT  stands in the records of the erasure: the number of the request. Not the user's name

  --version, --help

Exit codes: 0 as it should be, 1 something is wrong (init: nothing was written; forget: something is left), 2 it could not be asked so.`;

/** The parsed arguments of a command. */
export interface Parsed {
  last(name: string): string | undefined;
  has(flag: string): boolean;
  /** The positional arguments. */
  readonly rest: readonly string[];
}

/**
 * Parses arguments: options with a value, flags, and positional arguments.
 *
 * @param positionals the most positional arguments.
 * @throws CliError `ERR_CLI_OPTION`
 */
export function parse(
  args: readonly string[],
  options: readonly string[],
  flags: readonly string[],
  positionals = 0,
): Parsed {
  const known: Record<string, { type: "string" | "boolean" }> = {};
  for (const name of options) known[name] = { type: "string" };
  for (const name of flags) known[name] = { type: "boolean" };
  try {
    const { values, positionals: rest } = parseArgs({
      args: [...args],
      options: known,
      allowPositionals: positionals > 0,
    });
    if (rest.length > positionals) throw new Error("Too many arguments.");
    const given = values as Readonly<Record<string, unknown>>;
    return {
      last(name) {
        const value = given[name];
        return typeof value === "string" ? value : undefined;
      },
      has: (flag) => given[flag] === true,
      rest,
    };
  } catch (cause) {
    throw new CliError("ERR_CLI_OPTION", `${firstSentence((cause as Error).message)} suite --help lists the options.`, {
      cause,
    });
  }
}

/** Removes Node's hint about arguments that begin with a dash, which no command here accepts. */
const firstSentence = (message: string): string => message.replace(/\. To specify a positional argument[\s\S]*$/, ".");
