import { parseArgs } from "node:util";

export const usage = `suite-pii [FILE]... [options]     FILE - or no FILE: standard input. The result is written to standard output.

--types A,B        the types to find; "default" (the default) and "all" are groups
--strategy NAME    redact, mask or hash (default: redact)
--threshold N      the minimum score of a finding, from 0 to 1 (default: 0.5)
--allow VALUE      a value to ignore, or an RE2 /PATTERN/ that matches the whole value; can be repeated
--rules FILE       instead of these: a JSON file that maps types to strategies or rules, with RE2 patterns as
                   {"pattern": "TCK-\\\\d{6}", "flags": "i"}, or an ES module with rules as default export
--key-file FILE    the key of the strategy hash (default: a random key for each run)
--output FILE, -o  writes the result to FILE when it is complete: a failed run does not change FILE
--in-place, -i     replaces each FILE in the same way; a FILE without findings is not changed
--jsonl            each line is JSON: only its strings are redacted, the rest is unchanged
--fields A,B       with --jsonl, only these fields: user.email, messages[].content, **.text (* any name, ** any depth)
--check            only lists findings, as FILE:LINE:COLUMN: TYPE and the masked value;
                   exit code 1 if there are any
--report           prints the number of findings per type
--encoding NAME    the encoding of the input (default: utf-8). The output is UTF-8
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
  readonly check: boolean;
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
  const { files, rules, types, strategy, threshold, allow, fields, jsonl, output, inPlace, check } = options;
  if (rules !== undefined && [types, strategy, threshold, allow].some((one) => one !== undefined)) {
    return "--rules contains all rules. Remove --types, --strategy, --threshold and --allow.";
  }
  if (fields !== undefined && !jsonl) return "--fields takes --jsonl.";
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
        check: flag,
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
