import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { everything, forms, planted } from "../../../../integration-tests/planted.mjs";

/** A text with one value of each kind of personal data. */
export const text = `Of ${everything}.`;

const redacted = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact" as const]));
const apply = { output: true, toolArguments: true, systemPrompt: true, errors: true };

/** The three plugins, and what they have written. Tools run in the user's own code: the guard goes without that hook. */
export function watched() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const dir = mkdtempSync(join(tmpdir(), "fetch-"));
  const plugins = [
    tracing({ content: "redacted", tracerProvider }),
    { ...pii(redacted, { apply }), whereOffered: ["tool", "agent"] as const },
    audit({ sink: fileSink({ dir }), policy: { content: "redacted" } }),
  ] as const;
  return {
    plugins,
    /** Closes the plugins. */
    async written() {
      for (const plugin of plugins as readonly Plugin[]) await plugin.close?.();
      const spans = exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
      const records = readdirSync(dir)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n"));
      rmSync(dir, { recursive: true });
      return { spans, records };
    },
  };
}

/** The planted values that are found in what was told, in any spelling. */
export function found(told: unknown): readonly string[] {
  const searched = (JSON.stringify(told, readable) ?? "").toLowerCase();
  return Object.values(planted).filter((value) => forms(value).some((form) => searched.includes(form)));
}

/** Errors have their message and cause looked at too. */
function readable(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  return { ...value, message, stack, cause };
}
