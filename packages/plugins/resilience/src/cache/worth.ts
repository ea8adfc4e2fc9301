import type { Delta, Invocation, Message, ModelRequest, Redactor, Reply, RuntimeContext } from "@suite/core";
import { toolCallsOf } from "@suite/core";
import { pluginsKey } from "@suite/core/contract";
import { explodeReply } from "@suite/core/messages";
import { isObject } from "@suite/kit";
import type { StoredAnswer } from "./answers.js";
import { canonical } from "./canonical.js";

/**
 * True if the model itself answered exactly the request that the cache received. A request that an inner layer changed
 * (another model, a budget hint, a redacted value) counts as a different request.
 */
export function isAnswerOfModel({ request, reached, result }: Invocation<"model">): boolean {
  if (result === undefined || result.byLayer === true || result.isError === true || reached === undefined) return false;
  if (reached.client !== request.client) return false;
  if (request.client === undefined && (reached.model !== request.model || reached.provider !== request.provider)) {
    return false;
  }
  return sameRules(reached, request);
}

/**
 * True if a guard runs inside the plugin of this name. A guard may put run-specific values, such as tokens, into an
 * answer.
 */
export function guardInside(runtime: RuntimeContext, name: string): boolean {
  const plugins = runtime.get(pluginsKey);
  const cacheIndex = plugins.findIndex((plugin) => plugin.name === name);
  return plugins.some(({ redactor }, index) => index > cacheIndex && redactor !== undefined);
}

function sameRules(one: ModelRequest, other: ModelRequest): boolean {
  const rules = ["messages", "tools", "toolChoice", "outputSchema", "settings"] as const;
  return rules.every((rule) => {
    if (one[rule] === other[rule]) return true;
    const [a, b] = [one, other].map((each) => canonical(rule === "tools" ? namesOf(each) : (each[rule] ?? null)));
    return a !== undefined && a === b;
  });
}

const namesOf = ({ tools }: ModelRequest) => tools.map(({ name, parameters }) => [name, parameters ?? null]);

/** The finish reasons of a complete answer. */
const complete: ReadonlySet<unknown> = new Set([undefined, "stop", "tool_call"]);

/**
 * Returns the answer in the form that is stored, or `undefined` if it must not be cached. That is the case if the
 * answer
 *
 * - is cut off or empty,
 * - contains invalid tool calls, or calls of unknown tools,
 * - contains values that JSON cannot represent,
 * - calls tools and is signed in a framework's native form. The signature may get lost, and the provider would then
 *   refuse the next round.
 *
 * @param redactor the run's redactor. Content that it would redact in telemetry is not stored either.
 */
export function storableAnswer(
  { message, usage, finishReason, response }: Reply,
  request: ModelRequest,
  redactor: Redactor | undefined,
): StoredAnswer | undefined {
  if (!complete.has(finishReason) || message.parts.length === 0 || !hasCompleteCalls(message, request))
    return undefined;
  const answer: StoredAnswer = {
    at: Date.now(),
    message,
    ...(finishReason !== undefined && { finishReason }),
    ...(usage !== undefined && { usage }),
    ...(response?.model !== undefined && { model: response.model }),
  };
  const text = canonical(answer);
  if (text === undefined || text !== canonical(JSON.parse(JSON.stringify(answer)))) return undefined;
  return redactor === undefined || canonical(redactor.value(message)) === canonical(message) ? answer : undefined;
}

function hasCompleteCalls(message: Message, { tools }: ModelRequest): boolean {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return true;
  if (
    calls.some(({ name, arguments: args }) => typeof args !== "object" || !tools.some((tool) => tool.name === name))
  ) {
    return false;
  }
  return message.parts.every((part) => part.type === "native" || !isSigned(part.native));
}

/** Names of fields that contain signatures or encrypted content of providers. */
const signatures = /signature|encrypted|redacted/i;

function isSigned(native: unknown, depth = 0): boolean {
  if (!isObject(native) || depth > 6) return false;
  return Object.entries(native).some(
    ([key, value]) => (signatures.test(key) && value !== null && value !== "") || isSigned(value, depth + 1),
  );
}

/**
 * Returns the reply for a cached answer. It used no tokens, and it has no response id because the provider does not
 * know it.
 */
export const replyOf = ({ message, finishReason, model }: StoredAnswer): Reply => ({
  message,
  usage: { inputTokens: 0, outputTokens: 0 },
  ...(finishReason !== undefined && { finishReason }),
  ...(model !== undefined && { response: { model } }),
});

/** Converts a reply to a stream. */
export async function* streamOf(reply: Reply): AsyncGenerator<Delta, void> {
  yield* explodeReply(reply);
}
