import { describe, expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { definePlugin, message, type Part, type Plugin } from "@suite/core";
import { redacting } from "@suite/testkit";
import { withPlugins } from "../src/index.js";
import { all, called, recorder, said, scripted, useServer } from "./support.js";

const fixture = useServer();
const secret = "ada@mail.example";

const guard = definePlugin({ name: "guard", model: async (_, callNext) => callNext() });
const desk = (model: agents.Model, more: object = {}): agents.Agent =>
  new agents.Agent({ name: "desk", model, ...more });

const mail = (reached: unknown[]) =>
  agents.tool({
    ...({ name: "mail", description: "", strict: false } as const),
    parameters: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: true,
    } as const,
    execute: async (input: unknown) => void reached.push(input),
  });

/** The raw events of one streamed run, as they were told. */
async function raw(plugins: readonly Plugin[], model: agents.Model) {
  const result = await withPlugins(agents, plugins).run(desk(model), "Hi", { stream: true });
  const events = await all(result);
  await result.completed;
  return events.flatMap((event) => (event.type === "raw_model_stream_event" ? [event.data] : []));
}

describe("a model that is given as an object", () => {
  const namedFor = async (model: agents.Model): Promise<string | undefined> => {
    let named: string | undefined;
    const watch = definePlugin({
      name: "watch",
      async model({ request }, callNext) {
        named = request.model;
        await callNext();
      },
    });
    await withPlugins(agents, [watch]).run(desk(model), "Hi");
    return named;
  };

  it("is not named by its class if it does not give its name", async () => {
    const { model } = scripted([said("Yes.")]);
    class ModelOfMine implements agents.Model {
      getResponse(request: agents.ModelRequest): Promise<agents.ModelResponse> {
        return model.getResponse(request);
      }
      getStreamedResponse(request: agents.ModelRequest): AsyncIterable<agents.StreamEvent> {
        return model.getStreamedResponse(request);
      }
    }
    expect(await namedFor(new ModelOfMine())).toBe("");
  });

  it("has the name that it gives", async () => {
    const { model } = scripted([said("Yes.")]);
    expect(await namedFor(Object.assign(Object.create(model), { modelId: "mine-1" }))).toBe("mine-1");
  });
});

describe("what no layer changes", () => {
  it("is asked as the SDK asks it", async () => {
    const items = [said("Before."), called("look"), { role: "user", content: "Go on." }] as agents.AgentInputItem[];
    items.splice(2, 0, {
      type: "function_call_result",
      callId: "call_look",
      name: "look",
      status: "completed",
      output: { type: "text", text: "7" },
    });
    const plain = scripted([said("Yes.")]);
    await agents.run(desk(plain.model), items);
    const layered = scripted([said("Yes.")]);
    await withPlugins(agents, [guard]).run(desk(layered.model), items);
    expect(layered.asked[0]?.input).toEqual(plain.asked[0]?.input);
  });

  it("is answered with the very items of the model, with all that its provider added", async () => {
    const item = said("Yes.");
    const { rawResponses } = await withPlugins(agents, [guard]).run(desk(scripted([item]).model), "Hi");
    expect(rawResponses[0]?.output[0]).toBe(item);
    expect(rawResponses[0]?.providerData).toEqual({ raw: JSON.stringify([item]) });
  });

  it("streams the very events of the model where no plugin guards it", async () => {
    const events = await raw([recorder().plugin], scripted([said("One two.")]).model);
    expect(events.map(({ type }) => type)).toEqual([
      ...["response_started", "model", "output_text_delta", "output_text_delta", "response_done"],
    ]);
    expect(events[2]?.providerData).toEqual({ raw: "One " });
  });
});

