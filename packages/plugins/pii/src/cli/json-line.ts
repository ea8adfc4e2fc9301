import type { Engine } from "../redact/engine.js";
import { before } from "../redact/field.js";
import type { Findings } from "./findings.js";
import { type Fields, leavesOf, written } from "./json-fields.js";
import { TreatedText } from "./treated.js";

/**
 * Treats the strings of a line of JSON. Returns `undefined` if the line is not JSON.
 *
 * @param names Treats the names of fields in messages.
 */
export function treatJson(
  json: string,
  engine: Engine,
  names: Engine,
  findings: Findings,
  fields: Fields,
  place: { readonly file: string; readonly line: number },
): string | undefined {
  if (!isJson(json)) return undefined;
  let out = "";
  let copied = 0;
  for (const { start, end, path, isKey } of leavesOf(json)) {
    if (!fields(path)) continue;
    const raw = json.slice(start, end);
    const value = raw.startsWith('"') ? (JSON.parse(raw) as string) : raw;
    // The path is printed, and the names in it are data too.
    const where = (): string =>
      names.redact(written(isKey ? [...path.slice(0, -1), "{key}"] : path), { onBlock: "redact" });
    // A number is never free text, whatever the name of its field is.
    const context = isKey ? undefined : before(path.findLast((name) => name !== "[]") ?? "text");
    const surroundings = raw === value ? (context ?? "") : context;
    const text = new TreatedText(engine, findings, { ...place, column: start + 1, path: where }, surroundings);
    const head = text.push(value);
    const treated = head + text.end();
    if (treated === value) continue;
    out += json.slice(copied, start) + JSON.stringify(treated);
    copied = end;
  }
  return out + json.slice(copied);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
