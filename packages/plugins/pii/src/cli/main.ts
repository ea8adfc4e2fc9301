import { once } from "node:events";
import { PiiError } from "../errors.js";
import type { Engine } from "../redactor/engine.js";
import { Findings } from "./findings.js";
import { linesOf, nameOf, textOf } from "./input.js";
import { fieldsOf } from "./json-fields.js";
import { treatJson } from "./json-line.js";
import { engineOf } from "./rules.js";
import { TreatedText } from "./treated.js";
import { type Options, parse, UsageError, usage } from "./usage.js";

/** 0: done, and nothing found by `--check`. 1: found by `--check`, or blocked by a rule. 2: it could not be run. */
export type ExitCode = 0 | 1 | 2;

/** Runs `suite-pii` with these arguments. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  try {
    const options = parse(args);
    if (options.help) {
      console.log(usage);
      return 0;
    }
    return await run(options, await engineOf(options));
  } catch (error) {
    if (!said(error)) throw error;
    console.error(error.message);
    return PiiError.is(error) && error.code === "ERR_PII_BLOCKED" ? 1 : 2;
  }
}

async function run(options: Options, engine: Engine): Promise<ExitCode> {
  const { check, report } = options;
  const output = new Output();
  const findings = new Findings(check ? (line) => output.add(line) : undefined);
  for (const file of options.files) {
    for await (const treated of treat(file, options, engine, findings)) {
      if (!check) output.add(treated);
      if (output.full) await output.flush();
    }
  }
  await output.flush();
  if (report) (check ? process.stdout : process.stderr).write(findings.report());
  return check && findings.any ? 1 : 0;
}

async function* treat(file: string, options: Options, engine: Engine, findings: Findings): AsyncGenerator<string> {
  const text = textOf(file, options.encoding);
  const name = nameOf(file);
  if (!options.jsonl) {
    const whole = new TreatedText(engine, findings, { file: name, line: 1 });
    for await (const piece of text) yield whole.push(piece);
    yield whole.end();
    return;
  }
  const fields = fieldsOf(options.fields);
  let line = 0;
  for await (const json of linesOf(text, file)) {
    const place = { file: name, line: ++line };
    const treated = json.trim() === "" ? json : treatJson(json, engine, findings, fields, place);
    if (treated === undefined)
      throw new UsageError(`${name}:${line} is not JSON. Without --jsonl it is treated as text.`);
    yield treated;
  }
}

/** Standard output, no faster than it is read. */
class Output {
  #text = "";

  constructor() {
    // Whoever reads may have read enough, as `head` does.
    process.stdout.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }

  get full(): boolean {
    return this.#text.length >= 64 * 1024;
  }

  add(text: string): void {
    this.#text += text;
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    if (text !== "" && !process.stdout.write(text)) await once(process.stdout, "drain");
  }
}

/** What its message alone explains: a question asked wrongly, a rule, a file that cannot be read. */
const said = (error: unknown): error is Error =>
  error instanceof UsageError ||
  PiiError.is(error) ||
  typeof (error as NodeJS.ErrnoException | undefined)?.syscall === "string";
