import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { type AnyInvocation, type CallNext, type Delta, definePlugin, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { withPlugins } from "../src/index.js";
import { called, pieces, recorder, said, scripted } from "./support.js";

const idle = definePlugin({
  name: "idle",
  async model(_, callNext) {
    await callNext();
  },
});
const desk = (model: agents.Model, more: object = {}) => new agents.Agent({ name: "desk", model, ...more });

describe("a streamed run", () => {
  it("continues, and ends, if it is not read", async () => {
    const { plugin, calls } = recorder();
    const { run } = withPlugins(agents, [plugin]);
    const result = await run(desk(scripted([said("Yes.")]).model), "Hi", { stream: true });
    await result.completed;
    expect(result.finalOutput).toBe("Yes.");
    expect(result.currentTurn).toBe(1);
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });

  it("tells no final output before the layers are through with it", async () => {
    let result: { readonly finalOutput?: unknown } | undefined;
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: "late",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({ flush: () => void seen.push(result?.finalOutput) });
      },
    });
    const { run } = withPlugins(agents, [plugin]);
    const begun = await run(desk(scripted([said("Yes.")]).model), "Hi", { stream: true });
    result = begun;
    await begun.completed;
    expect(seen).toEqual([undefined]);
    expect(begun.finalOutput).toBe("Yes.");
  });

  it("that fails first sends the preceding text", async () => {
    const error = new Error("The line is dead.");
    const model: agents.Model = {
      getResponse: () => Promise.reject(error),
      async *getStreamedResponse() {
        for (const delta of ["One. ", "Two. ", "Three."]) yield { type: "output_text_delta", delta };
        throw error;
      },
    };
    const slow = definePlugin({
      name: "slow",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({
          async chunk(delta, emit) {
            await new Promise((resolve) => setTimeout(resolve, 2));
            emit(delta);
          },
        });
      },
    });
    const result = await withPlugins(agents, [slow]).run(desk(model), "Hi", { stream: true });
    const read: string[] = [];
    const reading = (async () => {
      for await (const piece of result.toTextStream() as unknown as AsyncIterable<string>) read.push(piece);
    })();
    await expect(reading).rejects.toBe(error);
    await expect(result.completed).rejects.toBe(error);
    expect(result.error).toBe(error);
    expect(read.join("")).toBe("One. Two. Three.");
  });

  it("that fails gives what a stage held back before the error", async () => {
    const error = new Error("The line is dead.");
    const model: agents.Model = {
      getResponse: () => Promise.reject(error),
      async *getStreamedResponse() {
        yield { type: "output_text_delta", delta: "Mail to ada" };
        throw error;
      },
    };
    const guard = pii({ email: "redact" }, { apply: { output: true } });
    const result = await withPlugins(agents, [guard]).run(desk(model), "Hi", { stream: true });
    const read: string[] = [];
    const reading = (async () => {
      for await (const piece of result.toTextStream() as unknown as AsyncIterable<string>) read.push(piece);
    })();
    await expect(reading).rejects.toBe(error);
    await expect(result.completed).rejects.toBe(error);
    expect(read.join("")).toBe("Mail to ada");
  });

  it.each([
    ["continues", "One. Two. Three."],
    ["differs from", "Other words."],
  ])("whose last event %s the streamed text has the events and the answer of the model", async (_, whole) => {
    const model: agents.Model = {
      getResponse: () => new Promise(() => {}),
      async *getStreamedResponse() {
        yield { type: "output_text_delta", delta: "One. Two." };
        const message = { ...said(whole), id: "m", providerData: { kept: true } };
        yield { type: "response_done", response: { id: "r", usage: new agents.Usage(), output: [message] } } as never;
      },
    };
    for (const plugins of [[idle], [pii({ email: "redact" }, { apply: { output: true } })]]) {
      const result = await withPlugins(agents, plugins).run(desk(model), "Hi", { stream: true });
      const read: unknown[] = [];
      for await (const event of result)
        if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta")
          read.push(event.data.delta);
      expect(read).toEqual(["One. Two."]);
      expect(result.finalOutput).toBe(whole);
      expect(result.rawResponses[0]?.output).toMatchObject([{ providerData: { kept: true } }]);
    }
  });

  it("whose reader stops tells the model so", async () => {
    let signal: AbortSignal | undefined;
    const model: agents.Model = {
      getResponse: () => new Promise(() => {}),
      async *getStreamedResponse(request) {
        signal = request.signal;
        yield { type: "output_text_delta", delta: "One. " };
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal?.reason)));
      },
    };
    const result = await withPlugins(agents, [recorder().plugin]).run(desk(model), "Hi", { stream: true });
    for await (const event of result) if (event.type === "raw_model_stream_event") break;
    await result.completed;
    expect(result.cancelled).toBe(true);
    expect(signal?.aborted).toBe(true);
  });

  it("in which a tool says the last word shows that to the layers, and streams no text", async () => {
    const seen: string[] = [];
    const plugin = definePlugin({
      name: "watch",
      async agent(invocation, callNext) {
        await callNext();
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type === "part" && delta.part.type === "text") seen.push(delta.part.content);
            emit(delta);
          },
        });
      },
    });
    const tool = agents.tool({
      ...{ name: "look", description: "" },
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      execute: async () => "7",
    });
    const more = { tools: [tool], toolUseBehavior: "stop_on_first_tool" };
    const result = await withPlugins(agents, [plugin]).run(desk(scripted([called("look")]).model, more), "Hi", {
      stream: true,
    });
    expect(await pieces(result)).toEqual([]);
    await result.completed;
    expect(result.finalOutput).toBe("7");
    expect(seen).toEqual(["7"]);
  });
});

