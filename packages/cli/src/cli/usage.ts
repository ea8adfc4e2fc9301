import { parseArgs } from "node:util";
import { CliError } from "../errors.js";

export const help = `suite doctor   finds problems of the suite in this project, with advice
suite init     adds the code that traces an agent, after showing it
suite forget   erases the data of a user in the plugins of a program

  suite doctor [--audit DIR] [--setup FILE] [--json]

  --audit DIR    the folder of an audit log to verify (default: .suite/audit, if it exists)
  --setup FILE   a module that sets up tracing and exports plugins: a small agent runs with its tracing and
                 redactor in a separate process, and the exported data is searched for planted values
  --json         the table as JSON

  suite init [--file FILE] [--yes]

  --file FILE    the file that creates the agent or the model client (default: found automatically)
  --yes          writes without a question

  suite forget USER --setup FILE [--reference TEXT] [--json]

  USER              the user id of the runs; - reads it from standard input
  --setup FILE      a module that exports the program's plugins, with their stores, as \`plugins\`
  --reference TEXT  is written to the records of the erasure, for example a request number. Not the user's name

  --version, --help

Exit codes: 0 success, 1 a problem was found (init: no file was written; forget: data is left), 2 invalid usage.`;

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
    const parsedValues = values as Readonly<Record<string, unknown>>;
    return {
      last(name) {
        const value = parsedValues[name];
        return typeof value === "string" ? value : undefined;
      },
      has: (flag) => parsedValues[flag] === true,
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
