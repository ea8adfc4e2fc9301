import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import {
  type CallNext,
  definePlugin,
  type Invocation,
  MiddlewareTermination,
  message,
  type Plugin,
  type Settlement,
  toolCall,
  toolCallResponse,
} from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { redacting } from "@suite/testkit";
import { withPlugins } from "../src/index.js";
import { called, said, scripted } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const parameters = {
  type: "object" as const,
  properties: { of: { type: "string" as const } },
  required: ["of"],
  additionalProperties: false as const,
};

/** A plugin that keeps how tool calls end. */
function watch() {
  const ends: Settlement<unknown>[] = [];
  const plugin = definePlugin({
    name: "watch",
    async tool(invocation: Invocation<"tool">, callNext: CallNext) {
      try {
        await callNext();
      } catch (error) {
        ends.push({ status: "failed", error });
        throw error;
      }
      invocation.pipe({ settle: (settlement) => void ends.push(settlement) });
    },
  });
  return { plugin, ends };
}

type Options = Partial<Parameters<typeof agents.tool>[0]>;

/** One run in which the model calls a tool, and what it was told then. */
async function asked(plugins: readonly Plugin[], options: object, factory?: typeof agents.tool) {
  const module = withPlugins(agents, plugins);
  const make = factory ?? module.tool;
  const tool = make({ name: "look", description: "", parameters, ...(options as Options) } as Parameters<
    typeof agents.tool
  >[0]);
  const { model, asked } = scripted([called("look", { of: "it" })], [said("Done.")]);
  const result = await module.run(new agents.Agent({ name: "desk", model, tools: [tool] }), "Hi");
  const input = asked[1]?.input as readonly agents.AgentInputItem[];
  const told = input.find(({ type }) => type === "function_call_result") as agents.FunctionCallResultItem;
  return { told: told.output, result };
}

const boom = new Error("disk 7 is full");
const failing = {
  execute: async () => {
    throw boom;
  },
};
const standard = "An error occurred while running the tool. Please try again.";

describe("a layer that answers with failure", () => {
  const fails = definePlugin({
    name: "fails",
    async tool(invocation: Invocation<"tool">) {
      invocation.respond({ value: { why: "quota" }, isError: true });
    },
  });
  const execute = async () => "seen";

  it("sends the reason to the model if the tool has no error text", async () => {
    const { told } = await asked([fails], { execute });
    expect(told).toEqual({ type: "text", text: '{"why":"quota"}' });
  });

  it("has the tool's errorFunction make a text of it", async () => {
    const errorFunction = jest.fn((_: unknown, error: unknown) => `It failed: ${(error as Error).message}`);
    const { told } = await asked([fails], { execute, errorFunction });
    expect(told).toEqual({ type: "text", text: 'It failed: {"why":"quota"}' });
    expect(errorFunction).toHaveBeenCalledTimes(1);
    expect((errorFunction.mock.calls[0]?.[1] as Error | undefined)?.cause).toEqual({ why: "quota" });
  });

  it("ends the run where the tool's errors do", async () => {
    await expect(asked([fails], { execute, errorFunction: null })).rejects.toThrow("quota");
  });
});

