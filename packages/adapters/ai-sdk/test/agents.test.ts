import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { type Delta, definePlugin, type Emit, message, type Plugin, type Reply } from "@suite/core";
import * as ai from "ai";
import { responseMessages } from "./subject.js";
import { all, ending, recorder, scripted, textChunks, textResult } from "./support.js";

const reply = (text: string): Reply => ({ message: message("assistant", text), finishReason: "stop" });
const shout = (delta: Delta, emit: Emit<Delta>): void => {
  const said = delta.type === "part" && delta.part.type === "text" ? delta.part.content : undefined;
  if (delta.type !== "part" || said === undefined) emit(delta);
  else emit({ ...delta, part: { type: "text", content: said.toUpperCase() } });
};

/** The text that a user reads of one turn, both ways. */
async function both(plugins: readonly Plugin[], ...script: readonly string[]) {
  const whole = scripted(script.map((text) => textResult(text)));
  const streamed = scripted(script.map((text) => textChunks(...text.split(/(?<= )/))));
  const { generateText, streamText } = withPlugins(ai, plugins);
  const one = await generateText({ model: whole.model, prompt: "Hi", maxRetries: 0 });
  const other = streamText({ model: streamed.model, prompt: "Hi", maxRetries: 0 });
  const pieces = await all(other.textStream);
  return {
    texts: [one.text, one.steps.at(-1)?.text, pieces.join(""), await other.text, (await other.steps).at(-1)?.text],
    messages: [one.response.messages, (await other.response).messages],
    asked: [whole.asked, streamed.asked],
  };
}

describe("a layer round the whole turn", () => {
  it("changes the answer, whichever way the user looks at it", async () => {
    const plugin = definePlugin({
      name: "shout",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: shout });
      },
    });
    const { texts, messages } = await both([plugin], "be loud");
    expect(texts).toEqual(Array(5).fill("BE LOUD"));
    for (const each of messages) {
      expect(each).toEqual([
        { role: "assistant", content: [expect.objectContaining({ type: "text", text: "BE LOUD" })] },
      ]);
    }
  });

  it("has structured output made of what it let through, under either name of the setting", async () => {
    const plugin = definePlugin({
      name: "shout",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: shout });
      },
    });
    const { generateText } = withPlugins(ai, [plugin]);
    const output = ai.Output.object({ schema: ai.jsonSchema<unknown>({ type: "object" }) });
    for (const setting of [{ output }, { experimental_output: output }]) {
      const { model } = scripted([textResult('{"who":"jane"}')]);
      const result = await generateText({ model, prompt: "Hi", ...setting });
      // Major 7 has left the other name out.
      if (result.output !== undefined && "output" in setting) expect(result.output).toEqual({ WHO: "JANE" });
      expect(result.text).toBe('{"WHO":"JANE"}');
    }
  });

  it("holds text back to the end, and nothing is lost", async () => {
    const holding = definePlugin({
      name: "holding",
      async agent(invocation, callNext) {
        await callNext();
        let held = "";
        let at = "";
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
            held += delta.part.content;
            at = delta.at;
          },
          flush: (emit) => emit({ type: "part", at, part: { type: "text", content: `${held}!` } }),
        });
      },
    });
    expect((await both([holding], "one two three")).texts).toEqual(Array(5).fill("one two three!"));
    const { model } = scripted([textChunks("one ", "two")]);
    const parts = await all(withPlugins(ai, [holding]).streamText({ model, prompt: "" }).fullStream);
    const said = ["text-start", "text-delta", "text-end"];
    expect(parts.map(({ type }) => type)).toEqual(["start", "start-step", ...said, "finish-step", "finish"]);
  });

  it("answers in place of the framework, which asks no model", async () => {
    const plugin = definePlugin({
      name: "cache",
      async agent(invocation) {
        invocation.respond({ value: reply("From the cache.") });
      },
    });
    const { texts, asked } = await both([plugin]);
    expect(texts).toEqual(Array(5).fill("From the cache."));
    expect(asked).toEqual([[], []]);
  });

  it("asks again", async () => {
    const plugin = definePlugin({
      name: "retry",
      async agent(_, callNext) {
        await callNext();
        await callNext();
      },
    });
    const { texts } = await both([plugin], "first", "second");
    expect(texts).toEqual(Array(5).fill("second"));
  });

  it("changes the messages that the turn begins with", async () => {
    const plugin = definePlugin({
      name: "prefix",
      async agent(invocation, callNext) {
        invocation.request = { ...invocation.request, messages: [message("user", "Instead.")] };
        await callNext();
      },
    });
    const { asked } = await both([plugin], "Yes.");
    for (const [params] of asked) {
      expect(params?.prompt).toEqual([{ role: "user", content: [{ type: "text", text: "Instead." }] }]);
    }
  });

  it("changes what is said in a turn of several steps, and each stays a step", async () => {
    const shouting = definePlugin({
      name: "shout",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: shout });
      },
    });
    const call = { type: "tool-call" as const, toolCallId: "c1", toolName: "look", input: "{}" };
    const first = { content: [{ type: "text" as const, text: "wait" }, call], ...ending("tool-calls"), warnings: [] };
    const { model } = scripted([first, textResult("done")]);
    const tools = { look: ai.tool({ inputSchema: ai.jsonSchema<object>({}), execute: () => "seen" }) };
    const { generateText } = withPlugins(ai, [shouting]);
    const result = await generateText({ model, tools, prompt: "", stopWhen: ai.stepCountIs(3) });
    expect(result.steps.map(({ text }) => text)).toEqual(["WAIT", "DONE"]);
    expect(result.text).toBe("DONE");
    const messages = await responseMessages(result);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(JSON.stringify(messages)).not.toMatch(/wait|done/);
  });

  it("throws, and the user is given the very error", async () => {
    const error = new Error("No.");
    const plugin = definePlugin({
      name: "no",
      async agent() {
        throw error;
      },
    });
    const { generateText, streamText } = withPlugins(ai, [plugin]);
    const { model } = scripted([]);
    await expect(generateText({ model, prompt: "" })).rejects.toBe(error);
    const seen: unknown[] = [];
    const parts = await all(
      streamText({ model, prompt: "", onError: ({ error }) => void seen.push(error) }).fullStream,
    );
    expect(parts).toContainEqual({ type: "error", error });
    expect(seen).toEqual([error]);
  });
});

it("a time limit of the framework's cancels the run", async () => {
  const { plugin, calls } = recorder();
  const model = { ...scripted([]).model, doStream: () => new Promise<never>(() => {}) };
  const { streamText } = withPlugins(ai, [plugin]);
  const parts = await all(streamText({ model, prompt: "", timeout: 20, maxRetries: 0 }).fullStream);
  expect(parts.at(-1)?.type).toBe("abort");
  expect(calls[0]).toBe("agent:cancelled");
});

describe("a reader of a stream", () => {
  const pieces = textChunks("One. ", "Two. ", "Three.");

  it("may stop, and go on another way", async () => {
    const { plugin, calls } = recorder();
    const { streamText } = withPlugins(ai, [plugin]);
    const result = streamText({ model: scripted([pieces]).model, prompt: "" });
    for await (const _ of result.textStream) break;
    expect(await result.text).toBe("One. Two. Three.");
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });

  it("may stop while another goes on", async () => {
    const { plugin, calls } = recorder();
    const { streamText } = withPlugins(ai, [plugin]);
    const result = streamText({ model: scripted([pieces]).model, prompt: "" });
    const other = all(result.textStream);
    for await (const _ of result.textStream) break;
    expect((await other).join("")).toBe("One. Two. Three.");
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });
});