describe("a layer that reads the whole streamed answer", () => {
  const ended = async (invocation: AnyInvocation, callNext: CallNext) => {
    await callNext();
    expect((await invocation.ended())?.status).toBe("completed");
  };
  const watching = async (_: AnyInvocation, callNext: CallNext) => callNext();

  const { tool } = agents;

  async function eventsWith(plugins: readonly Plugin[]) {
    const look = tool({
      name: "look",
      description: "",
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false } as never,
      strict: true,
      execute: async () => "clear",
    });
    const { model } = scripted([said("I look now.", "m1"), called("look")], [said("It is clear.", "m2")]);
    const { run } = withPlugins(agents, plugins);
    const result = await run(desk(model, { tools: [look] }), "Hi", { stream: true });
    const seen: string[] = [];
    for await (const event of result) {
      // The provider's own events repeat text, and come after it if a layer has held it back.
      if (event.type === "raw_model_stream_event" && event.data.type === "model") continue;
      if (event.type === "raw_model_stream_event") seen.push(JSON.stringify(event.data));
      else if (event.type === "run_item_stream_event") seen.push(`${event.name} ${JSON.stringify(event.item.rawItem)}`);
      else seen.push(event.type);
    }
    await result.completed;
    return { seen, finalOutput: result.finalOutput };
  }

  it.each(["agent", "model"] as const)("does not change the events if it is an %s layer", async (kind) => {
    const idle = await eventsWith([{ name: "layer", [kind]: watching }]);
    expect(await eventsWith([{ name: "layer", [kind]: ended }])).toEqual(idle);
  });

  it("passes no event of the provider before a layer has passed the text that it repeats", async () => {
    const redacting: Plugin = {
      name: "redacting",
      async agent(invocation, callNext) {
        await callNext();
        let held: Delta | undefined;
        invocation.pipe({
          chunk(delta, emit) {
            if (delta.type !== "part") return emit(delta);
            if (held !== undefined) emit(held);
            const secret = delta.part.type === "text" && delta.part.content.includes("secret");
            held = secret ? { ...delta, part: { type: "text", content: "[REDACTED]" } } : delta;
          },
          flush: (emit) => held && emit(held),
        });
      },
    };
    const model: agents.Model = {
      getResponse: () => Promise.reject(new Error("It is streamed.")),
      async *getStreamedResponse() {
        for (const delta of ["It is ", "a secret."]) {
          yield { type: "model", event: { raw: delta } };
          yield { type: "output_text_delta", delta, itemId: "m" };
        }
        yield {
          type: "response_done",
          response: { id: "r", usage: new agents.Usage(), output: [said("It is a secret.")] },
        } as never;
      },
    };
    const { run } = withPlugins(agents, [redacting]);
    const events: unknown[] = [];
    for await (const event of await run(desk(model), "Hi", { stream: true })) {
      if (event.type === "raw_model_stream_event") events.push(event.data);
    }
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(JSON.stringify(events)).toContain("[REDACTED]");
  });
});
