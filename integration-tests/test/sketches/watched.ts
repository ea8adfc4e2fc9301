import { afterEach, beforeEach, expect } from "@jest/globals";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { type Agent, type AgentInput, type AgentOptions, type AgentResult, createAgent } from "@suite/agent";
import { audit, type Sink } from "@suite/audit";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { startSdk, stopSdk } from "../../../packages/plugins/tracing/test/support.js";

/** The two ways to run an agent, plain and streamed: a plugin acts the same in both. */
export const modes = ["run", "stream"] as const;
export type Mode = (typeof modes)[number];

/** The result of one run, plain or streamed. */
export const resultOf = (agent: Agent, input: AgentInput, mode: Mode): Promise<AgentResult> =>
  mode === "run" ? agent.run(input) : agent.stream(input).result;

/** An audit record, as far as these tests read it. */
interface Recorded {
  readonly type: string;
  readonly operation?: string;
  readonly decision?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The spans and audit records of one test, by the suite's own plugins. */
export interface Watched {
  /** The spans that have ended. */
  spans(): readonly ReadableSpan[];
  /** The decisions that spans tell, of any plugin: the span's name, the plugin, its decision, whether that was enforced. */
  decisionsOnSpans(): readonly unknown[];
  readonly records: Recorded[];
}

/** Gathers spans and audit records in each test of a file, and checks after each that none holds a mail address. */
export function watching(): Watched {
  let exporter: ReturnType<typeof startSdk>;
  const records: Recorded[] = [];
  beforeEach(() => {
    exporter = startSdk();
    records.length = 0;
  });
  afterEach(() => {
    const told = exporter.getFinishedSpans().map(({ attributes, events }) => [attributes, events]);
    expect(JSON.stringify([told, records])).not.toContain("jane");
    stopSdk();
  });
  return {
    spans: () => exporter.getFinishedSpans(),
    decisionsOnSpans: () =>
      exporter.getFinishedSpans().flatMap(({ name: span, events }) =>
        events.flatMap(({ name, attributes = {} }) => {
          const told = ["plugin", "name", "enforced"].map((field) => attributes[`suite.decision.${field}`]);
          return name === "suite.decision" ? [[span, ...told]] : [];
        }),
      ),
    records,
  };
}

/** An agent with tracing, audit and a guard for mail addresses, and the given plugins inside of those. */
export function watchedAgent({ records }: Watched, options: Omit<AgentOptions, "name">): Agent {
  const keep = (record: Recorded): void => {
    if (record.type !== "policy") records.push(record);
  };
  const sink: Sink = { close: async () => {}, append: async (record) => keep(record as Recorded) };
  const watchers = [
    tracing({ content: "full", warn: () => {} }),
    audit({ sink, policy: { content: "full" }, warn: () => {} }),
    pii({ email: "redact" }),
  ];
  return createAgent({ name: "desk", ...options, plugins: [...watchers, ...(options.plugins ?? [])] });
}
