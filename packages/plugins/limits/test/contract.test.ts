import { describe, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { LimitsError, modelCallLimit, replyBudget, toolCallLimit } from "@suite/limits";
import { describePlugin, type PluginAct } from "@suite/testkit";

const says = (text: string) => (given: unknown) => JSON.stringify(given).includes(text);

const acts: Readonly<Record<string, { readonly harmless: () => Plugin; readonly act: PluginAct }>> = {
  "modelCallLimit that ends": {
    harmless: () => modelCallLimit({ runLimit: 1000 }),
    act: {
      name: "ends at its limit",
      kind: "model",
      after: 2,
      by: "answer",
      durable: true,
      is: says("The limit of model calls is reached: 2 per run."),
      create: () => modelCallLimit({ runLimit: 2 }),
      monitor: () => modelCallLimit({ runLimit: 2, mode: "monitor" }),
    },
  },
  "modelCallLimit that fails": {
    harmless: () => modelCallLimit({ threadLimit: 1000, exitBehavior: "error" }),
    act: {
      name: "fails at its limit",
      kind: "model",
      after: 2,
      by: "error",
      durable: true,
      is: (error) => LimitsError.is(error) && error.code === "ERR_LIMITS_MODEL_CALLS",
      create: () => modelCallLimit({ runLimit: 2, exitBehavior: "error" }),
      monitor: () => modelCallLimit({ runLimit: 2, exitBehavior: "error", mode: "monitor" }),
    },
  },
  toolCallLimit: {
    harmless: () => toolCallLimit({ runLimit: 1000, exitBehavior: "end" }),
    act: {
      name: "answers for calls beyond its limit",
      kind: "tool",
      after: 2,
      by: "answer",
      durable: true,
      is: says("this call was not run"),
      create: () => toolCallLimit({ runLimit: 2 }),
      monitor: () => toolCallLimit({ runLimit: 2, mode: "monitor" }),
    },
  },
};

for (const [name, { harmless, act }] of Object.entries(acts)) {
  describePlugin(name, { create: harmless, acts: [act] }, { describe, it });
}
describePlugin("replyBudget", { create: () => replyBudget({ tokenBudget: 1_000_000 }) }, { describe, it });
