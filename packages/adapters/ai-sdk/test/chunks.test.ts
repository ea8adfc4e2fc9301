import { expect, it } from "@jest/globals";
import { pluginMiddleware } from "@suite/ai-sdk";
import { type Delta, definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { all, type Chunk, ending, scripted } from "./support.js";

/** The chunks of one part of an answer: its beginning, pieces and end. */
const texts = (type: "text" | "reasoning") => (id: string, pieces: readonly string[]) =>
  [
    { type: `${type}-start` as const, id },
    ...pieces.map((delta) => ({ type: `${type}-delta` as const, id, delta })),
    { type: `${type}-end` as const, id },
  ] as readonly Chunk[];
const calls = (id: string, pieces: readonly string[]): readonly Chunk[] => {
  const input = JSON.stringify({ of: pieces.join("") });
  const cut = Math.floor(input.length / 2);
  return [
    { type: "tool-input-start", id, toolName: "look" },
    { type: "tool-input-delta", id, delta: input.slice(0, cut) },
    { type: "tool-input-delta", id, delta: input.slice(cut) },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallId: id, toolName: "look", input },
  ];
};

/** Reasoning that is signed on its beginning, amid it, or at its end, as providers do. */
const signed = (id: string, pieces: readonly string[]): readonly Chunk[] => {
  const signature = { providerMetadata: { test: { signature: `of ${id}` } } };
  const on = pieces.length % 3;
  return [
    { type: "reasoning-start", id, ...(on === 0 && signature) },
    ...pieces.map((delta) => ({ type: "reasoning-delta" as const, id, delta })),
    ...(on === 1 ? [{ type: "reasoning-delta" as const, id, delta: "", ...signature }] : []),
    { type: "reasoning-end", id, ...(on === 2 && signature) },
  ];
};

/** Answers with parts of all kinds, also such as say nothing, their chunks in order, those of different parts in any. */
const answers = fc
  .array(
    fc.tuple(fc.constantFrom(texts("text"), texts("reasoning"), signed, calls), fc.array(fc.string({ minLength: 1 }))),
    {
      maxLength: 4,
    },
  )
  .chain((parts) => {
    const queues = parts.map(([make, pieces], index) => make(`p${index}`, pieces));
    const places = queues.flatMap((queue, index) => queue.map(() => index));
    return fc.shuffledSubarray(places, { minLength: places.length }).map((order) => {
      const next = queues.map(() => 0);
      return order.map((index) => queues[index]?.[next[index] === undefined ? 0 : next[index]++] as Chunk);
    });
  })
  .map((chunks): readonly Chunk[] => [
    { type: "stream-start", warnings: [] },
    ...chunks,
    { type: "finish", ...ending() },
  ]);

/** A layer that makes every delta anew, and changes none. */
const copying = definePlugin({
  name: "copying",
  async model(invocation, callNext) {
    await callNext();
    invocation.pipe({ chunk: (delta, emit) => emit({ ...delta }) });
  },
});
const watching = definePlugin({
  name: "watching",
  whereOffered: ["model"],
  async model(invocation, callNext) {
    await callNext();
    invocation.pipe({ chunk: (delta, emit) => emit(delta) });
  },
});

async function through(chunks: readonly Chunk[], plugin: Plugin): Promise<readonly Chunk[]> {
  const { model } = scripted([chunks]);
  const wrapped = ai.wrapLanguageModel({ model, middleware: pluginMiddleware([plugin] as readonly Plugin[]) });
  return all((await wrapped.doStream({ prompt: [] })).stream as unknown as AsyncIterable<Chunk>);
}

/** The contents that a stream adds up to, by part. */
function contents(chunks: readonly Chunk[]): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const chunk of chunks) {
    if ("delta" in chunk && chunk.type !== "tool-input-delta") all[chunk.id] = (all[chunk.id] ?? "") + chunk.delta;
    else if (chunk.type === "tool-call") all[chunk.toolCallId] = chunk.input;
  }
  return all;
}

for (const plugin of [watching, copying]) {
  it(`a text that the model never began is not begun in its place: ${plugin.name}`, async () => {
    for (const type of ["text", "reasoning"] as const) {
      const [, piece, end] = texts(type)("__proto__", ["Hello"]) as [Chunk, Chunk, Chunk];
      const finish = { type: "finish" as const, ...ending() };
      for (const chunks of [
        [piece, finish],
        [piece, end, finish],
        [end, finish],
      ]) {
        expect((await through(chunks, plugin)).slice(0, -1)).toEqual(chunks.slice(0, -1));
      }
    }
  });
}

/** Whether each part begins before its pieces and ends after them, each once. */
function wellFormed(chunks: readonly Chunk[]): boolean {
  const open = new Set<string>();
  for (const chunk of chunks) {
    if (!("id" in chunk) || chunk.id === undefined || chunk.type === "response-metadata" || chunk.type === "source")
      continue;
    if (chunk.type.endsWith("-start")) open.add(chunk.id);
    else if (!open.has(chunk.id)) return false;
    if (chunk.type.endsWith("-end")) open.delete(chunk.id);
  }
  return open.size === 0;
}

