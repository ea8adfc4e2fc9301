import { elicitation } from "./elicitation.js";
import type { Method } from "./method.js";
import { named } from "./named.js";
import { sampling } from "./sampling.js";
import { toolCalls } from "./tool-calls.js";

const methods = new Map<string, Method>([
  ["tools/call", toolCalls],
  ["sampling/createMessage", sampling],
  ["elicitation/create", elicitation],
  ...["resources/read", "prompts/get", "completion/complete", "tasks/result"].map(
    (name) => [name, named(name)] as const,
  ),
]);

/**
 * Returns the method of this name if its requests are calls. Returns `undefined` for others: lists, pings,
 * subscriptions.
 */
export const methodOf = (name: string): Method | undefined => methods.get(name);
