import { describe, expect, it } from "@jest/globals";
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import type { Delta, Message } from "@suite/core";
import { assembleReply } from "@suite/core/messages";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { fromMessages } from "../src/messages/from-neutral.js";
import { patched } from "../src/messages/patch.js";
import { toMessage } from "../src/messages/to-neutral.js";
import { ChunkStream } from "../src/model/chunks/chunk-stream.js";
import { messageOf, replyOf } from "../src/model/reply.js";

/** A copy, as a layer makes one: nothing remembers what it was made from. */
const copied = (message: Message): Message => ({ ...message, parts: message.parts.map((part) => ({ ...part })) });
/** A copy without the native forms: a guard rewrote all of it. */
const rewritten = (message: Message): Message => ({
  ...message,
  parts: message.parts.map((part) => {
    const { native: _, ...rest } = part as typeof part & { native?: unknown };
    return rest as typeof part;
  }),
});
const back = (message: Message): BaseMessage => fromMessages([message])[0] as BaseMessage;

const image = { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } };
const cached = { type: "text", text: "Look.", cache_control: { type: "ephemeral" } };

describe("a message of LangChain in the neutral model", () => {
  it.each<[string, BaseMessage, object]>([
    ["text", new HumanMessage("Hello."), { role: "user", parts: [{ type: "text", content: "Hello." }] }],
    ["a system prompt", new SystemMessage("Brief."), { role: "system", parts: [{ type: "text", content: "Brief." }] }],
    [
      "blocks",
      new HumanMessage({ content: [cached, image], name: "ada" }),
      {
        role: "user",
        name: "ada",
        parts: [
          { type: "text", content: "Look." },
          { type: "blob", modality: "image", mimeType: "image/png", content: "aGk=" },
        ],
      },
    ],
    [
      "tool calls, also those that are no JSON",
      new AIMessage({
        content: [{ type: "tool_use", id: "c", name: "look", input: {} }],
        tool_calls: [{ id: "c", name: "look", args: { of: "it" } }],
        invalid_tool_calls: [{ id: "d", name: "look", args: "{", error: "broken" }],
      }),
      {
        role: "assistant",
        parts: [
          { type: "tool_call", id: "c", name: "look", arguments: { of: "it" } },
          { type: "tool_call", id: "d", name: "look", arguments: "{" },
        ],
      },
    ],
    [
      "reasoning that is signed",
      new AIMessage({ content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }),
      { parts: [{ type: "reasoning", content: "Hm.", signature: "s" }] },
    ],
    [
      "what a tool failed with",
      new ToolMessage({ content: "No.", tool_call_id: "c", status: "error" }),
      { role: "tool", parts: [{ type: "tool_call_response", id: "c", response: "No.", isError: true }] },
    ],
  ])("%s", (_, given, expected) => {
    expect(toMessage(given)).toMatchObject(expected);
  });

  it("is converted once, and again when it was changed", () => {
    const given = new HumanMessage("One");
    const first = toMessage(given);
    expect(toMessage(given)).toBe(first);
    given.content = "Two";
    expect(toMessage(given)).toMatchObject({ parts: [{ content: "Two" }] });
  });

  it("that no layer changed goes back as the same object", () => {
    const given = new HumanMessage({ content: [cached] });
    expect(back(toMessage(given))).toBe(given);
  });

  it("a block that no layer changed keeps all that it has, also where another was changed", () => {
    const given = new HumanMessage({ content: [cached, { type: "text", text: "secret" }] });
    const { parts, ...message } = toMessage(given);
    const changed = back({ ...message, parts: [parts[0] as never, { type: "text", content: "[SECRET]" }] });
    expect(changed.content).toEqual([cached, { type: "text", text: "[SECRET]" }]);
  });

  it("metadata of a provider hangs on the first part, and leaves with it if the message is built new", () => {
    const given = new AIMessage({
      content: "a",
      additional_kwargs: { refusal: "no" },
      response_metadata: { finish_reason: "stop" },
    });
    const message = toMessage(given);
    expect(message.parts[0]).toMatchObject({ native: { metadata: { additional_kwargs: { refusal: "no" } } } });
    expect(back(copied(message)).additional_kwargs).toEqual({ refusal: "no" });
    expect(back(rewritten(message)).additional_kwargs).toEqual({});
  });
});

const texts = fc.string({ minLength: 1, maxLength: 12 });
const calls = fc.array(fc.record({ id: texts, name: texts, args: fc.dictionary(texts, texts) }), { maxLength: 3 });