describe("where a plugin guards models", () => {
  it("raw events of the provider come with the end, and only where nothing was changed", async () => {
    const untouched = await raw([guard], scripted([said("One two.")]).model);
    expect(untouched.map(({ type }) => type)).toEqual([
      ...["response_started", "output_text_delta", "output_text_delta", "model", "response_done"],
    ]);
    expect(untouched[0]).toEqual({ type: "response_started" });
    const changed = await raw([redacting()], scripted([said(`To ${secret} now.`)]).model);
    expect(changed.map(({ type }) => type)).not.toContain("model");
    expect(JSON.stringify(changed)).not.toContain(secret);
  });

  it("what the provider adds to a changed answer stays after the redactor, and so does its id", async () => {
    const item = { ...said(`To ${secret}.`), providerData: { raw: secret } };
    const { rawResponses, output } = await withPlugins(agents, [redacting()]).run(desk(scripted([item]).model), "Hi");
    expect(JSON.stringify(rawResponses)).not.toContain(secret);
    const { content: _, ...kept } = item;
    expect(output).toEqual([{ ...kept, providerData: { raw: "[EMAIL]" }, content: [expect.anything()] }]);
    const events = await raw([redacting()], scripted([item]).model);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("a repetition of a part by the provider is left out if either was changed", async () => {
    const plugin = definePlugin({
      name: "calls",
      async model(invocation, callNext) {
        await callNext();
        invocation.pipe({
          chunk(delta, emit) {
            const call = delta.type === "part" && delta.part.type === "tool_call";
            emit(call ? { ...delta, part: { ...delta.part, arguments: { to: "someone" } } as Part } : delta);
          },
        });
      },
    });
    const text = said("I mail.");
    const content = [{ type: "output_text" as const, text: "I mail.", providerData: { raw: secret } }];
    const { model } = scripted([{ ...text, content }, called("mail", { to: secret })], [said("Sent.")]);
    const { state } = await withPlugins(agents, [plugin]).run(desk(model, { tools: [mail([])] }), "Hi");
    expect(state.toString()).not.toContain(secret);
  });

  it("a call that is changed keeps its place, and its id", async () => {
    const { model, asked } = scripted([called("mail", { to: secret })], [said("Sent.")]);
    const reached: unknown[] = [];
    await withPlugins(agents, [redacting("model")]).run(desk(model, { tools: [mail(reached)] }), "Hi");
    expect(reached).toHaveLength(1);
    expect(JSON.stringify([reached, asked])).not.toContain(secret);
    expect(asked[1]?.input).toContainEqual(expect.objectContaining({ type: "function_call", callId: "call_mail" }));
  });

  it("encrypted reasoning goes back verbatim", async () => {
    const thought = { type: "reasoning", id: "rs", content: [], providerData: { encrypted_content: "c2VjcmV0" } };
    const { model, asked } = scripted([thought as never, called("look")], [said("Yes.")]);
    const tool = agents.tool({
      ...{ name: "look", description: "" },
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      execute: async () => "7",
    });
    await withPlugins(agents, [guard]).run(desk(model, { tools: [tool] }), "Hi");
    expect(asked[1]?.input).toContainEqual(expect.objectContaining(thought));
  });
});

describe("a layer round model calls", () => {
  it("answers in the model's place, streamed or not", async () => {
    const plugin = definePlugin({
      name: "cache",
      async model(invocation) {
        invocation.respond({
          value: { message: message("assistant", "Cached."), usage: { inputTokens: 1, outputTokens: 1 } },
        });
      },
    });
    const { run } = withPlugins(agents, [plugin]);
    expect((await run(desk(scripted().model), "Hi")).finalOutput).toBe("Cached.");
    const result = await run(desk(scripted().model), "Hi", { stream: true });
    expect((await all(result.toTextStream() as unknown as AsyncIterable<string>)).join("")).toBe("Cached.");
  });

  it("changes what the model is asked: messages, tools, settings, system prompt", async () => {
    const plugin = definePlugin({
      name: "change",
      systemPrompt: (prompt) => `${prompt} Briefly.`,
      async reasoning(invocation, callNext) {
        const { request } = invocation;
        const messages = [...request.messages, message("user", "Now.")];
        const tools = [...request.tools, { name: "more", parameters: {} }];
        invocation.request = { ...request, messages, tools, settings: { temperature: 0.5 }, toolChoice: "none" };
        await callNext();
      },
    });
    const { model, asked } = scripted([said("Yes.")]);
    await withPlugins(agents, [plugin]).run(desk(model, { instructions: "Answer." }), "Hi");
    const [request] = asked;
    expect(request?.systemInstructions).toBe("Answer. Briefly.");
    expect(JSON.stringify(request?.input)).toContain("Now.");
    expect(request?.tools).toEqual([expect.objectContaining({ name: "more", type: "function" })]);
    expect(request?.modelSettings).toMatchObject({ temperature: 0.5, toolChoice: "none" });
  });

  it("sees handing over as a tool, which it can take away", async () => {
    const seen: string[] = [];
    const plugin = definePlugin({
      name: "alone",
      async model(invocation, callNext) {
        seen.push(...invocation.request.tools.map(({ name }) => name));
        invocation.request = { ...invocation.request, tools: [] };
        await callNext();
      },
    });
    const { model, asked } = scripted([said("Yes.")]);
    await withPlugins(agents, [plugin]).run(desk(model, { handoffs: [new agents.Agent({ name: "other" })] }), "Hi");
    expect(seen).toEqual(["transfer_to_other"]);
    expect(asked[0]?.handoffs).toEqual([]);
  });
});

describe("every model that a run asks is asked through the plugins", () => {
  it.each(["of the agent", "of the runner", "of the runner's provider"])("that %s", async (which) => {
    const { plugin, calls } = recorder();
    const { model } = scripted([said("Yes.")]);
    const { Runner } = withPlugins(agents, [plugin]);
    const config = which.endsWith("provider") ? { modelProvider: { getModel: () => model } } : { model };
    const runner = new Runner(which === "of the agent" ? {} : config);
    await runner.run(which === "of the agent" ? desk(model) : new agents.Agent({ name: "desk" }), "Hi");
    expect(calls).toEqual(["agent", "reasoning", "model"]);
  });

  it("one that asks another is asked once", async () => {
    const { plugin, calls } = recorder();
    const inner = scripted([said("Yes.")], [said("Yes.")], [said("Yes.")]).model;
    const outer: agents.Model = {
      getResponse: (request) => inner.getResponse(request),
      async *getStreamedResponse(request) {
        yield* inner.getStreamedResponse(request);
      },
    };
    const { run } = withPlugins(agents, [plugin]);
    await run(desk(inner), "Hi");
    await run(desk(outer), "Hi");
    await (await run(desk(outer), "Hi", { stream: true })).completed;
    expect(calls).toEqual(Array(3).fill(["agent", "reasoning", "model"]).flat());
  });

  it("tells its name, and whose it is", async () => {
    fixture.server.script({ text: "Yes." });
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: "names",
      async model({ request }, callNext) {
        seen.push([request.model, request.provider]);
        await callNext();
      },
    });
    const { Runner } = withPlugins(agents, [plugin]);
    await new Runner({ modelProvider: fixture.provider() }).run(
      new agents.Agent({ name: "a", model: "gpt-5-mini" }),
      "Hi",
    );
    expect(seen).toEqual([["gpt-5-mini", "openai"]]);
  });
});

it("a model is asked as ever outside of a run with plugins", async () => {
  const { plugin, calls } = recorder();
  const { model } = scripted([said("Yes.")], [said("Yes.")]);
  const agent = desk(model);
  await withPlugins(agents, [plugin]).run(agent, "Hi");
  await agents.run(agent, "Hi");
  expect(calls).toEqual(["agent", "reasoning", "model"]);
});
