import { expect, it } from "@jest/globals";
import { type AgentTool, createAgent, defineTool } from "@suite/agent";
import { definePlugin } from "@suite/core";
import type { MemoryRecord, MemoryRequest, MemoryResult } from "@suite/core/contract";
import { found, text, watched } from "../../../integration-tests/watched.js";
import { call, scripted } from "./support.js";

const apply = { output: true, toolArguments: true, toolResults: true, memory: true, errors: true };
const parameters = { type: "object", additionalProperties: true } as const;

/** Notes of an agent: what they were asked, and tools that find, keep and forget them. */
function notes() {
  const asked: unknown[] = [];
  const store = "notes";
  const recall = defineTool({
    name: "recall",
    parameters,
    memory: { operation: "search_memory", store, limit: 3 },
    execute(input): readonly MemoryRecord[] {
      asked.push(input);
      return [{ id: "n1", content: text, metadata: { [text]: { by: text } } }];
    },
  });
  const changes = (name: string, operation: "create_memory" | "delete_memory", result: unknown) =>
    defineTool({
      name,
      parameters,
      memory: { operation, store },
      execute(input) {
        asked.push(input);
        return result;
      },
    });
  const note = changes("note", "create_memory", "Noted.");
  const forget = changes("forget", "delete_memory", 1);
  return { asked, tools: [recall, note, forget] };
}

const answers = [
  [call("1", "recall", { query: text })],
  [call("2", "note", { content: text, metadata: { of: text } })],
  [call("3", "forget", { id: "n1" })],
  text,
];

it.each(["run", "stream"] as const)(
  "tools that declare memory give no personal data away (%s), in queries, records, spans and log",
  async (mode) => {
    const watch = watched({ apply });
    const { asked, tools } = notes();
    const model = scripted(...answers);
    const agent = createAgent({ name: "desk", model, tools, plugins: watch.plugins });
    const done = mode === "run" ? await agent.run(text) : await agent.stream(text).result;
    const tree = watch.tree();
    const { spans, records } = await watch.written();
    for (const told of [asked, model.asked, done.status === "completed" && done.text, spans, records]) {
      expect(found(told)).toEqual([]);
    }
    expect(JSON.stringify(asked)).toContain("[REDACTED_EMAIL]");
    expect(asked.at(-1)).toEqual({ id: "n1" });
    expect(tree.filter((name) => !name.includes("chat"))).toEqual([
      "invoke_agent desk",
      "  execute_tool recall",
      "    search_memory",
      "  execute_tool note",
      "    create_memory",
      "  execute_tool forget",
      "    delete_memory",
    ]);
    const operations = records.map((record) => JSON.parse(record)).filter(({ type }) => type === "memory");
    expect(operations.map(({ operation, stage, target }) => [operation, stage, target])).toEqual([
      ["search_memory", "intent", { name: "notes" }],
      ["search_memory", "outcome", { name: "notes" }],
      ["create_memory", "intent", { name: "notes" }],
      ["create_memory", "outcome", { name: "notes" }],
      ["delete_memory", "intent", { name: "notes", id: "n1" }],
      ["delete_memory", "outcome", { name: "notes", id: "n1" }],
    ]);
  },
);

it.each(["run", "stream"] as const)(
  "a plugin's own memory gives no personal data away (%s): searched before the reply, written after it",
  async (mode) => {
    const watch = watched({ apply });
    const asked: MemoryRequest[] = [];
    const carryOut = (request: MemoryRequest): MemoryResult => {
      asked.push(request);
      return request.operation === "search_memory" ? { records: [{ id: "n1", content: text }] } : { count: 1 };
    };
    const remembering = definePlugin({
      name: "remembering",
      async agent(invocation, callNext) {
        const { runtime, request, call: parent } = invocation;
        const { records } = await runtime.memory({ operation: "search_memory", query: text }, carryOut, { parent });
        invocation.request = {
          messages: [...request.messages, { role: "user", parts: [{ type: "native", value: records }] }],
        };
        await callNext();
        invocation.pipe({
          async flush() {
            await runtime.memory({ operation: "upsert_memory", records: [{ id: "n1", content: text }] }, carryOut, {
              parent,
            });
            await runtime.memory({ operation: "delete_memory", ids: ["n2"] }, carryOut, { parent });
          },
        });
      },
    });
    const model = scripted("Hello.");
    const agent = createAgent({ name: "desk", model, plugins: [...watch.plugins, remembering] });
    const done = mode === "run" ? await agent.run("Hi.") : await agent.stream("Hi.").result;
    expect(done).toMatchObject({ status: "completed", text: "Hello." });
    const tree = watch.tree();
    const { spans, records } = await watch.written();
    for (const told of [asked, model.asked, spans, records]) expect(found(told)).toEqual([]);
    expect(asked.map(({ operation }) => operation)).toEqual(["search_memory", "upsert_memory", "delete_memory"]);
    expect(tree.sort()).toEqual([
      "  chat scripted-1",
      "  delete_memory",
      "  search_memory",
      "  upsert_memory",
      "invoke_agent desk",
    ]);
  },
);

