import type { Delta, Invocation, Message, ModelRequest, Reply } from "@suite/core";
import { explodeReply, toolCallsOf } from "@suite/core";
import type { KeptAnswer } from "./answers.js";
import { canonical } from "./canonical.js";

/**
 * Whether the model itself has answered, and was asked the question that the cache saw: words of messages may have been
 * changed further in, by a guard; another model, other tools, a hint of a budget make it another question.
 */
export function isModelsOwn({ request, reached, result }: Invocation<"model">): boolean {
  if (result === undefined || result.byLayer === true || result.isError === true || reached === undefined) return false;
  if (reached.client !== request.client) return false;
  if (request.client === undefined && (reached.model !== request.model || reached.provider !== request.provider)) {
    return false;
  }
  return sameRoles(reached, request) && sameRules(reached, request);
}

const sameRoles = (one: ModelRequest, other: ModelRequest): boolean =>
  one.messages === other.messages ||
  (one.messages.length === other.messages.length &&
    one.messages.every(({ role }, index) => role === other.messages[index]?.role));

function sameRules(one: ModelRequest, other: ModelRequest): boolean {
  const rules = ["tools", "toolChoice", "outputSchema", "settings"] as const;
  return rules.every((rule) => {
    if (one[rule] === other[rule]) return true;
    const [a, b] = [one, other].map((each) => canonical(rule === "tools" ? namesOf(each) : (each[rule] ?? null)));
    return a !== undefined && a === b;
  });
}

const namesOf = ({ tools }: ModelRequest) => tools.map(({ name, parameters }) => [name, parameters ?? null]);

/** The ends at which an answer is complete. */
const complete: ReadonlySet<unknown> = new Set([undefined, "stop", "tool_call"]);

/**
 * The form in which an answer is kept; undefined where it is not: it was cut off, or says nothing; its tool calls are
 * broken, or named for no tool; it holds what JSON does not; or it calls tools, and has a form of the provider's own (a
 * signature of its reasoning, say), without which the provider would refuse the next round.
 */
export function keptOf({ message, usage, finishReason, response }: Reply, asked: ModelRequest): KeptAnswer | undefined {
  if (!complete.has(finishReason) || message.parts.length === 0 || !areWhole(message, asked)) return undefined;
  const answer: KeptAnswer = {
    at: Date.now(),
    message,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage !== undefined && { usage }),
    ...(response?.model !== undefined && { model: response.model }),
  };
  return survivesJson(answer) ? answer : undefined;
}

function areWhole(message: Message, { tools }: ModelRequest): boolean {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return true;
  if (
    calls.some(({ name, arguments: args }) => typeof args !== "object" || !tools.some((tool) => tool.name === name))
  ) {
    return false;
  }
  return message.parts.every(
    (part) => !(part.type === "tool_call" || part.type === "reasoning") || part.native == null,
  );
}

function survivesJson(answer: KeptAnswer): boolean {
  const text = canonical(answer);
  return text !== undefined && text === canonical(JSON.parse(JSON.stringify(answer)));
}

/** The reply that a kept answer makes: no token was used for it, and it is no response that a provider knows. */
export const replyOf = ({ message, finishReason, model }: KeptAnswer): Reply => ({
  message,
  usage: { inputTokens: 0, outputTokens: 0 },
  ...(finishReason !== undefined && { finishReason }),
  ...(model !== undefined && { response: { model } }),
});

/** A reply as a stream. */
export async function* streamOf(reply: Reply): AsyncGenerator<Delta, void> {
  yield* explodeReply(reply);
}
