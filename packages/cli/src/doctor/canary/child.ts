import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Redactor } from "@suite/core";
import { pluginsIn } from "../../project/plugins-in.js";
import { places, plantedIn, type Report, textFor, types } from "./planted.js";
import { runPlanted } from "./run.js";

// The process that the doctor starts. It loads the user's set-up, runs a tiny agent with its tracing and its redactors,
// and sends the doctor a report. The doctor inspects the data that arrives.

const [, , file = ""] = process.argv;

/** The functions that are used of the project's OpenTelemetry API. */
interface Api {
  readonly trace: { getTracer(name: string): { startSpan(name: string): OtherSpan } };
}

interface OtherSpan {
  setAttribute(key: string, value: string): unknown;
  end(): void;
}

async function main(): Promise<void> {
  const module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const plugins = pluginsIn(module);
  const redactors = plugins.flatMap(({ redactor }) => redactor ?? []);
  // Other plugins are left out: a log, a memory or a store would record a run that the user never made.
  const selected = plugins.filter(({ name, redactor }) => name === "tracing" || redactor !== undefined);
  await runPlanted(selected);
  await otherSpan();
  for (const each of Object.values(module)) await flush(each);
  const covered = types.filter((type) => redactors.some((redactor) => changes(redactor, type)));
  const report: Report = { covered: redactors.length === 0 ? undefined : covered };
  process.send?.(report);
  process.disconnect?.();
}

function changes(redactor: Redactor, type: string): boolean {
  const value = plantedIn(type, places[0]);
  return !redactor.redact(`${type} ${value}.`).includes(value);
}

/**
 * Creates a span like other instrumentations, which do not use plugins: only the exporter's redaction can redact it.
 */
async function otherSpan(): Promise<void> {
  const entry = resolved("@opentelemetry/api");
  if (entry === undefined) return;
  const loaded = (await import(pathToFileURL(entry).href)) as Api & { readonly default?: Api };
  const { trace } = loaded.default ?? loaded;
  const span = trace.getTracer("suite-doctor").startSpan("GET /canary");
  span.setAttribute("url.query", textFor("span of other code"));
  span.end();
}

function resolved(name: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

async function flush(exported: unknown): Promise<void> {
  if (typeof exported !== "object" || exported === null || !("flush" in exported)) return;
  if (typeof exported.flush === "function") await exported.flush();
}

await main();
