import { elicitation } from "./elicitation.js";
import type { Method } from "./method.js";
import { named } from "./named.js";
import { sampling } from "./sampling.js";
import { toolCalls } from "./tool-calls.js";

const byName = (...names: readonly string[]) => names.map((name) => [name, named(name)] as const);

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["tools/call", toolCalls],
  ["sampling/createMessage", sampling],
  ["elicitation/create", elicitation],
  ...byName("resources/read", "prompts/get", "completion/complete", "tasks/result"),
]);

/** The methods of the extension for tasks, in the protocol of 2026-07-28: results and questions are in `tasks/get`. */
const taskMethods: ReadonlyMap<string, Method> = new Map(byName("tasks/get", "tasks/update"));

/**
 * Returns the method of this name if its requests are calls. Returns `undefined` for others: lists, pings,
 * subscriptions.
 *
 * @param modern true for a request of the protocol of 2026-07-28.
 */
export const methodOf = (name: string, modern: boolean): Method | undefined =>
  methods.get(name) ?? (modern ? taskMethods.get(name) : undefined);
