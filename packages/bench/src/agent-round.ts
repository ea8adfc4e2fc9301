import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, defineTool, type Model } from "@suite/agent";
import { audit, fileSink, type Sink } from "@suite/audit";
import { type Delta, message, type Plugin, type Reply, text, toolCall } from "@suite/core";
import { explodeReply } from "@suite/core/messages";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { defineGroup } from "./group.js";
import type { Case } from "./measure.js";

const toolCallReply: Reply = { message: message("assistant", [toolCall("call_1", "find_order", { order: "1001" })]) };
const answers: Reply = { message: message("assistant", [text("Order 1001 is on its way to jane@example.com.")]) };

/** Calls the tool, then answers. */
const model: Model = {
  name: "scripted",
  generate: async ({ messages }) => (messages.at(-1)?.role === "tool" ? answers : toolCallReply),
  async *stream(request, options): AsyncGenerator<Delta, void> {
    yield* explodeReply(await this.generate(request, options));
  },
};

const findOrder = defineTool({ name: "find_order", execute: () => ({ status: "shipped" }) });

function agentRun(plugins: readonly Plugin[]): Case {
  const agent = createAgent({ name: "bench", model, tools: [findOrder], plugins });
  return async () => {
    const result = await agent.run("Where is my order 1001?");
    if (result.status !== "completed") throw new Error(`The agent run ended as ${result.status}.`);
  };
}

const noWait: Sink = { append: async () => {}, close: async () => {} };

async function open() {
  const dir = await mkdtemp(join(tmpdir(), "suite-bench-"));
  const guard = () => pii({ email: "redact" }, { apply: { output: true } });
  const log = audit({ sink: fileSink({ dir }) });
  return {
    cases: {
      "no plugin": agentRun([]),
      "tracing without provider": agentRun([tracing()]),
      "tracing, pii": agentRun([tracing(), guard()]),
      "tracing, pii, audit without a log": agentRun([tracing(), guard(), audit({ sink: noWait })]),
      "tracing, pii, audit": agentRun([tracing(), guard(), log]),
    },
    async close() {
      await log.close?.();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const about =
  "A whole run of an agent: two rounds, one tool call, a model that answers from memory. A real model takes a second or " +
  "more in its place. Tracing has no provider here; pii redacts e-mail addresses; audit writes a signed log to a " +
  "temporary directory, and waits until the tool's records are on the disk: the record of its intent, then the one of its " +
  "outcome. Without a log: records are made, and dropped.";

/** The time that runs take, waiting included. */
export const agentRound = defineGroup({
  name: "agent/round",
  about,
  unit: "run",
  open,
  figures: [
    {
      name: "tracing without provider / no plugin",
      ratio: (time) => time["tracing without provider"] / time["no plugin"],
    },
    { name: "tracing, pii / no plugin", ratio: (time) => time["tracing, pii"] / time["no plugin"] },
    {
      name: "tracing, pii, audit without a log / no plugin",
      ratio: (time) => time["tracing, pii, audit without a log"] / time["no plugin"],
    },
    { name: "tracing, pii, audit / no plugin", ratio: (time) => time["tracing, pii, audit"] / time["no plugin"] },
  ],
});

/** The computing time of runs: the rest of `agentRound` is waiting for the disk. */
export const agentWork = defineGroup({
  name: "agent/work",
  about:
    "The same runs, by what the process computes meanwhile: all threads, and the kernel for it. What `agent/round` takes beyond " +
    "that is waiting for the disk.",
  unit: "run",
  clock: "computed",
  open,
  figures: [
    { name: "tracing, pii / no plugin", ratio: (time) => time["tracing, pii"] / time["no plugin"] },
    {
      name: "tracing, pii, audit without a log / no plugin",
      ratio: (time) => time["tracing, pii, audit without a log"] / time["no plugin"],
    },
    { name: "tracing, pii, audit / no plugin", ratio: (time) => time["tracing, pii, audit"] / time["no plugin"] },
    {
      name: "added by the plugins without a log, microseconds",
      ratio: (time) => (time["tracing, pii, audit without a log"] - time["no plugin"]) / 1000,
    },
    {
      name: "added by the log: two durable commits and a third, microseconds",
      ratio: (time) => (time["tracing, pii, audit"] - time["tracing, pii, audit without a log"]) / 1000,
    },
  ],
});