describe("a tool that fails", () => {
  it("fails for the layers with its error, and the model receives the SDK's message", async () => {
    const { plugin, ends } = watch();
    const { told } = await asked([plugin], failing);
    expect(ends).toEqual([{ status: "failed", error: boom }]);
    expect((ends[0] as { error: unknown }).error).toBe(boom);
    expect(told).toEqual({ type: "text", text: standard });
  });

  it("fails with an own error code if the SDK's tool() created it, which hides the error", async () => {
    const { plugin, ends } = watch();
    const { told } = await asked([plugin], failing, agents.tool);
    const error = expect.objectContaining({
      code: "ERR_OPENAI_AGENTS_TOOL_FAILED",
      message: expect.stringContaining("Create the tool with the `tool` of the module that withPlugins returns"),
    });
    expect(ends).toEqual([{ status: "failed", error }]);
    expect(told).toEqual({ type: "text", text: standard });
  });

  it("is failed where its arguments do not fit its schema", async () => {
    const { plugin, ends } = watch();
    const { z } = await import("zod");
    const options = { parameters: z.object({ of: z.number() }), execute: async () => "never" };
    const { told } = await asked([plugin], options);
    expect(ends).toEqual([expect.objectContaining({ status: "failed" })]);
    expect(told).toEqual({ type: "text", text: standard });
  });

  it("asks its errorFunction once, after the layers, for the error as they left it", async () => {
    const plugin = definePlugin({
      name: "discreet",
      tool: (_: Invocation<"tool">, callNext: CallNext) =>
        callNext().catch(() => {
          throw new Error("a disk is full");
        }),
    });
    const given: unknown[] = [];
    const errorFunction = (_: unknown, error: unknown) => {
      given.push(error);
      return String(error);
    };
    const { told } = await asked([plugin], { ...failing, errorFunction });
    expect(given).toEqual([new Error("a disk is full")]);
    expect(told).toEqual({ type: "text", text: "Error: a disk is full" });
  });

  it("ends the run with its error if it is configured to", async () => {
    const { plugin, ends } = watch();
    const run = asked([plugin], { ...failing, errorFunction: null });
    await expect(run).rejects.toMatchObject({ error: boom });
    expect(ends).toEqual([{ status: "failed", error: boom }]);
  });

  it("is failed where it takes too long", async () => {
    const { plugin, ends } = watch();
    const { told } = await asked([plugin], { execute: () => new Promise(() => {}), timeoutMs: 20 });
    expect(told).toEqual({ type: "text", text: "Tool 'look' timed out after 20ms." });
    expect(ends).toEqual([{ status: "failed", error: expect.any(agents.ToolTimeoutError) }]);
  });

  it("ends the run if the SDK's tool() is configured to", async () => {
    const { plugin } = watch();
    const run = asked([plugin], { ...failing, errorFunction: null }, agents.tool);
    await expect(run).rejects.toMatchObject({ error: boom });
  });

  it("is not failed if it calls another tool that fails and has its own errorFunction", async () => {
    const { plugin, ends } = watch();
    const { tool } = withPlugins(agents, [watch().plugin]);
    const inner = tool({
      name: "inner",
      description: "",
      parameters,
      ...failing,
      errorFunction: (_, error) => String(error),
    });
    const execute = async () => `so: ${await inner.invoke(new agents.RunContext(), '{"of":"it"}')}`;
    const { told } = await asked([plugin], { execute });
    expect(told).toEqual({ type: "text", text: "so: Error: disk 7 is full" });
    expect(ends).toEqual([expect.objectContaining({ status: "completed" })]);
  });

  it("is not failed where it deals with an error itself", async () => {
    const { plugin, ends } = watch();
    const { tool } = withPlugins(agents, [watch().plugin]);
    const inner = tool({ name: "inner", description: "", parameters, ...failing });
    const execute = async () => `so: ${await inner.invoke(new agents.RunContext(), '{"of":"it"}')}`;
    const { told } = await asked([plugin], { execute });
    expect(told).toEqual({ type: "text", text: `so: ${standard}` });
    expect(ends).toEqual([expect.objectContaining({ status: "completed" })]);
  });
});

