import { PiiError } from "../errors.js";
import { builtInTypes, recogniserOf, recognisers } from "../recognisers/registry.js";
import type { Match } from "../scan/recogniser.js";
import { Engine } from "./engine.js";

const engines = new Map<string, Engine>();
const all = recognisers.map((recogniser) => recogniser.type);

/**
 * Finds values of built-in types: all default types, unless `types` is passed. The matches are sorted and do not
 * overlap. Offsets are UTF-16 units of the original string.
 *
 * @example
 * ```ts
 * detect("mail jane@x.com", { types: ["email"] }); // [{ type: "email", start: 5, end: 15, score: 0.95 }]
 * ```
 */
export function detect(text: string, options: { readonly types?: readonly string[] } = {}): Match[] {
  const types = [...new Set(options.types ?? all)];
  const key = types.join();
  let engine = engines.get(key);
  if (engine === undefined) {
    for (const type of types) if (recogniserOf(type) === undefined) throw unknown(type);
    engine = Engine.of(Object.fromEntries(types.map((type) => [type, "redact" as const])));
    if (engines.size < 64) engines.set(key, engine);
  }
  return engine.detect(text);
}

const unknown = (type: string): PiiError =>
  new PiiError("ERR_PII_INVALID_RULE", `"${type}" is not a built-in type. Built-in types: ${builtInTypes.join(", ")}.`);
