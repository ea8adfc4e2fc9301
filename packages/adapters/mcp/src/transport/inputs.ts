import { type Invocation, toolCall } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { type InRun, settlementOf } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { callOf, resultOf } from "../calls.js";
import { McpAdapterError } from "../errors.js";
import type { Method, MethodKind } from "../methods/method.js";
import type { Params } from "../protocol.js";
import { entriesOf, isInputRequired } from "../revision.js";
import { guardedQuestion } from "./guards.js";

/** The calls of one request that is repeated until the other side needs no more input. */
export interface Rounds {
  readonly stack: PluginStack;
  readonly within: InRun;
  /** The tool call that needs the input. A part without a name if the request does not call a tool. */
  readonly about: ToolCallPart;
}

/** Describes the rounds of the request that a layer's call is about. */
export function roundsOf(stack: PluginStack, { run }: InRun, invocation: Invocation<MethodKind>): Rounds {
  const { call, request } = invocation;
  const about = "tool" in request ? toolCall(request.id, request.tool.name, request.input) : toolCall(call.id, "", {});
  return { stack, within: { run, call }, about };
}

/** Responds with a result. A tool that asks for input is suspended: it did not fail, and has no result yet. */
export function respond(invocation: Invocation<MethodKind>, method: Method, result: unknown, { about }: Rounds): void {
  invocation.respond(
    isInputRequired(result) ? { suspended: [{ reason: "input", part: about }] } : { value: method.final(result) },
  );
}

interface QuestionsResult {
  /** The questions that no layer answered, with the changes of the layers. They are passed on. */
  readonly remaining: Params;
  /** The answers that layers returned. Their questions are not passed on. */
  readonly answers: Params;
}

/**
 * Sends the questions in a result through the layers. Their calls end as suspended, because the answers come with
 * another request.
 */
export async function sendQuestions(result: Params, { stack, within, about }: Rounds): Promise<QuestionsResult> {
  const remaining: Record<string, unknown> = {};
  const answers: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(isRecord(result.inputRequests) ? result.inputRequests : {})) {
    const name = isRecord(entry) ? entry.method : undefined;
    const method = guardedQuestion(stack, name);
    if (method === undefined || !isRecord(entry)) {
      remaining[key] = entry;
      continue;
    }
    let params = isRecord(entry.params) ? entry.params : {};
    const outcome = await callOf(method, params, stack, within, async (invocation, changed) => {
      params = changed;
      invocation.respond({ suspended: [{ reason: "input", part: about, ...questionOf(changed) }] });
    });
    if ((await settlementOf(outcome)).status === "suspended") remaining[key] = { ...entry, params };
    else answers[key] = await resultOf(method, String(name), undefined, outcome);
  }
  return { remaining, answers };
}

const questionOf = ({ message }: Params) => (typeof message === "string" ? { question: message } : {});

/**
 * Sends the answers in a request through the layers. The request does not repeat the questions: for layers the question
 * is its name in the server's result.
 *
 * @param passed answers that passed the layers before.
 */
export async function answerInputs(
  params: Params,
  { stack, within }: Rounds,
  passed?: WeakSet<object>,
): Promise<Params> {
  const changed: Record<string, unknown> = {};
  for (const [key, answer] of entriesOf(params.inputResponses)) {
    const question = questionFor(key, answer);
    const method = guardedQuestion(stack, question?.method);
    if (question === undefined || method === undefined || passed?.has(answer)) continue;
    const outcome = await callOf(method, question.params, stack, within, async (invocation) =>
      invocation.respond({ value: method.final(answer) }),
    );
    const result = await resultOf(method, question.method, answer, outcome);
    if (result !== answer) changed[key] = result;
  }
  if (Object.keys(changed).length === 0) return params;
  return { ...params, inputResponses: { ...(params.inputResponses as Params), ...changed } };
}

/** Returns the question that an answer of this form belongs to: an elicitation has an action, a model's answer a role. */
function questionFor(key: string, answer: Params): { readonly method: string; readonly params: Params } | undefined {
  if ("action" in answer) return { method: "elicitation/create", params: { message: key } };
  if ("role" in answer && "content" in answer) return { method: "sampling/createMessage", params: { messages: [] } };
  return undefined;
}

/** The maximum number of times that a request is repeated with answers of layers alone. */
const mostRounds = 10;

/**
 * Asks until the result is one for the other side. If layers answered all questions of a result, the request is
 * repeated here with their answers. If they answered some, only the others are in the result.
 *
 * @throws McpAdapterError `ERR_MCP_INPUT` if layers answer more than ten times, or if the answers cannot be used.
 */
export async function repeatWhileAnswered(
  params: Params,
  rounds: Rounds,
  send: (params: Params) => Promise<unknown>,
): Promise<unknown> {
  for (let round = 0; round <= mostRounds; round++) {
    const result = await send(params);
    if (!isRecord(result) || !isRecord(result.inputRequests)) return result;
    const { remaining, answers } = await sendQuestions(result, rounds);
    const answered = Object.keys(answers).length > 0;
    if (answered && !isInputRequired(result)) throw unusable("the task answers elsewhere");
    if (!answered || Object.keys(remaining).length > 0) return { ...result, inputRequests: remaining };
    const { requestState: _, inputResponses, ...rest } = params;
    const { requestState } = result;
    params = {
      ...rest,
      inputResponses: { ...(isRecord(inputResponses) && inputResponses), ...answers },
      ...(requestState !== undefined && { requestState }),
    };
  }
  throw unusable(`the tool asked more than ${mostRounds} times`);
}

/** Creates the error for answers of layers that have no way to the handler that asked. */
export const unusable = (why: string): McpAdapterError =>
  new McpAdapterError(
    "ERR_MCP_INPUT",
    `A plugin answered a question of MCP in place of a person or model, and ${why}. ` +
      "Let this question pass, or refuse the tool call itself.",
  );