describe("a layer round tools", () => {
  it("changes the arguments and the result, also of what hooks and the run tell", async () => {
    const reached: unknown[] = [];
    const plugin = definePlugin({
      name: "change",
      async tool(invocation: Invocation<"tool">, callNext: CallNext) {
        invocation.request = { ...invocation.request, input: { of: "that" } };
        await callNext();
        invocation.pipe({ chunk: (_, emit) => emit({ seen: 2 }) });
      },
    });
    const execute = async (input: unknown) => {
      reached.push(input);
      return { seen: 1 };
    };
    const { told, result } = await asked([plugin], { execute });
    expect(reached).toEqual([{ of: "that" }]);
    expect(told).toEqual({ type: "text", text: '{"seen":2}' });
    expect(result.newItems.find(({ type }) => type === "tool_call_output_item")).toMatchObject({ output: { seen: 2 } });
  });

  it("answers in place of the tool", async () => {
    const plugin = definePlugin({
      name: "cache",
      async tool(invocation: Invocation<"tool">) {
        invocation.respond({ value: "cached" });
      },
    });
    const execute = jest.fn(async () => "never");
    expect((await asked([plugin], { execute })).told).toEqual({ type: "text", text: "cached" });
    expect(execute).not.toHaveBeenCalled();
  });

  it("fails although the tool did not, and the model does not receive the result", async () => {
    const plugin = definePlugin({
      name: "late",
      async tool(_: Invocation<"tool">, callNext: CallNext) {
        await callNext();
        throw new Error("Not that.");
      },
    });
    expect((await asked([plugin], { execute: async () => "7" })).told).toEqual({ type: "text", text: standard });
  });

  it("ends the whole run on purpose, with the very error", async () => {
    const stop = new MiddlewareTermination("The budget is spent.");
    const plugin = definePlugin({
      name: "budget",
      async tool() {
        throw stop;
      },
    });
    await expect(asked([plugin], { execute: async () => "never" })).rejects.toBe(stop);
  });

  it("refuses a call, and the model is told so", async () => {
    const plugin = definePlugin({
      name: "refuse",
      async tool() {
        throw new MiddlewareTermination("Not this one.", { scope: "call" });
      },
    });
    const execute = async () => "never";
    expect((await asked([plugin], { execute })).told).toEqual({ type: "text", text: "Not this one." });
    const errorFunction = () => "It was refused.";
    expect((await asked([plugin], { execute, errorFunction })).told).toEqual({ type: "text", text: "It was refused." });
    await expect(asked([plugin], { execute, errorFunction: null })).rejects.toThrow("Not this one.");
  });

  it("cannot suspend a tool that runs here: the run ends, and says why", async () => {
    const plugin = definePlugin({
      name: "wait",
      async tool(invocation: Invocation<"tool">) {
        invocation.respond({ suspended: [] });
      },
    });
    const run = asked([plugin], { execute: async () => "never" });
    await expect(run).rejects.toMatchObject({ error: { code: "ERR_OPENAI_AGENTS_UNSUPPORTED" } });
  });
});

it("tools of MCP servers go through the layers, and one that fails is failed", async () => {
  const { plugin, ends } = watch();
  const inputSchema = { type: "object" as const, properties: {}, required: [], additionalProperties: false };
  const server = {
    ...{ name: "files", cacheToolsList: false, connect: async () => {}, close: async () => {} },
    invalidateToolsCache: async () => {},
    listTools: async () => ["read", "drop"].map((name) => ({ name, description: "", inputSchema })),
    async callTool(name: string) {
      if (name === "drop") throw boom;
      return [{ type: "text", text: "content" }];
    },
  } as unknown as agents.MCPServer;
  const { model, asked } = scripted([called("read"), called("drop")], [said("Done.")]);
  await withPlugins(agents, [plugin]).run(new agents.Agent({ name: "desk", model, mcpServers: [server] }), "Hi");
  expect(ends.map(({ status }) => status).sort()).toEqual(["completed", "failed"]);
  expect(JSON.stringify(asked[1]?.input)).toContain("content");
});

it("tools of plugins are offered beside the agent's own, and run through the layers", async () => {
  const { plugin, ends } = watch();
  const offering = definePlugin({
    name: "clock",
    tools: () => [{ name: "clock", parameters: { type: "object", properties: {} }, execute: () => "noon" }],
  });
  const { model, asked } = scripted([called("clock")], [said("It is noon.")]);
  const agent = new agents.Agent({ name: "desk", model });
  expect((await withPlugins(agents, [plugin, offering]).run(agent, "Hi")).finalOutput).toBe("It is noon.");
  expect(asked[0]?.tools).toEqual([expect.objectContaining({ name: "clock" })]);
  expect(JSON.stringify(asked[1]?.input)).toContain("noon");
  expect(ends).toEqual([expect.objectContaining({ status: "completed", final: "noon" })]);
});

