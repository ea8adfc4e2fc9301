import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import {
  type AnyInvocation,
  type CallNext,
  definePlugin,
  type Kind,
  type Notification,
  type Plugin,
} from "@suite/core";
import { tracing } from "@suite/tracing";
import { root } from "../scripts/workspaces.mjs";

/** The parts of a question that plugins see, as a row of the table in the README of @suite/approval. */
export interface Left {
  readonly layers: string;
  readonly events: string;
  readonly records: string;
  readonly spans: string;
}

const listed = (values: readonly string[]): string => values.join(", ") || "none";

/** Returns the event of a notification that concerns a decision. */
function eventOf(told: Notification): readonly string[] {
  if (told.type === "approval" || told.type === "decision") return [`${told.type} (${told.decision})`];
  if (told.type === "external_result") return [`external_result${told.outcome === "denied" ? " (denied)" : ""}`];
  return told.type === "suspension" || told.type === "resume" ? [told.type] : [];
}

interface LoggedRecord {
  readonly type?: string;
  readonly stage?: string;
  readonly decision?: string;
  readonly outcome?: { readonly status?: string };
}

/** Returns the type and the outcome of a record about calls of these kinds, or about a decision. */
function recordOf({ type, stage, decision, outcome }: LoggedRecord, kinds: readonly Kind[]): readonly string[] {
  const others = ["log", "policy", "agent", "reasoning", ...(kinds.includes("model") ? [] : ["model"])];
  if (type === undefined || stage !== "outcome" || others.includes(type)) return [];
  const how = decision ?? outcome?.status;
  return [how === undefined ? type : `${type} (${how})`];
}

/**
 * Creates plugins that record what they see of questions.
 *
 * @param kinds the kinds of calls with which a framework asks.
 */
export function leftBehind(kinds: readonly ("tool" | "humanInput" | "model")[] = ["tool", "humanInput"]): {
  readonly plugins: readonly Plugin[];
  left(): Promise<Left>;
} {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const dir = mkdtempSync(join(tmpdir(), "left-behind-"));
  const log = audit({ sink: fileSink({ dir }), warn: () => {} });
  const layers: string[] = [];
  const events: string[] = [];
  const layer = async ({ kind }: AnyInvocation, callNext: CallNext): Promise<void> => {
    layers.push(kind);
    await callNext();
  };
  const watching = definePlugin({
    name: "watching",
    whereOffered: kinds,
    ...Object.fromEntries(kinds.map((kind) => [kind, layer])),
    observe: (told) => void events.push(...eventOf(told)),
  });
  return {
    plugins: [watching, tracing({ tracerProvider, warn: () => {} }), log],
    async left() {
      await log.close?.();
      const lines = readdirSync(dir)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean));
      rmSync(dir, { recursive: true });
      const spans = exporter.getFinishedSpans().map(({ name }) => name);
      return {
        layers: listed(layers),
        events: listed(events),
        records: listed(lines.flatMap((line) => recordOf(JSON.parse(line), kinds))),
        spans: listed(spans.filter((name) => !/^(invoke_agent|chat)/.test(name) || kinds.includes("model"))),
      };
    },
  };
}

/** Returns the row of a form in the README, without its first cell. */
export function rowOf(form: string): Left | undefined {
  const readme = readFileSync(join(root, "packages/plugins/approval/README.md"), "utf8");
  const row = readme.split("\n").find((line) => line.startsWith(`| ${form} `));
  const [layers = "", events = "", records = "", spans = ""] = (row?.split("|") ?? [])
    .slice(2)
    .map((cell) => cell.trim());
  return row === undefined ? undefined : { layers, events, records, spans };
}