it("text and tool calls of any answer are the same after the way there and back, rewritten or not", () => {
  fc.assert(
    fc.property(texts, calls, fc.boolean(), (content, made, anew) => {
      const given = new AIMessage({ content, tool_calls: made.map((call) => ({ type: "tool_call", ...call })) });
      const reply = replyOf(given);
      const message = anew ? rewritten(reply.message) : copied(reply.message);
      const result = patched(given, message);
      expect([result.text, result.tool_calls]).toEqual([content, given.tool_calls]);
    }),
    { numRuns: runs(100) },
  );
});

/** The chunks that a model streams: text in pieces, then tool calls in pieces, then why it ended and what it counted. */
const streams = fc
  .record({
    pieces: fc.array(texts, { maxLength: 5 }),
    calls,
    blocks: fc.boolean(),
    cut: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ pieces, calls: made, blocks, cut }) => {
    const chunk = (fields: object, generationInfo?: object) =>
      new ChatGenerationChunk({
        message: new AIMessageChunk({ content: "", id: "m", ...fields }),
        text: "",
        ...(generationInfo && { generationInfo }),
      });
    return [
      ...pieces.map((text) => chunk({ content: blocks ? [{ type: "text", index: 0, text }] : text })),
      ...made.flatMap(({ id, name, args }, index) => {
        const json = JSON.stringify(args);
        const parts = [json.slice(0, cut), json.slice(cut)];
        return [
          chunk({ tool_call_chunks: [{ type: "tool_call_chunk", id, name, index, args: "" }] }),
          ...parts.map((part) => chunk({ tool_call_chunks: [{ type: "tool_call_chunk", index, args: part }] })),
        ];
      }),
      chunk({}, { finish_reason: made.length > 0 ? "tool_calls" : "stop" }),
      chunk({ usage_metadata: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } }),
    ];
  });

const joined = (chunks: readonly ChatGenerationChunk[]) => {
  const { message } = chunks.reduce((all, one) => concat(all, one));
  const { text, tool_calls, usage_metadata, id } = message as AIMessageChunk;
  return { text, tool_calls, usage_metadata, id };
};

const joinedContent = (chunks: readonly ChatGenerationChunk[]) =>
  chunks.reduce((all, one) => concat(all, one)).message.content;

describe("a stream of chunks", () => {
  it("that no layer touches comes out as the very same chunks", () => {
    fc.assert(
      fc.property(streams, (chunks) => {
        const stream = new ChunkStream();
        const out = chunks.flatMap((chunk) => stream.read(chunk).flatMap((delta) => stream.write(delta)));
        expect([...out, ...stream.rest()].map((chunk) => chunks.indexOf(chunk))).toEqual(
          chunks.map((_, index) => index),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it("of which every delta was made anew adds up to the same message", () => {
    fc.assert(
      fc.property(streams, (chunks) => {
        const stream = new ChunkStream();
        const deltas: Delta[] = chunks.flatMap((chunk) => stream.read(chunk)).map((delta) => ({ ...delta }));
        // As guards do: the finish mark once, at the end.
        const finish = Object.assign({}, ...deltas.filter((delta) => delta.type === "finish")) as Delta;
        const rest = deltas.filter((delta) => delta.type !== "finish");
        const out = [...rest, finish].flatMap((delta) => stream.write(delta));
        expect(joined([...out, ...stream.rest()])).toEqual(joined(chunks));
      }),
      { numRuns: runs(100) },
    );
  });

  it.each<[string, object, object]>([
    [
      "citations",
      { type: "text", index: 0, text: "a", citations: [{ of: "b" }] },
      { type: "text", text: "a", citations: [{ of: "b" }] },
    ],
    [
      "signed thoughts",
      { type: "thinking", index: 0, thinking: "a", signature: "s" },
      { thinking: "a", signature: "s" },
    ],
    ["thoughts", { type: "reasoning", index: 0, reasoning: "a" }, { type: "reasoning", reasoning: "a" }],
  ])("keeps %s if the text next to them was rebuilt", (_, block, expected) => {
    const chunk = new ChatGenerationChunk({ message: new AIMessageChunk({ content: [block] as never }), text: "" });
    const stream = new ChunkStream();
    const out = stream.read(chunk).flatMap((delta) => stream.write({ ...delta }));
    expect((joinedContent(out) as object[])[0]).toMatchObject(expected);
  });

  it("adds up, for the layers, to what the framework makes of it", () => {
    fc.assert(
      fc.property(streams, (chunks) => {
        const stream = new ChunkStream();
        const reply = assembleReply(chunks.flatMap((chunk) => stream.read(chunk)));
        const { text, tool_calls } = messageOf(reply);
        expect({ text, tool_calls }).toEqual({ text: joined(chunks).text, tool_calls: joined(chunks).tool_calls });
        expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
      }),
      { numRuns: runs(100) },
    );
  });
});
