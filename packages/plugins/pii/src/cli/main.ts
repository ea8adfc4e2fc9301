import { PiiError } from "../errors.js";
import type { Engine } from "../redact/engine.js";
import { refuseUnstreamable } from "../redact/redactor.js";
import { filesOf } from "./files.js";
import { Findings } from "./findings.js";
import { isUtf8 } from "./input.js";
import { FileOutput, type Output, removeWhenStopped, StandardOutput } from "./output.js";
import { engineOf } from "./rules.js";
import { treatedText } from "./treat.js";
import { type Options, parse, UsageError, usage } from "./usage.js";
import { version } from "./version.js";

/**
 * The exit code. 0: done, and nothing found by `--check`. 1: found by `--check`, or blocked by a rule. 2: it could not
 * be run.
 */
export type ExitCode = 0 | 1 | 2;

/** Runs `suite-pii` with these arguments. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    const parsed = parse(args);
    if (parsed.help || parsed.version) {
      console.log(parsed.help ? usage : await version());
      return 0;
    }
    const options = { ...parsed, files: await filesOf(parsed.files) };
    const engine = await engineOf(options);
    if (!options.jsonl && !options.csv) refuseUnstreamable(engine);
    removeWhenStopped();
    return await (options.inPlace ? inPlace(options, engine) : inOne(options, engine));
  } catch (error) {
    if (!isExplained(error)) throw error;
    console.error(error.message);
    return PiiError.is(error) && error.code === "ERR_PII_BLOCKED" ? 1 : 2;
  }
}

/** All files, one after another, into one output. */
async function inOne(options: Options, engine: Engine): Promise<ExitCode> {
  const { check, report, files, json } = options;
  const output = options.output === undefined ? new StandardOutput() : await FileOutput.to(options.output);
  const findings = new Findings(check ? (line) => output.add(line) : undefined, json);
  await into(output, async () => {
    for (const file of files) await pass(file, options, engine, findings, output);
  });
  if (report) (check ? process.stdout : process.stderr).write(findings.report());
  return check && findings.all > 0 ? 1 : 0;
}

/** Each file into itself. */
async function inPlace(options: Options, engine: Engine): Promise<ExitCode> {
  if (!isUtf8(options.encoding))
    throw new UsageError("--in-place writes UTF-8 and cannot be combined with another --encoding.");
  const findings = new Findings();
  for (const file of options.files) {
    const output = await FileOutput.to(file);
    const known = findings.all;
    await into(output, async () => {
      await pass(file, options, engine, findings, output);
      // A file without changes keeps its times and its links.
      if (findings.all === known) await output.abandon();
    });
  }
  if (options.report) process.stderr.write(findings.report());
  return 0;
}

/** Writes, and counts as written only if nothing fails. */
async function into(output: Output, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    await output.done();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

async function pass(file: string, options: Options, engine: Engine, findings: Findings, output: Output): Promise<void> {
  for await (const treated of treatedText(file, options, engine, findings)) {
    if (!options.check) output.add(treated);
    if (output.full) await output.flush();
  }
}

/** Returns true if the message alone explains an error: invalid usage, an invalid rule, an unreadable file. */
const isExplained = (error: unknown): error is Error =>
  error instanceof UsageError ||
  PiiError.is(error) ||
  typeof (error as NodeJS.ErrnoException | undefined)?.syscall === "string";
