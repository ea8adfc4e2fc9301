import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { forms, planted } from "../../../../integration-tests/planted.mjs";

const redacted = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact" as const]));
const places = {
  ...{ output: true, toolArguments: true, toolResults: true, systemPrompt: true, humanInput: true, errors: true },
};

const root = mkdtempSync(join(tmpdir(), "langchain-canary-"));
afterAll(() => rmSync(root, { recursive: true }));
let made = 0;

/** The three plugins, in one of their orders, and what they have written. */
export function watched(order = 0) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const dir = join(root, String(made++));
  const three: readonly Plugin[] = [
    tracing({ content: "redacted", tracerProvider }),
    pii(redacted, { apply: places }),
    audit({ sink: fileSink({ dir }), policy: { content: "redacted" } }),
  ];
  return {
    plugins: [0, 1, 2].map((at) => three[(at + order) % 3] as Plugin),
    /** The names of the finished spans, each below its parent. */
    tree: () => treeOf(exporter),
    async written() {
      for (const plugin of three) await plugin.close?.();
      const spans = exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
      const records = readdirSync(dir)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean));
      return { spans, records };
    },
  };
}

function treeOf(exporter: InMemorySpanExporter): string[] {
  const spans = [...exporter.getFinishedSpans()].sort(
    (a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1],
  );
  const below = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .flatMap((span) => [`${"  ".repeat(depth)}${span.name}`, ...below(span.spanContext().spanId, depth + 1)]);
  return below(undefined, 0);
}

/** Which of the planted values somebody finds in it. */
export const found = (told: unknown): string[] => {
  const searched = (typeof told === "string" ? told : textOf(told)).toLowerCase();
  return Object.values(planted).filter((value) => forms(value).some((form) => searched.includes(form)));
};

/** Everything in it that can be reached, not only what JSON shows. */
export function textOf(told: unknown): string {
  const seen = new Set<object>();
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (value instanceof Uint8Array) texts.push(new TextDecoder().decode(value));
    else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      if (value instanceof Map) for (const [key, item] of value) [key, item].forEach(visit);
      else if (Symbol.iterator in value) for (const item of value as Iterable<unknown>) visit(item);
      if (value instanceof Error) [value.message, value.stack, value.cause].forEach(visit);
      for (const [key, item] of Object.entries(value)) [key, item].forEach(visit);
    }
  };
  visit(told);
  return texts.join("\n");
}
