import { preparedEngine } from "../redact/async/engine.js";
import type { Engine } from "../redact/engine.js";
import { before } from "../redact/field.js";
import { type Cell, Table } from "../redact/table.js";
import { withoutAsync } from "../redact/telemetry.js";
import type { Findings } from "./findings.js";
import { linesOf, nameOf, recordsOf, textOf } from "./input.js";
import { fieldsOf } from "./json-fields.js";
import { treatJson } from "./json-line.js";
import { TreatedText } from "./treated.js";
import { type Options, UsageError } from "./usage.js";

/** The text of a file after the rules, in pieces. Waits for async recognisers before each piece. */
export function treatedText(
  file: string,
  options: Options,
  engine: Engine,
  findings: Findings,
): AsyncGenerator<string, void> {
  if (options.csv) return tables(file, options, engine, findings);
  return options.jsonl ? jsonLines(file, options, engine, findings) : prose(file, options, engine, findings);
}

async function* tables(
  file: string,
  { encoding }: Options,
  engine: Engine,
  findings: Findings,
): AsyncGenerator<string, void> {
  const name = nameOf(file);
  const names = withoutAsync(engine);
  const prepared = preparedEngine(engine).map((ready) => {
    const treat = ({ value, column, line, at }: Cell): string => {
      const path = column === undefined ? undefined : () => names.redact(column, { onBlock: "redact" });
      const beginning = { file: name, line, column: at, ...(path && { path }) };
      const text = new TreatedText(ready, findings, beginning, before(column));
      const head = text.push(value);
      return head + text.end();
    };
    return new Table((cells) => cells.map(treat));
  });
  for await (const records of recordsOf(linesOf(textOf(file, encoding), file)))
    yield prepared.run((table) => table.treat(records));
}

async function* prose(
  file: string,
  { encoding }: Options,
  engine: Engine,
  findings: Findings,
): AsyncGenerator<string, void> {
  const beginning = { file: nameOf(file), line: 1, column: 1 };
  const treated = preparedEngine(engine).map((ready) => new TreatedText(ready, findings, beginning));
  for await (const piece of textOf(file, encoding)) yield treated.run((text) => text.push(piece));
  yield treated.run((text) => text.end());
}

async function* jsonLines(
  file: string,
  options: Options,
  engine: Engine,
  findings: Findings,
): AsyncGenerator<string, void> {
  const prepared = preparedEngine(engine);
  const names = withoutAsync(engine);
  const fields = fieldsOf(options.fields);
  const name = nameOf(file);
  let line = 0;
  for await (const json of linesOf(textOf(file, options.encoding), file)) {
    const place = { file: name, line: ++line };
    const treated = await prepared.run((ready) =>
      json.trim() === "" ? json : treatJson(json, ready, names, findings, fields, place),
    );
    if (treated === undefined)
      throw new UsageError(`${name}:${line} is not JSON. Without --jsonl it is treated as text.`);
    yield treated;
  }
}
