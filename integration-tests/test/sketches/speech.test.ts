import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { type Delta, definePlugin, type Emit, type Plugin } from "@suite/core";
import type { EventDelta } from "@suite/core/messages";
import { call, only, scripted, suspended } from "../../../packages/agent/test/support.js";
import { modes, resultOf } from "./watched.js";

type Synthesise = (sentence: string, signal: AbortSignal) => Promise<string>;

/** Speaks an answer sentence by sentence, as events in its stream; written from the public contract alone. */
function speech(synthesise: Synthesise): Plugin {
  return definePlugin({
    name: "speech",
    async agent(invocation, callNext) {
      await callNext();
      const { runtime, call } = invocation;
      if (invocation.result?.streaming !== true) return;
      let sentence = "";
      const speak = async (emit: Emit<Delta>, spoken: string) => {
        sentence = "";
        try {
          emit({ type: "event", name: "audio", value: await synthesise(spoken, invocation.signal) });
        } catch {
          const decision = "silent";
          runtime.notify({ type: "decision", plugin: "speech", decision, enforced: true, call });
        }
      };
      invocation.pipe({
        async chunk(delta, emit) {
          emit(delta);
          if (delta.type !== "part" || delta.part.type !== "text") return;
          sentence += delta.part.content;
          for (let end = sentence.search(/[.!?]\s/); end >= 0; end = sentence.search(/[.!?]\s/)) {
            const rest = sentence.slice(end + 2);
            await speak(emit, sentence.slice(0, end + 1));
            sentence = rest;
          }
        },
        flush: (emit) => (sentence.trim() === "" ? undefined : speak(emit, sentence)),
      });
    },
  });
}

const said = "One onion. Two? Three";
const voice: Synthesise = async (sentence) => `<${sentence}>`;
const heard = (deltas: readonly Delta[]) =>
  deltas
    .filter((delta): delta is EventDelta => delta.type === "event" && delta.name === "audio")
    .map(({ value }) => value);

async function read(stream: AsyncIterable<Delta>): Promise<readonly Delta[]> {
  const deltas: Delta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}

describe("speech by sentence", () => {
  it("follows each sentence of the stream, and the text is the same as without it", async () => {
    const agent = createAgent({ name: "a", model: scripted(said), plugins: [speech(voice)] });
    const stream = agent.stream("hello");
    const deltas = await read(stream);
    expect(heard(deltas)).toEqual(["<One onion.>", "<Two?>", "<Three>"]);
    const text = (from: readonly Delta[]) =>
      from.map((delta) => (delta.type === "part" && delta.part.type === "text" ? delta.part.content : "")).join("");
    expect(text(deltas)).toBe(said);
    const first = deltas.findIndex(({ type }) => type === "event");
    expect(text(deltas.slice(0, first)).length).toBeLessThan("One onion. Two?".length);
    expect((await stream.result).messages.at(-1)?.parts).toEqual([{ type: "text", content: said }]);
  });

  it.each(modes)("changes no result, with a pause in the middle neither (%s)", async (mode) => {
    const buy = defineTool({ name: "buy", needsApproval: true, execute: () => "bought" });
    const results = [];
    for (const plugins of [[], [speech(voice)]]) {
      const model = scripted([{ type: "text", content: "I buy it. " }, call("1", "buy")], "Done. Bye.");
      const agent = createAgent({ name: "a", model, tools: [buy], plugins });
      const pending = await suspended(resultOf(agent, "hello", mode));
      const done = await resultOf(agent, { pending, decisions: [approve(only(pending))] }, mode);
      results.push([done.status, done.messages, done.usage, "text" in done && done.text]);
    }
    expect(results[1]).toEqual(results[0]);
  });

  it("speaks the text before a pause, and continues after it", async () => {
    const buy = defineTool({ name: "buy", needsApproval: true, execute: () => "bought" });
    const model = scripted([{ type: "text", content: "I buy it" }, call("1", "buy")], "Done.");
    const agent = createAgent({ name: "a", model, tools: [buy], plugins: [speech(voice)] });
    const before = agent.stream("hello");
    expect(heard(await read(before))).toEqual(["<I buy it>"]);
    const pending = await suspended(before.result);
    const after = agent.stream({ pending, decisions: [approve(only(pending))] });
    expect(heard(await read(after))).toEqual(["<Done.>"]);
  });

  it("that fails leaves the answer as it is, and says so", async () => {
    const told: unknown[] = [];
    const ears = definePlugin({
      name: "ears",
      observe: (one) => void (one.type === "decision" && told.push(one.decision)),
    });
    const mute = speech(() => Promise.reject(new Error("no voice")));
    const agent = createAgent({ name: "a", model: scripted(said), plugins: [ears, mute] });
    const stream = agent.stream("hello");
    expect(heard(await read(stream))).toEqual([]);
    expect(await stream.result).toMatchObject({ status: "completed", text: said });
    expect(told).toEqual(["silent", "silent", "silent"]);
  });

  it("is stopped with a reader who leaves", async () => {
    let stopped: Promise<unknown> | undefined;
    const slow: Synthesise = (_, signal) => {
      const work = new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      stopped = work.catch((reason: unknown) => reason);
      return work;
    };
    const agent = createAgent({ name: "a", model: scripted(said), plugins: [speech(slow)] });
    const controller = new AbortController();
    const reading = read(agent.stream("hello", { signal: controller.signal }));
    while (stopped === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
    expect(await stopped).toMatchObject({ message: "gone" });
  });
});
