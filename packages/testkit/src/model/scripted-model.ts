import { type Awaitable, type Delta, type ModelRequest, type Reply, toolCall } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import { sleep } from "@suite/kit/time";
import { TestkitError } from "../errors.js";
import type { ModelAnswer } from "../server/answer.js";
import type { Fault } from "../server/fault.js";
import { inOrder } from "../server/formats/format.js";
import { type ResolvedPart, resolve } from "../server/resolve.js";
import { type Responder, Script } from "../server/script.js";

/**
 * An answer of the model: a string, a complete answer, or a function that returns the answer to a request. The function
 * is used for all requests without another answer.
 */
export type ScriptedModelEntry =
  | string
  | ModelAnswer
  | ((request: ModelRequest) => Awaitable<string | ModelAnswer | undefined>);

/** A model client of @suite/agent that needs no network and no provider's SDK. */
export interface ScriptedModel {
  readonly name: string;
  readonly provider: string;
  /** The requests that it received, in order. */
  readonly requests: readonly ModelRequest[];
  generate(request: ModelRequest, options: { readonly signal: AbortSignal }): Promise<Reply>;
  stream(request: ModelRequest, options: { readonly signal: AbortSignal }): AsyncGenerator<Delta, void>;
}

/**
 * Creates a model client that returns these answers, one per call. It supports the faults `status`, `retryAfter`,
 * `message` and `delay`. Faults of the connection need `startModelServer`.
 *
 * @example
 * ```ts
 * const model = scriptedModel({ toolCalls: [{ name: "find_order", arguments: { id: 7 } }] }, "It has shipped.");
 * const agent = createAgent({ name: "support", model, tools: [findOrder] });
 * ```
 * @throws TestkitError `ERR_TESTKIT_INVALID_ANSWER` for an answer that contradicts itself; a call that finds no answer
 * fails with `ERR_TESTKIT_NO_ANSWER`.
 */
export function scriptedModel(...entries: readonly ScriptedModelEntry[]): ScriptedModel {
  const script = new Script<ModelRequest>();
  script.add(entries.map(entryOf));
  const requests: ModelRequest[] = [];

  async function* stream(request: ModelRequest, { signal }: { readonly signal: AbortSignal }) {
    const number = requests.push(request);
    const answer = await script.next(request);
    if (answer === undefined) throw new TestkitError("ERR_TESTKIT_NO_ANSWER", script.summary);
    const { fault = {} } = checked(answer);
    if (fault.status !== undefined) throw failure(fault);
    for (const delta of deltasOf(answer, request, number)) {
      if (fault.delay !== undefined) await sleep(fault.delay, signal);
      yield delta;
    }
  }

  return {
    name: "scripted-model",
    provider: "scripted",
    requests,
    stream,
    async generate(request, options) {
      const deltas: Delta[] = [];
      for await (const delta of stream(request, options)) deltas.push(delta);
      return assembleReply(deltas);
    },
  };
}

function entryOf(entry: ScriptedModelEntry): ModelAnswer | Responder<ModelRequest> {
  if (typeof entry === "function") {
    return async (request) => {
      const answer = await entry(request);
      return typeof answer === "string" ? { text: answer } : answer;
    };
  }
  return typeof entry === "string" ? { text: entry } : checked(entry);
}

const served = new Set(["status", "retryAfter", "message", "delay"]);

function checked(answer: ModelAnswer): ModelAnswer {
  const other = Object.keys(answer?.fault ?? {}).filter((name) => !served.has(name));
  if (other.length === 0) return answer;
  throw new TestkitError(
    "ERR_TESTKIT_INVALID_ANSWER",
    `A model without a server cannot simulate the fault "${other.join('", "')}". Use startModelServer().`,
  );
}

/** Returns the error of a provider's client: with `status`, and with `headers` if it contains the time to retry. */
function failure({ status, retryAfter, message = `Scripted: ${status}` }: Fault): Error {
  const headers = retryAfter === undefined ? {} : { headers: new Headers({ "retry-after": `${retryAfter}` }) };
  return Object.assign(new Error(message), { status, ...headers });
}

function deltasOf(answer: ModelAnswer, request: ModelRequest, number: number): readonly Delta[] {
  const { model, messages } = request;
  const tools = request.tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const resolved = resolve(answer, { model, messages, tools }, number);
  const { usage, finishReason } = resolved;
  const parts = resolved.parts.map((part, index) => [...pieces(part, `${index}`)]);
  const response = { id: `response-${number}`, model };
  return [...inOrder(resolved, parts), { type: "finish", usage, finishReason, response }];
}

function* pieces(part: ResolvedPart, at: string): Generator<Delta> {
  if (part.type === "tool_call") {
    yield { type: "part", at, part: toolCall(part.id, part.name, {}) };
    for (const json of part.json.pieces) yield { type: "arguments", at, json };
    return;
  }
  const { type } = part;
  for (const content of part.pieces.length === 0 ? [""] : part.pieces) {
    yield { type: "part", at, part: { type, content } };
  }
  yield { type: "part_end", at };
}
