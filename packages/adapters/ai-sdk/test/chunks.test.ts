import { expect, it } from "@jest/globals";
import { pluginMiddleware } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { all, type Chunk, ending, scripted } from "./support.js";

/** Begins, pieces and end of one part of an answer. */
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

/** Parts of all kinds, their chunks in order, those of different parts in any. */
const answers = fc
  .array(fc.tuple(fc.constantFrom(texts("text"), texts("reasoning"), calls), fc.array(fc.string({ minLength: 1 }))), {
    maxLength: 4,
  })
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

/** What a stream adds up to, by part. */
function contents(chunks: readonly Chunk[]): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const chunk of chunks) {
    if ("delta" in chunk && chunk.type !== "tool-input-delta") all[chunk.id] = (all[chunk.id] ?? "") + chunk.delta;
    else if (chunk.type === "tool-call") all[chunk.toolCallId] = chunk.input;
  }
  return all;
}

/** Begun before its pieces, ended after them, each once. */
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

it("what nobody changes comes out as the same chunks, each part of it in order", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      const out = await through(chunks, watching);
      const said = contents(chunks);
      // A text that says nothing is left out.
      expect(out.every((chunk) => chunks.includes(chunk))).toBe(true);
      expect(contents(out)).toEqual(said);
      expect(wellFormed(out)).toBe(true);
      expect(out.at(-1)).toBe(chunks.at(-1));
    }),
    { numRuns: runs(100) },
  ));

it("what is made anew adds up to the same, and is a stream as the framework wants it", () =>
  fc.assert(
    fc.asyncProperty(answers, async (chunks) => {
      const out = await through(chunks, copying);
      expect(contents(out)).toEqual(contents(chunks));
      expect(wellFormed(out)).toBe(true);
      expect(out.at(-1)?.type).toBe("finish");
    }),
    { numRuns: runs(100) },
  ));
