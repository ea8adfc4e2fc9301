import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { defaultTypes, furtherTypes, recogniserOf } from "../recognisers/registry.js";
import { Engine } from "../redact/engine.js";
import type { Rules, Strategy } from "../rules/rule.js";
import { rulesFromJson } from "./json-rules.js";
import { type Options, UsageError } from "./usage.js";

const strategies: readonly Strategy[] = ["redact", "mask", "hash"];
/** Names of groups of types. */
const several: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  default: defaultTypes,
  all: [...defaultTypes, ...furtherTypes],
};

/**
 * The engine of the rules that the command line asks for.
 *
 * @throws UsageError, PiiError
 */
export async function engineOf({ rules, keyFile, ...options }: Options): Promise<Engine> {
  const key = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  return Engine.of(rules === undefined ? rulesOf(options) : await rulesFrom(rules), key);
}

type Chosen = Pick<Options, "types" | "strategy" | "threshold" | "allow">;

function rulesOf({ types = ["default"], strategy = "redact", threshold, allow }: Chosen): Rules {
  const known = strategies.find((name) => name === strategy);
  if (known === undefined) throw new UsageError(`--strategy takes one of ${strategies.join(", ")}.`);
  const least = threshold === undefined ? undefined : Number(threshold);
  if (least !== undefined && !(threshold?.trim() !== "" && least >= 0 && least <= 1)) {
    throw new UsageError("--threshold takes a number from 0 to 1.");
  }
  const rule = {
    strategy: known,
    ...(least !== undefined && { threshold: least }),
    ...(allow !== undefined && { allow: allow.map(allowed) }),
  };
  // Of two names of one type, the first.
  const named = new Map(
    types.flatMap((type) => several[type] ?? [type]).map((type) => [recogniserOf(type) ?? type, type]),
  );
  return Object.fromEntries([...named.values()].map((type) => [type, rule]));
}

/** `/PATTERN/`, `/PATTERN/i`, or a value. */
function allowed(one: string): string | RegExp {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(one) ?? [];
  if (source === undefined) return one;
  try {
    return new RegExp(source, flags);
  } catch {
    throw new UsageError("--allow contains an invalid pattern.");
  }
}

async function rulesFrom(file: string): Promise<Rules> {
  try {
    if (file.endsWith(".json")) return rulesFromJson(JSON.parse(await readFile(file, "utf8")));
    const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: Rules };
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw new UsageError(`--rules ${file}: ${error instanceof Error ? error.message : "it could not be loaded"}.`);
  }
  throw new UsageError(`--rules ${file}: it has no default export.`);
}
