import { describe, expect, it, jest } from "@jest/globals";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { AIMessage, AIMessageChunk, type AIMessageChunkFields, type AIMessageFields } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { definePlugin, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { everything, planted } from "../../../../../integration-tests/planted.mjs";
import { found } from "../../../../../integration-tests/watched.js";
import { holding } from "../../../../testkit/src/contract/holding.js";
import { withPlugins } from "../../src/index.js";
import { asks, collect, TestModel } from "../support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

/** A chunk as a provider gives it: fields of its message, and what stands beside that. */
interface Given {
  readonly message: AIMessageChunkFields;
  readonly generationInfo?: Record<string, unknown>;
}

class ScriptedModel extends TestModel {
  constructor(
    readonly whole: Given,
    readonly chunks: readonly Given[],
  ) {
    super({});
  }
  override async _generate() {
    const { message: fields, generationInfo = {} } = this.whole;
    const message = new AIMessage(fields as AIMessageFields);
    message.response_metadata = { ...message.response_metadata, ...generationInfo };
    return { generations: [{ text: message.text, message }] };
  }
  override async *_streamResponseChunks(_: unknown, __: unknown, manager?: CallbackManagerForLLMRun) {
    for (const { message: fields, generationInfo } of this.chunks) {
      const message = new AIMessageChunk({ id: "m", ...fields });
      const chunk = new ChatGenerationChunk({ message, text: message.text, ...(generationInfo && { generationInfo }) });
      yield chunk;
      await manager?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

const beside = (additional_kwargs: Record<string, unknown>): Given => ({ message: { content: "", additional_kwargs } });
const block = (fields: object): Given => ({ message: { content: [{ index: 0, ...fields }] as never } });

/** One piece of text in each field in which providers give it piece by piece. */
const fields: Record<string, (piece: string) => Given> = {
  "the summary of the reasoning, and a block of it": (piece) => ({
    message: {
      content: [{ type: "reasoning", reasoning: piece }],
      additional_kwargs: {
        reasoning: { type: "reasoning", summary: [{ type: "summary_text", text: piece, index: 0 }] },
      },
    },
  }),
  "the summary of the reasoning alone": (piece) =>
    beside({ reasoning: { type: "reasoning", summary: [{ type: "summary_text", text: piece, index: 0 }] } }),
  "a refusal": (refusal) => beside({ refusal }),
  "a refusal as a block": (refusal) => block({ type: "refusal", refusal }),
  "the transcript of speech": (transcript) => beside({ audio: { id: "a", transcript } }),
  "a call of the old form": (args) => beside({ function_call: { name: "look", arguments: args } }),
  "the raw response": (content) => ({
    message: { content, additional_kwargs: { __raw_response: { choices: [{ index: 0, delta: { content } }] } } },
  }),
  "metadata of the response": (note) => ({ message: { content: "", response_metadata: { note } } }),
  "what stands beside the message": (note) => ({ message: { content: "" }, generationInfo: { note } }),
  "the input of a provider's tool": (input) => block({ type: "input_json_delta", input }),
  "token probabilities": (token) => ({
    message: { content: token },
    generationInfo: { logprobs: { content: [{ token, logprob: -1, top_logprobs: [{ token }] }] } },
  }),
  "text and citations": (piece) =>
    block({ type: "text", text: piece, citations: [{ type: "char_location", start: 1 }] }),
};

const every = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact" as const]));
const guard = (): Plugin => pii(every, { apply: { output: true, toolArguments: true } });

type Agent = ReturnType<typeof agentOf>;
function agentOf(field: (piece: string) => Given, pieces: readonly string[], plugins: readonly Plugin[]) {
  const model = new ScriptedModel(field(pieces.join("")), [...pieces.map(field), end]);
  return withPlugins(langchain, [...plugins]).createAgent({ model });
}

const heardBy = (heard: unknown[]) => {
  const listen = (...told: unknown[]): void => void heard.push(told);
  return [{ handleLLMNewToken: listen, handleLLMEnd: listen, handleChainEnd: listen }];
};

const entries: Record<string, (agent: Agent, more: object) => Promise<unknown>> = {
  invoke: (agent, more) => agent.invoke(asks("Hello."), more),
  stream: async (agent, more) =>
    collect(await agent.stream(asks("Hello."), { ...more, streamMode: ["messages", "values", "updates"] })),
  "streamEvents, version 2": (agent, more) => collect(agent.streamEvents(asks("Hello."), { ...more, version: "v2" })),
};

/** A value and the texts that can be read in it: also those that pieces make together, wherever they stand. */
function readable(given: unknown): unknown[] {
  const seen = new Set<object>();
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "string") texts.set(path, (texts.get(path) ?? "") + value);
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? path : `${path}.${name}`);
  };
  walk(given, "");
  return [given, [...texts.values()]];
}

const end: Given = { message: { content: "", response_metadata: { finish_reason: "stop" } } };
const harmless = ["The meet", "ing is on Mon", "day at ten"];
/** Cuts of a value between two letters: the long form tries each. */
const step = process.env.TEST_LONG === undefined ? 9 : 1;
const piecesOf = (text: string, size: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

describe.each(Object.entries(fields))("%s", (_, field) => {
  it.each(Object.entries(entries))("gives nothing away in %s, cut between any two letters", async (name, entry) => {
    for (const size of [1, 2, 3, 5, 8, 13]) {
      const heard: unknown[] = [];
      const agent = agentOf(field, piecesOf(`Of ${everything}.`, size), [guard()]);
      const given = await entry(agent, { callbacks: heardBy(heard) });
      expect([size, found(readable(given)), found(readable(heard))]).toEqual([size, [], []]);
      expect([name, JSON.stringify(heard).length > 100]).toEqual([name, true]);
    }
  });

  it("gives nothing away, cut once, at any place", async () => {
    for (const value of Object.values(planted)) {
      for (let at = 1; at < value.length; at += step) {
        const pieces = [`Of ${value.slice(0, at)}`, `${value.slice(at)}, say.`];
        const given = await entries.stream?.(agentOf(field, pieces, [guard()]), {});
        expect([at, found(readable(given))]).toEqual([at, []]);
      }
    }
  });

  it("comes out the same where a guard holds text back and changes none", async () => {
    const whole = async (plugins: readonly Plugin[]) => {
      const stream = await agentOf(field, harmless, plugins).stream(asks("Hello."), {
        streamMode: ["messages", "values"],
      });
      const last = (await collect(stream)).flatMap(([mode, value]) => (mode === "values" ? value.messages : [])).at(-1);
      const { content, additional_kwargs, response_metadata } = last ?? {};
      // Blocks that nothing joins are cut in other places.
      const said = Array.isArray(content) ? [content.length, readable(content)[1]] : content;
      return { said, additional_kwargs, response_metadata };
    };
    const plain = await whole([]);
    for (const plugin of [guard(), holding("model")]) expect(await whole([plugin])).toEqual(plain);
  });

  it("comes out in the same chunks if no layer changes it", async () => {
    const bystander = definePlugin({
      name: "bystander",
      async model(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: (delta, emit) => emit(delta) });
      },
    });
    const kept = async (plugins: readonly Plugin[]) =>
      (await collect(await agentOf(field, harmless, plugins).stream(asks("Hello."), { streamMode: "messages" }))).map(
        ([{ content, additional_kwargs }]) => ({ content, additional_kwargs }),
      );
    const chunks = await kept([bystander]);
    expect(chunks).toEqual(await kept([]));
    expect(chunks.length).toBeGreaterThan(harmless.length);
  });
});

it("leaves token probabilities out of a plain answer whose text is changed, whatever its first part is", async () => {
  const email = planted.email;
  const given: Given = {
    message: {
      content: [
        { type: "reasoning", reasoning: "I should look." },
        { type: "text", text: `Ask ${email}.` },
      ],
      response_metadata: { logprobs: { content: piecesOf(email, 3).map((token) => ({ token })) } },
    },
  };
  const { messages } = await agentOf(() => given, [""], [guard()]).invoke(asks("Hello."));
  expect(found(readable(messages))).toEqual([]);
});
