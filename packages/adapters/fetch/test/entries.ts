import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { text } from "../../../../integration-tests/watched.js";
import { collect } from "./support.js";

/** The clients, and what the tools of the runners were called with. */
export interface Wrapped {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly reached: unknown[];
}

type Entries = Readonly<Record<string, (wrapped: Wrapped) => Promise<unknown>>>;

const system = `Be kind. ${text}`;
const prompt = `Hello. ${text}`;
const messages = [
  { role: "system" as const, content: system },
  { role: "user" as const, content: [{ type: "text" as const, text: prompt }] },
];
const chat = { model: "m", messages };
const response = { model: "m", instructions: system, input: [{ role: "user" as const, content: prompt }] };
const message = {
  model: "m",
  max_tokens: 100,
  system: [{ type: "text" as const, text: system, cache_control: { type: "ephemeral" as const } }],
  messages: [{ role: "user" as const, content: prompt }],
};
const said = z.object({ said: z.string() });
const parameters = { type: "object" as const, properties: { of: { type: "string" as const } }, required: ["of"] };

const functionTool = (reached: unknown[]) => ({
  type: "function" as const,
  function: {
    name: "look",
    description: "Looks.",
    parameters,
    parse: (json: string): object => JSON.parse(json),
    function: (input: object): string => {
      reached.push(input);
      return text;
    },
  },
});

const runnableTool = (reached: unknown[]) => ({
  type: "custom" as const,
  name: "look",
  input_schema: parameters,
  parse: (input: unknown) => input,
  run: (input: unknown) => {
    reached.push(input);
    return text;
  },
});

/** Each way to an answer that may stream, and may call tools, and all that the user is given. */
export const answers: Entries = {
  "chat.completions.create": ({ openai }) => openai.chat.completions.create(chat),
  "chat.completions.create, streamed": async ({ openai }) => {
    const chunks = await collect(await openai.chat.completions.create({ ...chat, stream: true }));
    return [chunks, chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")];
  },
  "chat.completions.stream": async ({ openai }) => {
    const stream = openai.chat.completions.stream(chat);
    const told: unknown[] = [];
    stream.on("content", (...args) => told.push(args)).on("content.done", (...args) => told.push(args));
    return [await collect(stream), told, await stream.finalChatCompletion(), await stream.finalContent()];
  },
  withResponse: async ({ openai }) => (await openai.chat.completions.create(chat).withResponse()).data,
  asResponse: async ({ openai }) => (await openai.chat.completions.create(chat).asResponse()).text(),
  "a copy made by withOptions": ({ openai }) => openai.withOptions({ timeout: 9000 }).chat.completions.create(chat),
  "responses.create": ({ openai }) => openai.responses.create(response),
  "responses.create, streamed": async ({ openai }) => {
    const events = await collect(await openai.responses.create({ ...response, stream: true }));
    return [events, events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("")];
  },
  "responses.stream": async ({ openai }) => {
    const stream = openai.responses.stream(response);
    return [await collect(stream), await stream.finalResponse()];
  },
  "messages.create": ({ anthropic }) => anthropic.messages.create(message),
  "messages.create, streamed": async ({ anthropic }) => {
    const events = await collect(await anthropic.messages.create({ ...message, stream: true }));
    return [
      events,
      events.map((event) => ("delta" in event && "text" in event.delta ? event.delta.text : "")).join(""),
    ];
  },
  "messages.stream": async ({ anthropic }) => {
    const stream = anthropic.messages.stream(message);
    const told: unknown[] = [];
    stream.on("text", (...args) => told.push(args)).on("contentBlock", (...args) => told.push(args));
    stream.on("inputJson", (...args) => told.push(args)).on("thinking", (...args) => told.push(args));
    return [await collect(stream), told, await stream.finalMessage(), await stream.finalText()];
  },
  "beta.messages.create": ({ anthropic }) => anthropic.beta.messages.create(message),
};

/** The runners, in two rounds. */
export const runners: Entries = {
  "chat.completions.runTools": async ({ openai, reached }) => {
    const runner = openai.chat.completions.runTools({ ...chat, tools: [functionTool(reached)] });
    return [await runner.finalContent(), runner.allChatCompletions()];
  },
  "chat.completions.runTools, streamed": async ({ openai, reached }) => {
    const runner = openai.chat.completions.runTools({ ...chat, stream: true, tools: [functionTool(reached)] });
    return [await collect(runner), await runner.finalContent()];
  },
  "beta.messages.toolRunner": async ({ anthropic, reached }) => {
    const runner = anthropic.beta.messages.toolRunner({ ...message, tools: [runnableTool(reached)] });
    return collect(runner);
  },
  "beta.messages.toolRunner, streamed": async ({ anthropic, reached }) => {
    const runner = anthropic.beta.messages.toolRunner({ ...message, stream: true, tools: [runnableTool(reached)] });
    const all: unknown[] = [];
    for await (const stream of runner) all.push(await collect(stream), await stream.finalMessage());
    return all;
  },
};

/** The entries whose answers are objects. */
export const objects: Entries = {
  "chat.completions.parse": async ({ openai }) =>
    openai.chat.completions.parse({ ...chat, response_format: zodResponseFormat(said, "said") }),
  "chat.completions.stream": async ({ openai }) => {
    const stream = openai.chat.completions.stream({ ...chat, response_format: zodResponseFormat(said, "said") });
    return [await collect(stream), await stream.finalChatCompletion()];
  },
  "responses.parse": async ({ openai }) =>
    openai.responses.parse({ ...response, text: { format: zodTextFormat(said, "said") } }),
  "responses.stream": async ({ openai }) => {
    const stream = openai.responses.stream({ ...response, text: { format: zodTextFormat(said, "said") } });
    return [await collect(stream), await stream.finalResponse()];
  },
};