it("unchanged chunks come out as the same objects, in the same order", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      const out = await through(chunks, watching);
      expect(out).toHaveLength(chunks.length);
      for (const [index, chunk] of out.entries()) expect(chunk).toBe(chunks[index]);
    }),
    { numRuns: runs(100) },
  ));

it("each chunk comes out before the model has said the next one", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      let source: ReadableStreamDefaultController<Chunk> | undefined;
      const { model } = scripted([]);
      const stream = new ReadableStream<Chunk>({
        start(controller) {
          source = controller;
        },
      });
      const live = { ...model, doStream: async () => ({ stream }) };
      const middleware = pluginMiddleware([watching]);
      const reader = (
        await ai.wrapLanguageModel({ model: live, middleware }).doStream({ prompt: [] })
      ).stream.getReader();
      for (const chunk of chunks.slice(0, -1)) {
        source?.enqueue(chunk);
        expect((await reader.read()).value).toBe(chunk);
      }
    }),
    { numRuns: runs(50) },
  ));

/** A layer that holds the last character of each text back, and the last of each input, until its end. */
const holding = definePlugin({
  name: "holding",
  async model(invocation, callNext) {
    await callNext();
    const held = new Map<string, Delta>();
    invocation.pipe({
      chunk(delta, emit) {
        const before = "at" in delta ? held.get(delta.at) : undefined;
        if (before !== undefined) emit(before);
        if ("at" in delta) held.delete(delta.at);
        const [given, kept] = halves(delta);
        if (given !== undefined) emit(given);
        if (kept !== undefined && "at" in kept) held.set(kept.at, kept);
      },
      flush(emit) {
        for (const delta of held.values()) emit(delta);
      },
    });
  },
});

/** The halves of a delta: the one given out, the one held back. */
function halves(delta: Delta): readonly [Delta | undefined, Delta | undefined] {
  if (delta.type === "arguments") {
    return [
      { ...delta, json: delta.json.slice(0, -1) },
      { ...delta, json: delta.json.slice(-1) },
    ];
  }
  if (delta.type !== "part" || delta.part.type !== "text" || delta.part.content === "") return [delta, undefined];
  const { part } = delta;
  const piece = (content: string): Delta => ({ ...delta, part: { ...part, content } });
  return [piece(part.content.slice(0, -1)), piece(part.content.slice(-1))];
}

it("what a layer holds back until a part's end does not pass that: parts begin and end as the model's did", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      const out = await through(chunks, holding);
      const frame = (all: readonly Chunk[]) => all.filter(({ type }) => !type.endsWith("-delta")).map(nameOf);
      expect(frame(out)).toEqual(frame(chunks));
      expect(contents(out)).toEqual(contents(chunks));
      expect(wellFormed(out)).toBe(true);
    }),
    { numRuns: runs(100) },
  ));

const nameOf = (chunk: Chunk): string => `${chunk.type} ${"id" in chunk ? chunk.id : ""}`;

it("no tool runs on half an input where a layer knows nothing of ends", async () => {
  const careless = definePlugin({
    name: "careless",
    async model(invocation, callNext) {
      await callNext();
      const held: Delta[] = [];
      invocation.pipe({
        chunk: (delta, emit) => void (delta.type === "arguments" ? held.push({ ...delta }) : emit(delta)),
        flush(emit) {
          for (const delta of held) emit(delta);
        },
      });
    },
  });
  const said = calls("c", ["a", "b"]);
  const out = await through([...said, { type: "finish", ...ending("tool-calls") }], careless);
  expect(out.find(({ type }) => type === "tool-call")).toMatchObject({ input: JSON.stringify({ of: "ab" }) });
});

it("a call that the model broke off is no call", async () => {
  const out = await through(calls("c", ["a", "b"]).slice(0, 2), watching);
  expect(out.map(({ type }) => type)).toEqual(["tool-input-start", "tool-input-delta"]);
});

it("reasoning continues without its signature if a layer has removed it", async () => {
  const unsigned = definePlugin({
    name: "unsigned",
    async model(invocation, callNext) {
      await callNext();
      invocation.pipe({
        chunk(delta, emit) {
          if (delta.type !== "part" || delta.part.type !== "reasoning") emit(delta);
          else emit({ ...delta, part: { type: "reasoning", content: delta.part.content } });
        },
      });
    },
  });
  for (const pieces of [[], ["a"], ["a", "b"], ["a", "b", "c"]]) {
    const out = await through([...signed("r", pieces), { type: "finish", ...ending() }], unsigned);
    expect(JSON.stringify(out)).not.toContain("of r");
    expect(contents(out)).toEqual(pieces.length === 0 ? {} : { r: pieces.join("") });
  }
});

it("rebuilt chunks assemble to the same answer, in the order that the framework expects", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      const out = await through(chunks, copying);
      expect(contents(out)).toEqual(contents(chunks));
      expect(wellFormed(out)).toBe(true);
      expect(out.at(-1)?.type).toBe("finish");
    }),
    { numRuns: runs(100) },
  ));
