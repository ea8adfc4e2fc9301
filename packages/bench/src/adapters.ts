import { setImmediate as nextTurn } from "node:timers/promises";
import type { TracerProvider } from "@opentelemetry/api";
import type { Plugin } from "@suite/core";
import { openPlugins } from "./adapters-plugins.js";
import { atMost, defineGroup, type Group } from "./group.js";
import type { Case } from "./measure.js";

export const CHUNKS = 100;
export const question = "Where is my order 1001?";
export const answer = "It is on its way, and will be there on Tuesday.";
/** The text that streams, a chunk each. */
export const words: readonly string[] = Array.from({ length: CHUNKS }, (_, index) => `word${index} `);
const streamedLength = words.join("").length;

/** A framework as a user has it, in front of a model that answers from memory. */
export interface Measured {
  /** Returns the answer. */
  readonly call: () => PromiseLike<string>;
  /** Returns the answer as a stream of pieces. */
  readonly stream: () => AsyncIterable<string>;
}

/** A framework in each measured variant. */
export interface Framework {
  /** The package of the adapter, without its scope. */
  readonly name: string;
  /** The measured calls, and the framework's built-in telemetry. */
  readonly about: string;
  bare(): Measured;
  withPlugins(plugins: readonly Plugin[]): Measured;
  withFrameworkTelemetry(provider: TracerProvider): Measured;
}

const ways = ["bare", "no plugin", "idle plugin", "own telemetry", "tracing", "tracing, pii, audit"] as const;
type Way = (typeof ways)[number];
type Name = `${"call" | "stream"}, ${Way}`;

/**
 * Returns the cases of one variant. After each call the event loop turns once, as in a call over a network, so that the
 * work of the log in between counts.
 */
function casesOf(way: Way, { call, stream }: Measured): Readonly<Record<string, Case>> {
  return {
    [`call, ${way}`]: async () => {
      const text = await call();
      if (text !== answer) throw new Error(`The answer was "${text}".`);
      await nextTurn();
    },
    [`stream, ${way}`]: async () => {
      let length = 0;
      for await (const piece of stream()) length += piece.length;
      if (length !== streamedLength) throw new Error(`The streamed answer had ${length} characters.`);
      await nextTurn();
    },
  };
}

/**
 * Measures the overhead of an adapter on its framework, without plugins and with plugins, next to that of the
 * framework's built-in telemetry.
 */
export function adapterGroup({ name, about, bare, withPlugins, withFrameworkTelemetry }: Framework): Group<Name> {
  return defineGroup<Name>({
    name: `adapters/${name}`,
    about:
      `${about} The model answers from memory, whole or in ${CHUNKS} chunks. All telemetry has content, and goes to an exporter that drops it; ` +
      "pii treats two types in input and output, and what telemetry shows; audit writes a signed log, `buffered`. 40 rounds.",
    unit: "answer",
    rounds: 40,
    async open() {
      const { tracerProvider, tracing, all, close } = await openPlugins();
      const measured: Readonly<Record<Way, Measured>> = {
        bare: bare(),
        "no plugin": withPlugins([]),
        "idle plugin": withPlugins([{ name: "idle", observe() {} }]),
        "own telemetry": withFrameworkTelemetry(tracerProvider),
        tracing: withPlugins([tracing]),
        "tracing, pii, audit": withPlugins(all),
      };
      const cases = Object.assign({}, ...ways.map((way) => casesOf(way, measured[way]))) as Record<Name, Case>;
      return { cases, close };
    },
    figures: [
      {
        name: "added to a call by a plugin without a hook, microseconds",
        ratio: (time) => (time["call, idle plugin"] - time["call, bare"]) / 1000,
      },
      {
        name: "added to a chunk by a plugin without a hook, microseconds",
        ratio: (time) => (time["stream, idle plugin"] - time["stream, bare"]) / CHUNKS / 1000,
      },
      {
        name: "added to a call by the three, microseconds",
        ratio: (time) => (time["call, tracing, pii, audit"] - time["call, bare"]) / 1000,
      },
      {
        name: "added to a chunk by the three, microseconds",
        ratio: (time) => (time["stream, tracing, pii, audit"] - time["stream, bare"]) / CHUNKS / 1000,
      },
      { name: "no plugin / bare, call", ratio: (time) => time["call, no plugin"] / time["call, bare"] },
      { name: "no plugin / bare, stream", ratio: (time) => time["stream, no plugin"] / time["stream, bare"] },
      {
        name: "added to a call by tracing / by own telemetry",
        ratio: (time) =>
          (time["call, tracing"] - time["call, bare"]) / (time["call, own telemetry"] - time["call, bare"]),
      },
      {
        name: "added to a call by the three / by own telemetry",
        ratio: (time) =>
          (time["call, tracing, pii, audit"] - time["call, bare"]) / (time["call, own telemetry"] - time["call, bare"]),
        aim: atMost(2),
      },
      { name: "tracing / own telemetry, call", ratio: (time) => time["call, tracing"] / time["call, own telemetry"] },
      {
        name: "the three / own telemetry, call",
        ratio: (time) => time["call, tracing, pii, audit"] / time["call, own telemetry"],
        aim: atMost(2),
      },
      {
        name: "the three / own telemetry, stream",
        ratio: (time) => time["stream, tracing, pii, audit"] / time["stream, own telemetry"],
        aim: atMost(2),
      },
    ],
  });
}
