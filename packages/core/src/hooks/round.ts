import type { Invocation } from "../contract/call.js";
import type { Plugin } from "../contract/plugin.js";
import type { CallNext } from "../contract/protocol.js";

type RoundLayer = (invocation: Invocation<"reasoning">, callNext: CallNext) => Promise<void>;

/** Returns the hooks for a layer around each round, or around the model call in frameworks without rounds. */
export const roundHooks = (layer: RoundLayer): Pick<Plugin, "reasoning" | "model" | "oneOf"> => ({
  reasoning: layer,
  model: (invocation, callNext) => inModelCall(layer, invocation, callNext),
  oneOf: ["reasoning", "model"],
});

/** Removes the system prompt for the layer, as in a round, and adds it again for inner layers. */
async function inModelCall(layer: RoundLayer, invocation: Invocation<"model">, callNext: CallNext): Promise<void> {
  const original = invocation.request;
  const first = original.messages.findIndex(({ role }) => role !== "system");
  const count = first < 0 ? original.messages.length : first;
  const round = { ...original, messages: original.messages.slice(count) };
  const system = original.messages.slice(0, count);
  invocation.request = round;
  await layer(invocation as unknown as Invocation<"reasoning">, async () => {
    const changed = invocation.request;
    invocation.request = changed === round ? original : { ...changed, messages: [...system, ...changed.messages] };
    try {
      await callNext();
    } finally {
      invocation.request = changed;
    }
  });
}
