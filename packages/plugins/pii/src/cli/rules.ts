import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { recognisers } from "../recognisers/registry.js";
import { Engine } from "../redactor/engine.js";
import type { Rules, Strategy } from "../rules/rule.js";
import { type Options, UsageError } from "./usage.js";

/** Without second names. */
const allTypes = recognisers.map(({ type }) => type);
const strategies: readonly Strategy[] = ["redact", "mask", "hash"];

/**
 * The rules that the command line asks for, compiled.
 *
 * @throws UsageError, PiiError
 */
export async function engineOf({ types = allTypes, strategy = "redact", rules, keyFile }: Options): Promise<Engine> {
  const key = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  if (rules !== undefined) return Engine.of(await rulesFrom(rules), key);
  const known = strategies.find((name) => name === strategy);
  if (known === undefined) throw new UsageError(`--strategy takes one of ${strategies.join(", ")}.`);
  return Engine.of(Object.fromEntries(types.map((type) => [type, known])), key);
}

async function rulesFrom(file: string): Promise<Rules> {
  try {
    if (file.endsWith(".json")) return JSON.parse(await readFile(file, "utf8")) as Rules;
    const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly default?: Rules };
    if (module.default !== undefined) return module.default;
  } catch (error) {
    throw new UsageError(`--rules ${file}: ${error instanceof Error ? error.message : "it could not be loaded"}.`);
  }
  throw new UsageError(`--rules ${file}: it has no default export.`);
}