/** The inputs that a tool is given, and the answer that the model is told, where layers change its request and its result. */
async function changed(
  tool: Omit<AgentTool, "name">,
  input: unknown,
  plugins: Parameters<typeof createAgent>[0]["plugins"] = [],
) {
  const inputs: unknown[] = [];
  const model = scripted([call("1", "it", input)].flat(), "done");
  const execute = (given: unknown): unknown => {
    inputs.push(given);
    return tool.execute?.(given, undefined as never, undefined as never);
  };
  await createAgent({ name: "a", model, tools: [{ name: "it", ...tool, execute } as AgentTool], plugins }).run("x");
  return { inputs, told: model.asked[1]?.messages.at(-1)?.parts[0] };
}

const other = definePlugin({
  name: "other",
  async memory(invocation, callNext) {
    const { limit, query, ids, records } = invocation.request;
    invocation.request = {
      ...invocation.request,
      ...(query !== undefined && { query: `${query}!` }),
      ...(limit !== undefined && { limit: 1 }),
      ...(ids && { ids: ids.map((id) => `${id}!`) }),
      ...(records && { records: records.map(({ content, ...rest }) => ({ ...rest, content: `${content}!` })) }),
    };
    await callNext();
    invocation.pipe({
      chunk: (value, emit) =>
        emit({
          ...value,
          ...(value.records && { records: value.records.map((record) => ({ ...record, content: "made" })) }),
        }),
    });
  },
});

it.each([
  ["search_memory", { query: "a", limit: 5 }, { query: "a!", limit: 1 }],
  ["search_memory", { query: "a", more: true }, { query: "a!", more: true }],
  ["delete_memory", { id: "a" }, { id: "a!" }],
  ["delete_memory", { ids: ["a", "b"] }, { ids: ["a!", "b!"] }],
  ["create_memory", { content: "a", metadata: { b: 1 } }, { content: "a!", metadata: { b: 1 } }],
  [
    "upsert_memory",
    { records: [{ content: "a" }, { id: "b", content: "c" }] },
    { records: [{ content: "a!" }, { id: "b", content: "c!" }] },
  ],
  ["delete_memory_store", { sure: true }, { sure: true }],
] as const)("%s runs with what layers made of %j", async (operation, input, wanted) => {
  const { inputs } = await changed({ memory: { operation, limit: 9 }, execute: () => [] }, input, [other]);
  expect(inputs).toEqual([wanted]);
});

it.each([
  ["a list of records", [{ content: "a" }], [{ content: "made" }]],
  ["one record", { id: "1", content: "a" }, { id: "1", content: "made" }],
  ["anything else", "Noted.", "Noted."],
])("a tool that writes returns %s, and the model receives the value after the layers", async (_, result, wanted) => {
  const { told } = await changed({ memory: { operation: "create_memory" }, execute: () => result }, { content: "a" }, [
    other,
  ]);
  expect(told).toMatchObject({ response: wanted });
});

it("a layer that answers in its place is what the model is told", async () => {
  const cache = definePlugin({
    name: "cache",
    memory: async (invocation) => invocation.respond({ value: { records: [{ content: "kept" }] } }),
  });
  const { told, inputs } = await changed({ memory: { operation: "search_memory" } }, { query: "a" }, [cache]);
  expect(inputs).toEqual([]);
  expect(told).toMatchObject({ response: [{ content: "kept" }] });
});

it.each([
  ["search_memory", {}, [], "query"],
  ["search_memory", { query: "a" }, "text", "list of records"],
  ["search_memory", { query: "a" }, ["text"], "list of records"],
  ["delete_memory", {}, [], "`id`"],
  ["delete_memory", { ids: [1] }, [], "`id`"],
  ["update_memory", { id: "a" }, [], "`content`"],
  ["update_memory", { records: ["a"] }, [], "`content`"],
] as const)("%s of %j that returns %j fails with the reason", async (operation, input, result, why) => {
  const { told } = await changed({ memory: { operation }, execute: () => result }, input);
  expect(told).toMatchObject({ isError: true, response: expect.stringContaining(why) });
});
