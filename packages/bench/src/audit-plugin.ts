import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type AuditOptions, audit, fileSink } from "@suite/audit";
import { definePlugin, message, type Plugin, type Reply, type ToolRequest } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { below, defineGroup } from "./group.js";
import type { Case } from "./measure.js";

const request = {
  messages: [message("system", "You help customers of a shop."), message("user", "Where is my order 1001?")],
  tools: [{ name: "find_order", description: "Status of an order." }],
  model: "gpt-5",
  provider: "openai",
};
const reply: Reply = {
  message: message("assistant", "It is on its way, and will be there on Tuesday."),
  finishReason: "stop",
  usage: { inputTokens: 12, outputTokens: 6 },
  response: { id: "resp_1", model: "gpt-5-2026-08-07" },
};
const toolRequest: ToolRequest = { id: "call_1", tool: { name: "find_order" }, input: { order: "1001" } };

/** A different layer on each hook, so that the pipeline exists with and without audit. */
const other = definePlugin({
  name: "other",
  model: async (_, callNext) => callNext(),
  tool: async (_, callNext) => callNext(),
});

/**
 * Makes one call, then turns the event loop once, as in a call over a network, so that the work of the log in between
 * counts.
 */
function calls(plugins: readonly Plugin[], kind: "model" | "tool") {
  const stack = new PluginStack([...plugins, other]);
  const run = stack.begin({ agent: { name: "bench", id: "agent-1" }, sessionId: "conversation-1", userId: "user-1" });
  const model: Case = async () => {
    await (await stack.call("model", run, request, async (call) => call.respond({ value: reply }))).final();
    await nextTurn();
  };
  const tool: Case = async () => {
    const done = await stack.call("tool", run, toolRequest, async (call) => call.respond({ value: "shipped" }));
    await done.final();
    await nextTurn();
  };
  return { call: kind === "model" ? model : tool, close: () => run.end().then(() => stack.close()) };
}

export const auditPlugin = defineGroup({
  name: "audit/plugin",
  about:
    "A call of a model or a tool that takes no time, then a turn of the event loop. Audit writes two records of each to a signed " +
    "log in a temporary directory, `buffered`: the call waits for none of them, but all work that the log makes meanwhile on " +
    "the same thread (JSON, hashing, signing, writing) is part of the time.",
  unit: "call",
  async open() {
    const dir = await mkdtemp(join(tmpdir(), "suite-bench-"));
    const audited = (kind: "model" | "tool", content: "none" | "metadata" | "full") => {
      const options: AuditOptions = { policy: { content, delivery: "buffered" }, warn: () => {} };
      return calls([audit({ ...options, sink: fileSink({ dir: join(dir, `${kind}-${content}`) }) })], kind);
    };
    const opened = {
      "model call": calls([], "model"),
      "model call, audited": audited("model", "none"),
      "model call, audited in full": audited("model", "full"),
      "tool call": calls([], "tool"),
      "tool call, audited": audited("tool", "none"),
      "tool call, audited in full": audited("tool", "full"),
    };
    type Name = keyof typeof opened;
    const cases = Object.fromEntries(Object.entries(opened).map(([name, { call }]) => [name, call]));
    return {
      cases: cases as Record<Name, Case>,
      async close() {
        for (const { close } of Object.values(opened)) await close();
        await rm(dir, { recursive: true });
      },
    };
  },
  figures: [
    {
      name: "added to a model call, microseconds",
      ratio: (time) => (time["model call, audited"] - time["model call"]) / 1000,
      aim: below(50),
    },
    {
      name: "added to a tool call, microseconds",
      ratio: (time) => (time["tool call, audited"] - time["tool call"]) / 1000,
      aim: below(50),
    },
    {
      name: "added to a model call in full, microseconds",
      ratio: (time) => (time["model call, audited in full"] - time["model call"]) / 1000,
    },
    {
      name: "added to a tool call in full, microseconds",
      ratio: (time) => (time["tool call, audited in full"] - time["tool call"]) / 1000,
    },
  ],
});
