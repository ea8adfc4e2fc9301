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

/** The method of this name, whose requests are calls; undefined where they are none: lists, pings, subscriptions. */
export const methodOf = (name: string): Method | undefined => methods.get(name);
