import { parseArgs } from "node:util";

export const usage = `suite-pii [FILE]... [options]     FILE - or none: standard input. The treated text goes to standard output.
                                  FILE may be a quoted pattern: 'logs/**/*.txt'

--types A,B        the types to find; "default" (the default) and "all" are groups
--strategy NAME    redact, mask or hash (default: redact)
--threshold N      how sure a finding must be, from 0 to 1 (default: 0.5)
--allow VALUE      a value that is none, or /PATTERN/, for RE2, that matches it whole; can be given several times
--rules FILE       in place of these: a JSON file from types to strategies or rules, in which a pattern for RE2 is
                   {"pattern": "TCK-\\\\d{6}", "flags": "i"}, or an ES module whose default export are rules
--key-file FILE    the key of the strategy hash; without it, a random one for each run
--output FILE, -o  what is treated goes there, once it is all there: a failed run leaves FILE as it was
--in-place, -i     each FILE is replaced in the same way; where nothing is found it stays as it is
--jsonl            each line is JSON: its strings are treated, and all else stays as it was written
--fields A,B       with --jsonl, only these: user.email, messages[].content, **.text (* any name, ** any depth)
--csv              a table with a header (CSV, TSV): the names of columns are context for their values
--check            writes where something was found, as FILE:LINE:COLUMN: TYPE and what its mask leaves, and no text;
                   exit code 1 if there was something
--json             with --check, each finding is a line of JSON: {"file","line","column","type","masked"}, with --jsonl
                   or --csv also "path". --report then ends with {"counts"}
--report           how often each type was found
--encoding NAME    of the input (default: utf-8). The output is UTF-8
--version, --help

Exit codes: 0 success (--check: no findings), 1 findings of --check, or a rule with "block" matched, 2 the command could not be run.`;

/** The error for invalid command line arguments. */
export class UsageError extends Error {}

/** The options on the command line. */
export interface Options {
  readonly files: readonly string[];
  readonly types: readonly string[] | undefined;
  readonly strategy: string | undefined;
  readonly threshold: string | undefined;
  readonly allow: readonly string[] | undefined;
  readonly rules: string | undefined;
  readonly keyFile: string | undefined;
  readonly output: string | undefined;
  readonly inPlace: boolean;
  readonly jsonl: boolean;
  readonly fields: readonly string[] | undefined;
  readonly csv: boolean;
  readonly check: boolean;
  readonly json: boolean;
  readonly report: boolean;
  readonly encoding: string;
  readonly version: boolean;
  readonly help: boolean;
}

/** Parses a command line. @throws UsageError */
export function parse(args: readonly string[]): Options {
  const { "key-file": keyFile, "in-place": inPlace, ...values } = read(args);
  const options = {
    ...values,
    keyFile,
    inPlace,
    files: values.files.length === 0 ? ["-"] : values.files,
    types: list(values.types),
    fields: list(values.fields),
  };
  const wrong = values.version || values.help ? undefined : contradiction(options);
  if (wrong !== undefined) throw new UsageError(wrong);
  return options;
}

/** The parts of the command line that cannot be together. */
function contradiction(options: Options): string | undefined {
  const { files, rules, types, strategy, threshold, allow, fields, jsonl, output, inPlace, check, json } = options;
  if (rules !== undefined && [types, strategy, threshold, allow].some((one) => one !== undefined)) {
    return "--rules contains all rules. Remove --types, --strategy, --threshold and --allow.";
  }
  if (fields !== undefined && !jsonl) return "--fields takes --jsonl.";
  if (options.csv && jsonl) return "--csv and --jsonl cannot be combined.";
  if (json && !check) return "--json takes --check.";
  if (check && (inPlace || output !== undefined))
    return "--check does not change files. Remove --output and --in-place.";
  if (!inPlace) return undefined;
  if (output !== undefined) return "--in-place overwrites each file. Remove --output.";
  return files.includes("-") ? "--in-place requires files. It cannot be used with standard input." : undefined;
}

function read(args: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        types: text,
        strategy: text,
        threshold: text,
        allow: { ...text, multiple: true },
        rules: text,
        "key-file": text,
        output: { ...text, short: "o" },
        "in-place": { ...flag, short: "i" },
        jsonl: flag,
        fields: text,
        csv: flag,
        check: flag,
        json: flag,
        report: flag,
        encoding: { ...text, default: "utf-8" },
        version: flag,
        help: { ...flag, short: "h" },
      },
    });
    const { types, strategy, threshold, allow, rules, output, fields } = values;
    return { ...values, types, strategy, threshold, allow, rules, output, fields, files: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const list = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
