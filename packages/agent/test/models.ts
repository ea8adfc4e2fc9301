import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Model } from "@suite/agent";
import { type Delta, type Message, type ModelRequest, message, type Part, type Reply, toolCall } from "@suite/core";
import { type ModelServer, startModelServer } from "@suite/testkit";
import OpenAI from "openai";

/** The scripted server that the models of a test file ask; started for each file that imports this one. */
export let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(() => server.reset());
afterAll(() => server.close());

/** The signal of a run that nobody stops. */
export const idle = new AbortController().signal;

/** The body of the newest request. */
export const sent = (): Record<string, unknown> => server.requests.at(-1)?.body as Record<string, unknown>;

export async function collect(deltas: AsyncIterable<Delta, void>): Promise<Delta[]> {
  const all: Delta[] = [];
  for await (const delta of deltas) all.push(delta);
  return all;
}

/** Calls of a model, which `make` makes anew for each. */
export function callsOf(name: string, make: (options: object) => Model) {
  const model = (options: object = {}): Model => make(options);
  const asking = (more: Partial<ModelRequest> = {}): ModelRequest => ({
    model: name,
    messages: [message("user", "Hello")],
    tools: [],
    ...more,
  });
  const generate = (request = asking(), options: object = {}): Promise<Reply> =>
    model(options).generate(request, { signal: idle });
  const stream = (request = asking(), options: object = {}): Promise<Delta[]> =>
    collect(model(options).stream(request, { signal: idle }));
  /** The body that is sent for these messages. */
  const sentFor = async (messages: readonly Message[], options: object = {}): Promise<Record<string, unknown>> => {
    server.script({ text: "Fine." });
    await generate(asking({ messages }), options);
    return sent();
  };
  const refused = (parts: readonly Part[], role: Message["role"] = "user") =>
    expect(generate(asking({ messages: [message("user", "Hello"), message(role, parts)] }))).rejects;
  return { model, asking, generate, stream, sentFor, refused };
}

/** The real client of OpenAI, over an answer that the scripted server does not give: a text is a stream of events. */
export const overOpenAI = (body: string | object): { client: OpenAI } => ({
  client: new OpenAI({
    apiKey: "none",
    maxRetries: 0,
    fetch: async () =>
      typeof body === "string"
        ? new Response(body, { headers: { "content-type": "text/event-stream" } })
        : Response.json(body),
  }),
});

/** An answer with a part of each kind, as it is scripted. */
export const answer = {
  reasoning: "Two tools help.",
  text: "One moment 🌦️, Zoë.",
  toolCalls: [
    { id: "call_a", name: "weather", arguments: { city: "Köln", days: [1, 2] } },
    { id: "call_b", name: "clock", arguments: {} },
  ],
  usage: {
    inputTokens: 20,
    outputTokens: 7,
    cacheReadInputTokens: 12,
    cacheCreationInputTokens: 3,
    reasoningOutputTokens: 4,
  },
};

/** The reply that this answer is. */
export const reply: Reply = {
  message: {
    role: "assistant",
    parts: [
      { type: "reasoning", content: "Two tools help." },
      { type: "text", content: "One moment 🌦️, Zoë." },
      toolCall("call_a", "weather", { city: "Köln", days: [1, 2] }),
      toolCall("call_b", "clock", {}),
    ],
  },
  usage: answer.usage,
  finishReason: "tool_call",
  response: { id: expect.any(String) as never, model: expect.any(String) as never },
};
