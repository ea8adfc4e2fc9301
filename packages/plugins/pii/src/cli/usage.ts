import { parseArgs } from "node:util";

export const usage = `suite-pii [FILE]... [options]     FILE - or none: standard input. What is treated goes to standard output.

--types A,B        what is looked for (default: every built-in type)
--strategy NAME    redact, mask or hash (default: redact)
--rules FILE       in place of both: a JSON file from types to strategies, or an ES module whose default export are rules
--key-file FILE    the key of the strategy hash; without it, a random one for each run
--jsonl            each line is JSON: its strings are treated, and all else stays as it was written
--fields A,B       with --jsonl, only these: user.email, messages[].content, **.text (* any name, ** any depth)
--check            writes where something was found, as FILE:LINE: TYPE, and no text; exit code 1 if there was something
--report           how often each type was found
--encoding NAME    of the input (default: utf-8). The output is UTF-8

Exit codes: 0 done (with --check: nothing was found), 1 found by --check, or refused by a rule with "block", 2 it could not be run.`;

/** What was asked makes no sense. */
export class UsageError extends Error {}

/** The command line. */
export interface Options {
  readonly files: readonly string[];
  readonly types: readonly string[] | undefined;
  readonly strategy: string | undefined;
  readonly rules: string | undefined;
  readonly keyFile: string | undefined;
  readonly jsonl: boolean;
  readonly fields: readonly string[] | undefined;
  readonly check: boolean;
  readonly report: boolean;
  readonly encoding: string;
  readonly help: boolean;
}

/** @throws UsageError */
export function parse(args: readonly string[]): Options {
  const values = read(args);
  if (values.rules !== undefined && (values.types !== undefined || values.strategy !== undefined)) {
    throw new UsageError("--rules says types and strategies itself: leave --types and --strategy out.");
  }
  if (values.fields !== undefined && !values.jsonl) throw new UsageError("--fields takes --jsonl.");
  return {
    files: values.files.length === 0 ? ["-"] : values.files,
    types: list(values.types),
    strategy: values.strategy,
    rules: values.rules,
    keyFile: values["key-file"],
    jsonl: values.jsonl,
    fields: list(values.fields),
    check: values.check,
    report: values.report,
    encoding: values.encoding,
    help: values.help,
  };
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
        rules: text,
        "key-file": text,
        jsonl: flag,
        fields: text,
        check: flag,
        report: flag,
        encoding: { ...text, default: "utf-8" },
        help: { ...flag, short: "h" },
      },
    });
    return { ...values, files: positionals };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

const list = (text: string | undefined): readonly string[] | undefined =>
  text
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
