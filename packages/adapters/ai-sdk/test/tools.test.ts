import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, MiddlewareTermination, type Plugin } from "@suite/core";
import { redacting } from "@suite/testkit";
import * as ai from "ai";
import { all, type Chunk, ending, recorder, scripted, textChunks, textResult } from "./support.js";

const secret = "ada@mail.example";
const inputSchema = ai.jsonSchema<{ of: string }>({ type: "object", properties: { of: { type: "string" } } });
const call = (of: string, toolCallId = "c1") =>
  ({ type: "tool-call", toolCallId, toolName: "look", input: JSON.stringify({ of }) }) as const;
const calling = (...calls: readonly ReturnType<typeof call>[]) => ({
  content: [...calls],
  ...ending("tool-calls"),
  warnings: [],
});
const stopWhen = ai.stepCountIs(5);

const run = (plugins: readonly Plugin[], tools: ai.ToolSet, ...script: Parameters<typeof scripted>[0]) => {
  const { model, asked } = scripted(script);
  const result = withPlugins(ai, plugins).generateText({ model, tools, prompt: "", stopWhen, maxRetries: 0 });
  return { result, asked };
};

describe("a tool that streams its progress", () => {
  async function* progress({ of }: { of: string }) {
    yield `Looking for ${of}`;
    yield `Found ${secret}`;
  }
  const streamed: readonly Chunk[] = [call("Ada"), { type: "finish", ...ending("tool-calls") }];

  it.each([
    ["a generator", progress],
    ["a function that gives one", (input: { of: string }) => progress(input)],
  ])("stays one: %s", async (_, execute) => {
    const { streamText } = withPlugins(ai, [redacting()]);
    const outputs = async (): Promise<unknown[]> => {
      const { model } = scripted([streamed, textChunks("Done.")]);
      const tools = { look: ai.tool({ inputSchema, execute }) };
      const parts = await all(streamText({ model, tools, prompt: "", stopWhen }).fullStream);
      return parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
    };
    const first = await outputs();
    expect(first.at(-1)).toBe("Found [EMAIL]");
    // From its second call on, a function is known to give a stream.
    expect(await outputs()).toEqual(["Looking for Ada", "Found [EMAIL]", "Found [EMAIL]"]);
  });
});

describe("tools that plugins offer", () => {
  const clock = definePlugin({
    name: "clock",
    tools: () => [{ name: "look", execute: (input) => `noon, ${JSON.stringify(input)}` }],
  });

  it("are offered to the model, and run through the layers", async () => {
    const { plugin, calls } = recorder();
    const { result, asked } = run([plugin, clock], {}, calling(call("x")), textResult("Noon."));
    expect((await result).text).toBe("Noon.");
    expect(asked[0]?.tools).toEqual([expect.objectContaining({ type: "function", name: "look" })]);
    expect(JSON.stringify(asked[1]?.prompt)).toContain("noon");
    expect(calls).toEqual(["agent", "reasoning", "model", "tool", "reasoning", "model"]);
  });

  it("may run elsewhere: the run then waits", async () => {
    const { plugin, told } = recorder();
    const elsewhere = definePlugin({ name: "elsewhere", tools: () => [{ name: "look" }] });
    const { result } = run([plugin, elsewhere], {}, calling(call("x")));
    expect((await result).finishReason).toBe("tool-calls");
    expect(told).toEqual([
      expect.objectContaining({ type: "suspension", pending: [expect.objectContaining({ reason: "external" })] }),
    ]);
  });

  it("leave the user's of the same name alone", async () => {
    const tools = { look: ai.tool({ inputSchema, execute: () => "the user's" }) };
    const { result, asked } = run([clock], tools, calling(call("x")), textResult("Yes."));
    await result;
    expect(JSON.stringify(asked[1]?.prompt)).toContain("the user's");
  });
});

