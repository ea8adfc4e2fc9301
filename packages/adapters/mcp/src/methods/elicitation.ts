import type { Method } from "./method.js";

/** `elicitation/create`: the question is its message, the answer its result: the action, and what was filled in. */
export const elicitation: Method<"humanInput"> = {
  kind: "humanInput",
  request: ({ message }) => ({ question: String(message) }),
  params: (before, { question }) => (question === before.message ? before : { ...before, message: question }),
  final: (result) => result,
  result: (_before, final) => final,
};
