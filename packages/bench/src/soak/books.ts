import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Sink } from "@suite/audit";
import { definePlugin, outermost, type Plugin, type Reply, type Settlement, type StateStore } from "@suite/core";
import type { setupTracing } from "@suite/tracing/node";

/** A processor of spans, as `setupTracing` takes it. */
type SpanProcessor = NonNullable<NonNullable<Parameters<typeof setupTracing>[0]>["processors"]>[number];

/** The price of the soak's models, per million tokens. */
export const price = { input: 0.25, output: 2, maxOutputTokens: 1000 };
/** The input tokens that are reserved for a request. */
export const MOST_INPUT = 100_000;
/** The nano-units of a call whose usage was never reported: the whole reservation. */
const RESERVED = (MOST_INPUT * price.input + price.maxOutputTokens * price.output) * 1000;
export const costOf = (input: number, output: number): number =>
  Math.ceil((input * price.input + output * price.output) * 1000);

/** The key of a user's budget in the store. */
export const budgetKey = (user: string): string => `budget:${user.length}:${user}:`;

/** The recorded counters: budgets, and the calls of sessions. Those of single runs are too many. */
const counted = /^budget:|^calls:\w+-\d$/;

/** The acknowledged and the uncertain changes of one counter. */
export interface Counter {
  acknowledged: number;
  /** Amounts whose operation rejected: Redis was killed before it could answer, and may have counted them. */
  readonly uncertain: number[];
}

/** One line of the ledger of model calls. */
export interface ModelCall {
  readonly user: string;
  /** The id of the provider's response, if it was read to its end. */
  readonly id?: string;
  readonly input?: number;
  readonly output?: number;
  /** `used`: its usage is known. `unknown`: it broke off. `nothing`: there was no response. */
  readonly end: "used" | "unknown" | "nothing";
}

/**
 * The expected state that the soak records independently of the suite, to compare both at the end. Data that grows with
 * time is written to files, so that it does not count as memory.
 */
export class Books {
  readonly #dir: string;
  readonly counters = new Map<string, Counter>();
  readonly openSpans = new Map<string, string>();
  readonly spans = { begun: 0, ended: 0 };
  readonly modelCalls = { used: 0, unknown: 0, nothing: 0 };
  readonly #spent = new Map<string, number>();
  acknowledgedRecords = 0;
  effects = 0;
  lines = 0;
  audio = 0;
  /** Decisions of plugins, by plugin and word. */
  readonly decisions: Record<string, number> = {};

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The files that the checks read. */
  file = (name: "records" | "spans" | "calls" | "effects"): string => join(this.#dir, `${name}.txt`);

  #write(name: Parameters<Books["file"]>[0], line: string): void {
    appendFileSync(this.file(name), `${line}\n`);
  }

  /** The nano-units that a user's calls have cost. */
  spent = (user: string): number => this.#spent.get(user) ?? 0;

  /** Wraps a sink of audit and records the acknowledged records. */
  sink(sink: Sink): Sink {
    return {
      append: async (record) => {
        const appended = await sink.append(record);
        this.acknowledgedRecords++;
        this.#write("records", record.id);
        return appended;
      },
      close: () => sink.close(),
    };
  }

  /** Wraps a store and records the result of each change of a budget. */
  store(store: StateStore): StateStore {
    return {
      get: (key) => store.get(key),
      compareAndSet: (key, version, value, expiry) => store.compareAndSet(key, version, value, expiry),
      claim: (key, expiry) => store.claim(key, expiry),
      delete: (key) => store.delete(key),
      add: async (key, amount, options) => {
        if (!counted.test(key)) return store.add(key, amount, options);
        const counter = this.counters.get(key) ?? { acknowledged: 0, uncertain: [] };
        this.counters.set(key, counter);
        try {
          const added = await store.add(key, amount, options);
          if (added.added) counter.acknowledged += amount;
          return added;
        } catch (error) {
          counter.uncertain.push(amount);
          throw error;
        }
      },
    };
  }

  /** A processor that counts spans when they begin and end. */
  spanProcessor(): SpanProcessor {
    return {
      onStart: (span) => {
        this.spans.begun++;
        this.openSpans.set(span.spanContext().spanId, span.name);
      },
      onEnd: (span) => {
        this.spans.ended++;
        const { traceId, spanId } = span.spanContext();
        this.openSpans.delete(spanId);
        this.#write("spans", `${traceId}/${spanId}`);
      },
      forceFlush: async () => {},
      shutdown: async () => {},
    };
  }

  /** The ledger: a plugin right inside of the budget, which sees each request that is sent as the budget sees it. */
  ledger(): Plugin {
    return definePlugin({
      name: "ledger",
      single: true,
      inSubAgents: true,
      observe: (notification) => {
        if (notification.type !== "decision") return;
        const name = `${notification.plugin.split(" ")[0]}: ${notification.decision}`;
        this.decisions[name] = (this.decisions[name] ?? 0) + 1;
      },
      model: async (invocation, callNext) => {
        const user = outermost(invocation.runtime).userId ?? "";
        let began = false;
        const settle = (settlement: Settlement<Reply>): void => {
          const nothing = invocation.reached === undefined || (settlement.status === "failed" && !began);
          const final = settlement.status === "completed" ? settlement.final : undefined;
          this.#called(user, nothing, final);
        };
        try {
          await callNext();
        } catch (error) {
          settle({ status: "failed", error });
          throw error;
        }
        invocation.pipe({
          chunk(delta, emit) {
            began = true;
            emit(delta);
          },
          settle,
        });
      },
    });
  }

  #called(user: string, nothing: boolean, final: Reply | undefined): void {
    const usage = final?.usage;
    const end = nothing ? "nothing" : usage === undefined ? "unknown" : "used";
    this.modelCalls[end]++;
    const cost = { nothing: 0, unknown: RESERVED, used: costOf(usage?.inputTokens ?? 0, usage?.outputTokens ?? 0) }[
      end
    ];
    this.#spent.set(user, this.spent(user) + cost);
    const line: ModelCall = {
      user,
      end,
      ...(usage &&
        end === "used" && { id: final?.response?.id ?? "", input: usage.inputTokens, output: usage.outputTokens }),
    };
    this.#write("calls", JSON.stringify(line));
  }

  /** Records that a tool has executed a call. It must never happen twice for the same call. */
  effect(tool: string, runId: string, call: string): void {
    this.effects++;
    this.#write("effects", `${tool} ${runId} ${call}`);
  }
}
