import { afterAll, afterEach, beforeAll } from "@jest/globals";
import * as agents from "@openai/agents";
import type { AnyInvocation, CallNext, Plugin } from "@suite/core";
import { type ModelServer, useModelServer } from "@suite/testkit";

/** The two protocols that the SDK speaks with models. */
export const apis = ["chat completions", "responses"] as const;
export type Api = (typeof apis)[number];

/** One server for a test file, empty before each test. */
export function useServer() {
  const started = useModelServer({ beforeAll, afterEach, afterAll });
  return {
    get server() {
      return started();
    },
    /** The requests that the models were sent, as JSON text, one per request. */
    get prompts() {
      return started().requests.map(({ body }) => JSON.stringify(body));
    },
    provider: (api: Api = "responses") => providerOf(started(), api),
  };
}

export const providerOf = (server: ModelServer, api: Api): agents.OpenAIProvider =>
  new agents.OpenAIProvider({ apiKey: "none", baseURL: `${server.url}/v1`, useResponses: api === "responses" });

/** A runner of this module, whose models are the server's. */
export const runnerOf = (
  module: { readonly Runner: typeof agents.Runner },
  server: ModelServer,
  api: Api,
): agents.Runner => new module.Runner({ modelProvider: providerOf(server, api), model: "gpt-5" });

/** A model of our own, which says these things, and what it was asked. */
export function scripted(...script: readonly agents.AgentOutputItem[][]) {
  const asked: agents.ModelRequest[] = [];
  const next = (request: agents.ModelRequest) => {
    asked.push(request);
    const output = script[asked.length - 1];
    if (output === undefined) throw new Error("The script is over.");
    return { usage: new agents.Usage({ inputTokens: 2, outputTokens: 1, totalTokens: 3 }), output };
  };
  const model: agents.Model = {
    async getResponse(request) {
      const response = next(request);
      return { ...response, providerData: { raw: JSON.stringify(response.output) } };
    },
    async *getStreamedResponse(request) {
      const response = next(request);
      yield { type: "response_started", providerData: { raw: "started" } };
      for (const { id, text } of response.output.flatMap(textsIn)) {
        yield { type: "model", event: { raw: text } };
        for (const delta of text.split(/(?<= )/)) {
          yield { type: "output_text_delta", delta, ...(id && { itemId: id }), providerData: { raw: delta } };
        }
      }
      const providerData = { raw: JSON.stringify(response.output) };
      yield {
        type: "response_done",
        response: { id: "r", ...response, usage: { ...response.usage }, providerData },
      } as never;
    },
  };
  return { model, asked };
}

const textsIn = (item: agents.AgentOutputItem) =>
  "role" in item && item.role === "assistant"
    ? item.content.flatMap((piece) => (piece.type === "output_text" ? [{ id: item.id, text: piece.text }] : []))
    : [];

export const said = (text: string, id = "m"): agents.AssistantMessageItem => ({
  ...{ type: "message", id, role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, providerData: { raw: text } }],
});

export const called = (name: string, args: object = {}, callId = `call_${name}`): agents.FunctionCallItem => ({
  ...{ type: "function_call", id: "f", callId, name, status: "completed", arguments: JSON.stringify(args) },
  providerData: { raw: args },
});

/** A plugin that notes the kinds of calls, and changes nothing. */
export function recorder() {
  const calls: string[] = [];
  const note = async (invocation: AnyInvocation, callNext: CallNext): Promise<void> => {
    calls.push(invocation.kind);
    await callNext();
  };
  const kinds = ["agent", "reasoning", "model", "tool"] as const;
  const hooks = Object.fromEntries(kinds.map((kind) => [kind, note]));
  const plugin: Plugin = { name: `recorder-${Math.random()}`, whereOffered: kinds, ...hooks };
  return { plugin, calls };
}

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export const pieces = (result: { toTextStream(): unknown }): Promise<string[]> =>
  all(result.toTextStream() as AsyncIterable<string>);
