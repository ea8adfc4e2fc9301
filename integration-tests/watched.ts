import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { type Places, pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { everything, forms, planted } from "./planted.mjs";

/** A text with one value of each kind of personal data. */
export const text = `Of ${everything}.`;

const redacted = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact" as const]));
const everywhere = {
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  humanInput: true,
  errors: true,
};
/** Every order that three plugins can have. */
const orders = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
] as const;

export interface WatchedOptions {
  /** The index of the order of the plugins, from 0 to 5. */
  readonly order?: number;
  /** The places where the guard applies; by default everywhere. */
  readonly apply?: Places;
  /** Hooks of the guard that the adapter may leave out. */
  readonly whereOffered?: NonNullable<Plugin["whereOffered"]>;
}

/** Tracing, a guard of ten types, and audit, and what the first and the last have written. */
export function watched({ order = 0, apply = everywhere, whereOffered }: WatchedOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const dir = mkdtempSync(join(tmpdir(), "watched-"));
  const guard: Plugin = pii(redacted, { apply });
  const three: readonly Plugin[] = [
    tracing({ content: "redacted", tracerProvider }),
    whereOffered === undefined ? guard : { ...guard, whereOffered },
    audit({ sink: fileSink({ dir }), policy: { content: "redacted" } }),
  ];
  return {
    plugins: (orders[order] ?? orders[0]).flatMap((at) => three[at] ?? []),
    exporter,
    /** The names of the finished spans, each below its parent. */
    tree: () => treeOf(exporter),
    /** Closes the plugins. */
    async written() {
      for (const plugin of three) await plugin.close?.();
      const spans = exporter
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
      const records = readdirSync(dir)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean));
      rmSync(dir, { recursive: true });
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

/** The planted values that somebody finds in what was told, in any spelling. */
export function found(told: unknown): string[] {
  const searched = (typeof told === "string" ? told : textOf(told)).toLowerCase();
  return Object.values(planted).filter((value) => forms(value).some((form) => searched.includes(form)));
}

/** Everything in it that can be reached, not only what JSON shows; but for what is the user's `own`. */
export function textOf(told: unknown, own: (value: object) => boolean = () => false): string {
  const seen = new Set<object>();
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (value instanceof Uint8Array) texts.push(new TextDecoder().decode(value));
    else if (typeof value === "object" && value !== null && !seen.has(value) && !own(value)) {
      seen.add(value);
      if (value instanceof Map || value instanceof Set || Array.isArray(value)) for (const item of value) visit(item);
      if (value instanceof Error) [value.message, value.stack, value.cause].forEach(visit);
      for (const [key, item] of Object.entries(value)) [key, item].forEach(visit);
    }
  };
  visit(told);
  return texts.join("\n");
}
