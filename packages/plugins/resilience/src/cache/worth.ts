import type { Delta, Invocation, Message, ModelRequest, Redactor, Reply, RuntimeContext } from "@suite/core";
import { explodeReply, pluginsKey, toolCallsOf } from "@suite/core";
import { isObject } from "@suite/core/options";
import type { KeptAnswer } from "./answers.js";
import { canonical } from "./canonical.js";

/**
 * Whether the model itself has answered, to the very request that the cache saw. What a layer further in has changed in it
 * (another model, a hint of a budget, a value that a guard took out) makes it another request.
 */
export function isModelsOwn({ request, reached, result }: Invocation<"model">): boolean {
  if (result === undefined || result.byLayer === true || result.isError === true || reached === undefined) return false;
  if (reached.client !== request.client) return false;
  if (request.client === undefined && (reached.model !== request.model || reached.provider !== request.provider)) {
    return false;
  }
  return sameRules(reached, request);
}

/** Whether a guard stands further in than the plugin of this name: what it puts into an answer may be of this run alone, as tokens are. */
export function guardInside(runtime: RuntimeContext, name: string): boolean {
  const plugins = runtime.get(pluginsKey);
  const own = plugins.findIndex((plugin) => plugin.name === name);
  return plugins.some(({ redactor }, index) => index > own && redactor !== undefined);
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

/** The ends at which an answer is complete. */
const complete: ReadonlySet<unknown> = new Set([undefined, "stop", "tool_call"]);

/**
 * The form in which an answer is kept; undefined where it is not: it was cut off, or says nothing; its tool calls are
 * broken, or named for no tool; it holds what JSON does not; or it calls tools, and is signed in a form of the framework's
 * own, which may be lost on the way back, and without which the provider would refuse the next round.
 *
 * @param redactor of the run: what it would take out of telemetry is kept in no store either.
 */
export function keptOf(
  { message, usage, finishReason, response }: Reply,
  asked: ModelRequest,
  redactor: Redactor | undefined,
): KeptAnswer | undefined {
  if (!complete.has(finishReason) || message.parts.length === 0 || !areWhole(message, asked)) return undefined;
  const answer: KeptAnswer = {
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

function areWhole(message: Message, { tools }: ModelRequest): boolean {
  const calls = toolCallsOf(message);
  if (calls.length === 0) return true;
  if (
    calls.some(({ name, arguments: args }) => typeof args !== "object" || !tools.some((tool) => tool.name === name))
  ) {
    return false;
  }
  return message.parts.every((part) => part.type === "native" || !isSigned(part.native));
}

/** The names under which providers sign what they said, or encrypt it. */
const signatures = /signature|encrypted|redacted/i;

function isSigned(native: unknown, depth = 0): boolean {
  if (!isObject(native) || depth > 6) return false;
  return Object.entries(native).some(
    ([key, value]) => (signatures.test(key) && value !== null && value !== "") || isSigned(value, depth + 1),
  );
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
