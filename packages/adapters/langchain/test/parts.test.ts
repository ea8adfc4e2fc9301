import { describe, expect, it } from "@jest/globals";
import { AIMessage, AIMessageChunk, type AIMessageChunkFields } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { concat } from "@langchain/core/utils/stream";
import { type Delta, definePlugin, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import type { SeenPiece } from "@suite/testkit";
import fc from "fast-check";
import * as langchain from "langchain";
import { z } from "zod";
import { runs } from "../../../../scripts/runs.mjs";
import { holding, type StreamedKind } from "../../../testkit/src/contract/holding.js";
import { withPlugins } from "../src/index.js";
import { asks, collect, partsIn, TestModel } from "./support.js";

/** Says these pieces, one answer after the other. */
class ScriptedModel extends TestModel {
  #answer = 0;

  constructor(readonly answers: readonly (readonly AIMessageChunkFields[])[]) {
    super({});
  }
  override async _generate() {
    return { generations: [{ text: "", message: new AIMessage("") }] };
  }
  override async *_streamResponseChunks() {
    const id = `m${++this.#answer}`;
    for (const fields of this.answers[this.#answer - 1] ?? []) {
      const message = new AIMessageChunk({ id, ...fields });
      yield new ChatGenerationChunk({ message, text: message.text });
    }
  }
}

const anthropic = { response_metadata: { model_provider: "anthropic" } };
const block = (index: number, text: string, more: object = {}) => ({
  content: [{ type: "text", text, index }],
  ...more,
});
const thinking = (index: number, thought: string, more: object = {}) => ({
  content: [{ type: "thinking", thinking: thought, index }],
  ...more,
});
const alone = (type: "text" | "reasoning", text: string) => ({ content: [{ type, [type]: text }] });
const call = (index: number, args: string, named = false) => ({
  content: "",
  tool_call_chunks: [
    { type: "tool_call_chunk" as const, index, args, ...(named && { id: `call_${index}`, name: "look" }) },
  ],
});

/** The parts of an answer: as the chunks that the user was given brought them, and as they stand together in the end. */
async function seen(answers: readonly (readonly AIMessageChunkFields[])[], plugins: readonly Plugin[]) {
  const { createAgent, tool } = withPlugins(langchain, [...plugins]);
  const look = tool(() => "found", { name: "look", schema: z.object({}) });
  const agent = createAgent({ model: new ScriptedModel(answers), tools: [look] });
  const modes = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "values"] }));
  const chunks = modes.flatMap(([mode, value]) =>
    mode === "messages" && AIMessageChunk.isInstance(value[0]) ? [value[0]] : [],
  );
  const pieces = chunks.flatMap(partsIn);
  const parts = new Map<string, { type: string; text: string }>();
  for (const { id, type, text } of pieces) parts.set(id, { type, text: (parts.get(id)?.text ?? "") + text });
  const inTime: { id: string; text: string }[] = [];
  for (const { id, text } of pieces) {
    const last = inTime.at(-1);
    if (last?.id === id) last.text += text;
    else if (text !== "") inTime.push({ id, text });
  }
  const whole = modes.flatMap(([mode, value]) => (mode === "values" ? [value] : [])).at(-1);
  const history = whole?.messages.map(({ text, content }) => [text, partsIn(new AIMessageChunk({ content }))]);
  return { parts: [...parts.values()], inTime, text: chunks.map(({ text }) => text).join(""), history };
}

const kinds: readonly StreamedKind[] = ["model", "reasoning", "agent"];
const guards: Record<string, () => Plugin> = {
  "the guard of the README": () => pii({ email: "redact" }, { apply: { output: true, toolArguments: true } }),
  ...Object.fromEntries(kinds.map((kind) => [`a stage of ${kind} that holds back`, () => holding(kind)])),
};

const pages = ["The meeting is on Mon", "day", " at ten, in ro", "om seven", ", says the pa", "ge."];
const answers: Record<string, readonly (readonly AIMessageChunkFields[])[]> = {
  "three blocks of text": [pages.map((text, index) => block(Math.floor(index / 2), text))],
  "three blocks of Anthropic": [pages.map((text, index) => block(Math.floor(index / 2), text, anthropic))],
  "reasoning, text and calls of Anthropic": [
    [
      thinking(0, "I should lo", anthropic),
      thinking(0, "ok", anthropic),
      block(1, "Let me look th", anthropic),
      block(1, "at up", anthropic),
      call(2, "", true),
      call(2, "{}"),
    ],
    [block(0, "That was it", anthropic)],
  ],
  "reasoning beside the text, and a call": [
    [
      { content: "", additional_kwargs: { reasoning_content: "I should look" } },
      { content: "Let me look that up" },
      call(0, "{}", true),
    ],
    [{ content: "That was it" }],
  ],
};

