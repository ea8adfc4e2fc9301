import type { Method } from "./method.js";

/**
 * The method `elicitation/create`: its message is the question, its result (the action and the form content) is the
 * answer.
 */
export const elicitation: Method<"humanInput"> = {
  kind: "humanInput",
  request: ({ message }) => ({ question: String(message) }),
  params: (before, { question }) => (question === before.message ? before : { ...before, message: question }),
  final: (result) => result,
  result: (_before, final) => final,
};