it("a tool stays the same object, and is called as ever outside of a run with plugins", async () => {
  const { plugin, ends } = watch();
  const tool = agents.tool({ name: "look", description: "", parameters, execute: async () => "7" });
  const { model } = scripted([called("look", { of: "it" })], [said("7.")]);
  await withPlugins(agents, [plugin]).run(new agents.Agent({ name: "desk", model, tools: [tool] }), "Hi");
  expect(await tool.invoke(new agents.RunContext(), '{"of":"it"}')).toBe("7");
  expect(ends).toHaveLength(1);
});

describe("the content of a tool's result", () => {
  const image = { type: "blob", modality: "image", mimeType: "image/png", content: "iVBORw0KGgo=" } as const;
  const pieces = [
    { type: "input_text", text: "Seen:" },
    { type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=" },
    {
      type: "input_file",
      file: "data:application/pdf;base64,JVBERi0=",
      filename: "document",
    },
    { type: "input_image", image: "https://example.org/a.png" },
  ];
  const content = toolContent([
    "Seen:",
    image,
    { type: "blob", modality: "document", mimeType: "application/pdf", content: "JVBERi0=" },
    { type: "uri", modality: "image", uri: "https://example.org/a.png" },
  ]);
  const idle = definePlugin({ name: "idle", tool: (_, next) => next() });
  const nothing = definePlugin({ name: "nothing", model: (_, next) => next() });

  it.each([
    ["with layers round the tool", idle],
    ["with none", nothing],
  ])("is the SDK's own content, %s", async (_, plugin) => {
    const { told } = await asked([plugin], { execute: async () => content });
    expect(told).toMatchObject(pieces);
  });

  it("of a tool that a plugin offers is so, too", async () => {
    const eyes = definePlugin({ name: "eyes", tools: () => [{ name: "look", execute: () => content }] });
    const { model, asked } = scripted([called("look", { of: "it" })], [said("Done.")]);
    await withPlugins(agents, [eyes]).run(new agents.Agent({ name: "desk", model }), "Hi");
    const input = asked[1]?.input as readonly agents.AgentInputItem[];
    expect(input.find(({ type }) => type === "function_call_result")).toMatchObject({ output: pieces });
  });

  it("in a history that a layer puts in front is so, too", async () => {
    const kept = [
      message("assistant", [toolCall("c0", "look", {})]),
      message("tool", [toolCallResponse("c0", content)]),
    ];
    const goesOn = definePlugin({
      name: "goes-on",
      async model(invocation: Invocation<"model">, callNext: CallNext) {
        const { request } = invocation;
        invocation.request = { ...request, messages: [...kept, ...request.messages] };
        await callNext();
      },
    });
    const { model, asked } = scripted([said("Done.")]);
    await withPlugins(agents, [goesOn]).run(new agents.Agent({ name: "desk", model }), "Hi");
    const input = asked[0]?.input as readonly agents.AgentInputItem[];
    const result = input.find(({ type }) => type === "function_call_result") as agents.FunctionCallResultItem;
    expect(result.output).toMatchObject([pieces[0], pieces[1], { type: "input_file" }, pieces[3]]);
  });

  it("is checked by a guard if it is the SDK's content, and its image passes unchanged", async () => {
    const own = [
      { type: "text", text: "Of ada@mail.example!" },
      { type: "image", image: "data:image/png;base64,iVBORw0KGgo=" },
    ];
    const { told } = await asked([redacting()], { execute: async () => own });
    expect(told).toMatchObject([{ type: "input_text", text: "Of [EMAIL]!" }, pieces[1] as object]);
  });
});