describe.each(Object.keys(guards))("with %s", (guard) => {
  const made = () => [(guards[guard] as () => Plugin)()];

  it.each(Object.keys(answers))("the parts, their order and the history are as without: %s", async (name) => {
    const script = answers[name] as (typeof answers)[string];
    expect(await seen(script, made())).toEqual(await seen(script, []));
  });

  it("blocks with nothing to join them by are as many, with the same text", async () => {
    const script = [
      [alone("reasoning", "I should greet them"), alone("text", "Good mor"), alone("text", "ning to you")],
    ];
    const told = async (plugins: readonly Plugin[]) => {
      const { parts, history } = await seen(script, plugins);
      const blocks = ((history ?? []).at(-1) as [string, SeenPiece[]])[1];
      return { parts, types: blocks.map(({ type }) => type), text: blocks.map(({ text }) => text).join("") };
    };
    expect(await told(made())).toEqual(await told([]));
  });

  it("two blocks open at once are as without, but for when their ends come", async () => {
    const script = [pages.map((text, index) => block(index % 2, text))];
    const { inTime: _, ...with_ } = await seen(script, made());
    const { inTime: __, ...bare } = await seen(script, []);
    expect({ ...with_, text: undefined }).toEqual({ ...bare, text: undefined });
  });

  it("random blocks are as without", async () => {
    const piece = fc.record({
      kind: fc.constantFrom(block, thinking),
      index: fc.nat({ max: 2 }),
      text: fc.constantFrom("Mon", "day ", "at", " ten.", "é👋", "\n"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.boolean(), async (pieces, oneByOne) => {
        const sorted = oneByOne ? [...pieces].sort((a, b) => a.index - b.index) : pieces;
        const types = new Map<number, typeof block | typeof thinking>();
        const script = sorted.map(({ kind, index, text }) => {
          if (!types.has(index)) types.set(index, kind);
          return (types.get(index) as typeof block)(index, text, oneByOne ? anthropic : {});
        });
        const { parts, history, inTime } = await seen([script], made());
        const bare = await seen([script], []);
        expect({ parts, history }).toEqual({ parts: bare.parts, history: bare.history });
        if (oneByOne) expect(inTime).toEqual(bare.inTime);
      }),
      { numRuns: runs(15) },
    );
  });
});

describe("a part is told to be over", () => {
  /** The deltas that layers of `kind` are given. */
  async function told(kind: StreamedKind, script: readonly (readonly AIMessageChunkFields[])[]) {
    const deltas: string[] = [];
    const listening: Plugin = {
      name: "listening",
      async [kind](invocation: never, callNext: () => Promise<void>) {
        await callNext();
        const { pipe } = invocation as {
          pipe(stage: { chunk(delta: Delta, emit: (delta: Delta) => void): void }): void;
        };
        pipe.call(invocation, {
          chunk(delta, emit) {
            if (delta.type === "part_end") deltas.push(`end of ${delta.at}`);
            if (delta.type === "part") deltas.push("content" in delta.part ? `${delta.part.content}` : delta.part.type);
            emit(delta);
          },
        });
      },
    };
    await seen(script, [listening]);
    return deltas;
  }

  it("where Anthropic begins the next block", async () => {
    const [first, second] = answers["reasoning, text and calls of Anthropic"] as (typeof answers)[string];
    expect(await told("model", [first, second] as never)).toEqual([
      ...["I should lo", "ok", "end of reasoning 0", "Let me look th", "at up", "end of text 1", "tool_call"],
      "That was it",
    ]);
  });

  it("never where it may go on: fields of a message, and blocks of providers that may fill several at once", async () => {
    const both = [
      ...(answers["reasoning beside the text, and a call"] ?? []),
      ...(answers["three blocks of text"] ?? []),
    ];
    for (const script of both)
      expect((await told("model", [script, [block(0, "Yes.")]])).join()).not.toContain("end of");
  });

  it("to layers of agent where its message is whole", async () => {
    const deltas = await told("agent", answers["reasoning beside the text, and a call"] as never);
    expect(deltas).toEqual([
      "Let me look that up",
      expect.stringContaining("end of"),
      "That was it",
      expect.stringContaining("end of"),
    ]);
  });
});

it("an unchanged chunk is the same object, also if a part ends before it", async () => {
  const { createAgent } = withPlugins(langchain, [
    definePlugin({
      name: "piping",
      async model(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: (delta, emit) => (delta.type === "part_end" ? undefined : emit(delta)) });
      },
    }),
  ]);
  const script = answers["three blocks of Anthropic"] as (typeof answers)[string];
  const chunks = await collect(
    await createAgent({ model: new ScriptedModel(script) }).stream(asks("Hello."), { streamMode: "messages" }),
  );
  expect(chunks.map(([{ text }]) => text)).toEqual(pages);
  expect(concat(chunks[0]?.[0] as AIMessageChunk, chunks[1]?.[0] as AIMessageChunk).content).toHaveLength(1);
});
