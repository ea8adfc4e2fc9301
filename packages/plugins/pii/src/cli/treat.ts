import { TwoPasses } from "../redact/async/two-passes.js";
import type { Engine } from "../redact/engine.js";
import { withoutAsync } from "../redact/telemetry.js";
import { Findings } from "./findings.js";
import { linesOf, nameOf, textOf } from "./input.js";
import { fieldsOf } from "./json-fields.js";
import { treatJson } from "./json-line.js";
import { TreatedText } from "./treated.js";
import { type Options, UsageError } from "./usage.js";

/** The text of a file as the rules leave it, in pieces. Rules whose recogniser has to be waited for are asked ahead. */
export function treatedText(
  file: string,
  options: Options,
  engine: Engine,
  findings: Findings,
): AsyncGenerator<string, void> {
  const passes = engine.async.length === 0 ? undefined : new TwoPasses(engine);
  const by = { engine: passes?.answered ?? engine, passes, names: withoutAsync(engine), findings };
  return options.jsonl ? jsonLines(file, options, by) : prose(file, options, by);
}

/** The engines that treat a file, and the findings to report. */
interface By {
  readonly engine: Engine;
  readonly passes: TwoPasses | undefined;
  /** The engine for names of fields in messages. */
  readonly names: Engine;
  readonly findings: Findings;
}

/** Collects the findings of the trial pass, which are not counted. */
const nothing = (): Findings => new Findings();

async function* prose(
  file: string,
  { encoding }: Options,
  { engine, passes, findings }: By,
): AsyncGenerator<string, void> {
  const beginning = { file: nameOf(file), line: 1, column: 1 };
  const treated = new TreatedText(engine, findings, beginning);
  const ahead = passes && new TreatedText(passes.trial, nothing(), beginning);
  for await (const piece of textOf(file, encoding)) {
    await passes?.prepare(() => ahead?.push(piece));
    yield treated.push(piece);
  }
  await passes?.prepare(() => ahead?.end());
  yield treated.end();
}

async function* jsonLines(file: string, options: Options, by: By): AsyncGenerator<string, void> {
  const { engine, passes, names, findings } = by;
  const fields = fieldsOf(options.fields);
  const name = nameOf(file);
  let line = 0;
  for await (const json of linesOf(textOf(file, options.encoding), file)) {
    const place = { file: name, line: ++line };
    const asking = passes?.prepare(() => treatJson(json, passes.trial, names, nothing(), fields, place));
    if (asking !== undefined) await asking;
    const treated = json.trim() === "" ? json : treatJson(json, engine, names, findings, fields, place);
    if (treated === undefined)
      throw new UsageError(`${name}:${line} is not JSON. Without --jsonl it is treated as text.`);
    yield treated;
  }
}