describe("a layer round a tool", () => {
  const tools = { look: ai.tool({ inputSchema, execute: () => "the tool's" }) };

  it("answers in its place", async () => {
    const answering = definePlugin({
      name: "answering",
      async tool(invocation) {
        invocation.respond({ value: "the layer's" });
      },
    });
    for (const set of [tools, { look: ai.tool({ inputSchema }) }] as ai.ToolSet[]) {
      const { result, asked } = run([answering], set, calling(call("x")), textResult("Yes."));
      expect((await result).text).toBe("Yes.");
      expect(JSON.stringify(asked[1]?.prompt)).toContain("the layer's");
    }
  });

  it("ends the whole run, which the framework would go on after", async () => {
    const error = new MiddlewareTermination("The budget is spent.");
    const ending = definePlugin({
      name: "ending",
      async tool() {
        throw error;
      },
    });
    const { result, asked } = run([ending], tools, calling(call("x")), textResult("Never."));
    await expect(result).rejects.toBe(error);
    expect(asked).toHaveLength(1);
  });

  it("with a reply ends the run with its error if no later step can contain the reply", async () => {
    const error = new MiddlewareTermination("enough", { reply: "That was enough." });
    const ending = definePlugin({ name: "ending", tool: () => Promise.reject(error) });
    const { model } = scripted([calling(call("x"))]);
    const { generateText } = withPlugins(ai, [ending]);
    const result = generateText({ model: model as never, prompt: "Hi.", tools, stopWhen: ai.stepCountIs(1) });
    await expect(result).rejects.toBe(error);
  });
});

it("the input of a tool that runs elsewhere goes out as the tool layers leave it, and not also as it streamed", async () => {
  const { streamText } = withPlugins(ai, [redacting("tool")]);
  const input = JSON.stringify({ of: secret });
  const { model } = scripted([
    [
      { type: "tool-input-start", id: "c1", toolName: "look" },
      { type: "tool-input-delta", id: "c1", delta: input },
      { type: "tool-input-end", id: "c1" },
      call(secret),
      { type: "finish", ...ending("tool-calls") },
    ],
  ]);
  const outputSchema = ai.jsonSchema<string>({ type: "string" });
  const result = streamText({ model, tools: { look: ai.tool({ inputSchema, outputSchema }) }, prompt: "" });
  const parts = await all(result.fullStream);
  expect(parts).toContainEqual(expect.objectContaining({ type: "tool-call", input: { of: "[EMAIL]" } }));
  expect(JSON.stringify(parts)).not.toContain(secret);
});

describe("a layer in place of the person who is asked", () => {
  const inputs: unknown[] = [];
  const execute = (input: unknown) => {
    inputs.push(input);
    return "done";
  };
  const tools = { look: ai.tool({ inputSchema, needsApproval: true, execute }) };
  const deciding = (answer: unknown) =>
    definePlugin({
      name: "deciding",
      async humanInput(invocation) {
        invocation.respond({ value: answer });
      },
    });

  it.each([
    ["approves", true, [{ of: "x" }], "done"],
    ["edits", { approve: true, arguments: { of: "y" } }, [{ of: "y" }], "done"],
    ["refuses", { approve: false, message: "Not before Monday." }, [], "Not before Monday."],
  ])("%s, and nobody waits", async (_, answer, called, told) => {
    inputs.length = 0;
    const { plugin, told: notes } = recorder();
    const { result, asked } = run([plugin, deciding(answer)], tools, calling(call("x")), textResult("Yes."));
    expect((await result).text).toBe("Yes.");
    expect(inputs).toEqual(called);
    expect(JSON.stringify(asked[1]?.prompt)).toContain(told);
    expect(notes).toContainEqual(expect.objectContaining({ type: "approval", toolCallId: "c1" }));
  });

  it("watches, and the person is asked all the same", async () => {
    const { plugin, calls } = recorder();
    const { result } = run([plugin], tools, calling(call("x")));
    expect((await result).content.map(({ type }) => type)).toEqual(["tool-call", "tool-approval-request"]);
    expect(calls).toEqual(["agent:suspended", "reasoning", "model", "humanInput:suspended"]);
  });
});
