import { definePlugin, type ModelRequest, message, type Plugin, type Reply } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { Case } from "./measure.js";

const request: ModelRequest = { messages: [message("user", "Hello")], tools: [], model: "none" };
const reply: Reply = { message: message("assistant", "Hello") };

/** A layer that only calls the next one. */
export const emptyLayer = definePlugin({ name: "empty", model: async (_, callNext) => callNext() });

/** A model call that is answered at once, through one plugin. */
export function callThrough(plugin: Plugin): Case {
  const stack = new PluginStack([plugin]);
  const run = stack.begin();
  run.takesBranches = true;
  return async () => {
    const outcome = await stack.call("model", run, request, async (invocation) => {
      invocation.respond({ value: reply });
    });
    return outcome.final();
  };
}
