import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { withPlugins } from "../src/index.js";
import { type Api, apis, runnerOf, useServer } from "./support.js";
import { found, text, watched } from "./watched.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const fixture = useServer();

const look = (id: string) => ({ id, name: "look", arguments: { of: text } });
const answers = [
  { text: `I look. ${text}`, toolCalls: [look("call_1"), { ...look("call_2"), name: "fail" }], chunks: 7 },
  { toolCalls: [{ id: "call_3", name: "research", arguments: { input: text } }], chunks: 9 },
  { toolCalls: [look("call_4")], chunks: "characters" as const },
  { text, chunks: 5 },
  { toolCalls: [{ id: "call_5", name: "transfer_to_closer", arguments: {} }] },
  { reasoning: text, text, chunks: "characters" as const },
];
const parameters = {
  type: "object" as const,
  properties: { of: { type: "string" as const } },
  required: ["of"],
  additionalProperties: false as const,
};

/** An agent with tools that run at the same time, one that fails, another agent as a tool, and one that it hands over to. */
function deskOf({ tool }: typeof agents, told: unknown[]) {
  const reached: unknown[] = [];
  const instructions = `Be kind. ${text}`;
  const takes = (name: string, give: () => unknown) =>
    tool({
      name,
      description: name,
      parameters,
      execute: async (input: unknown) => {
        reached.push(input);
        return give();
      },
      // What the model is told of an error is in the tool's hands.
      ...(name === "fail" && { errorFunction: (_: unknown, error: unknown) => `It failed: ${String(error)}` }),
    });
  const lookTool = takes("look", () => ({ people: [{ said: text }] }));
  const failing = takes("fail", () => {
    throw new Error(text);
  });
  const researcher = new agents.Agent({ name: "researcher", instructions, tools: [lookTool] });
  const closer = new agents.Agent({ name: "closer", instructions });
  const research = researcher.asTool({ toolName: "research", toolDescription: "research" });
  const desk = new agents.Agent({
    name: "desk",
    instructions,
    tools: [lookTool, failing, research],
    handoffs: [closer],
  });
  for (const agent of [desk, researcher, closer]) {
    agent.on("agent_tool_start", (_, __, { toolCall }) => void told.push(toolCall));
    agent.on("agent_tool_end", (_, __, result) => void told.push(result));
    agent.on("agent_end", (_, output) => void told.push(output));
  }
  return { desk, reached };
}

interface Result {
  readonly finalOutput?: unknown;
  readonly output: unknown;
  readonly newItems: unknown;
  readonly rawResponses: unknown;
  readonly state: { toString(): string };
}

/** All that a result tells, but for what the user gave in. */
function toldBy(result: Result): unknown {
  const { finalOutput, output, newItems, rawResponses } = result;
  const { originalInput: _, ...state } = JSON.parse(result.state.toString());
  return { finalOutput, output, newItems, rawResponses, state };
}

/** Each way into the SDK, as a user goes it, and all that the user is given. */
const entries = {
  async run(runner: agents.Runner, desk: agents.Agent, options: object) {
    return toldBy(await runner.run(desk, `Hello. ${text}`, options));
  },
  async "a streamed run"(runner: agents.Runner, desk: agents.Agent, options: object) {
    const result = await runner.run(desk, `Hello. ${text}`, { ...options, stream: true });
    const events: unknown[] = [];
    let joined = "";
    for await (const event of result) {
      events.push(event);
      if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta")
        joined += event.data.delta;
    }
    await result.completed;
    // What is split between two pieces is together in what they add up to.
    return { events, joined, ...(toldBy(result) as object) };
  },
  async "a text stream"(runner: agents.Runner, desk: agents.Agent, options: object) {
    const result = await runner.run(desk, `Hello. ${text}`, { ...options, stream: true });
    const pieces: string[] = [];
    for await (const piece of result.toTextStream() as unknown as AsyncIterable<string>) pieces.push(piece);
    return { joined: pieces.join(""), ...(toldBy(result) as object) };
  },
};
type Entry = (typeof entries)["run"];

async function swept(entry: Entry, api: Api, order: number) {
  fixture.server.reset();
  fixture.server.script(...answers);
  const watch = watched(order);
  const module = withPlugins(agents, watch.plugins);
  const told: unknown[] = [];
  const { desk, reached } = deskOf(module, told);
  const session = new agents.MemorySession();
  const seen = await entry(runnerOf(module, fixture.server, api), desk, { session });
  const kept = (await session.getItems()).filter((item) => !("role" in item) || item.role !== "user");
  return { seen, told, kept, reached, sent: fixture.prompts, tree: watch.tree(), ...(await watch.written()) };
}

const cases = apis.flatMap((api) =>
  Object.entries(entries).map(([name, entry], order) => [`${name} over ${api}`, entry, api, order] as const),
);

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(cases)("around %s, with tools, an agent as a tool, and a handoff", async (_, entry, api, order) => {
    const { seen, told, kept, reached, sent, spans, records, tree } = await swept(entry, api, order);
    expect(found(sent)).toEqual([]);
    expect(found(reached)).toEqual([]);
    expect(found(seen)).toEqual([]);
    expect(found(told)).toEqual([]);
    expect(found(kept)).toEqual([]);
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
    expect(reached).toHaveLength(3);
    expect(sent).toHaveLength(6);
    expect(sent[1]).toContain("It failed: Error: Of [REDACTED_EMAIL]");
    expect(JSON.stringify(seen)).toContain("[REDACTED_EMAIL]");
    expect(told.length).toBeGreaterThan(5);
    expect(records.length).toBeGreaterThan(10);
    // Of tools that run at the same time, either may begin first.
    expect(tree.sort()).toEqual([
      "      chat gpt-5",
      "      chat gpt-5",
      "      execute_tool look",
      "    invoke_agent researcher",
      "  chat gpt-5",
      "  chat gpt-5",
      "  chat gpt-5",
      "  chat gpt-5",
      "  execute_tool fail",
      "  execute_tool look",
      "  execute_tool research",
      "invoke_agent desk",
    ]);
  });

  it.each(apis)("in a run that waits for an approval, and in its state, over %s", async (api) => {
    fixture.server.reset();
    fixture.server.script({ toolCalls: [look("call_1")], chunks: 9 }, { text, chunks: 7 });
    const watch = watched();
    const module = withPlugins(agents, watch.plugins);
    const runner = runnerOf(module, fixture.server, api);
    const reached: unknown[] = [];
    const execute = async (input: unknown) => `${reached.push(input)} ${text}`;
    const tool = module.tool({ name: "look", description: "", parameters, needsApproval: true, execute });
    const desk = new agents.Agent({ name: "desk", tools: [tool] });
    const first = await runner.run(desk, "Hi");
    expect(found([first.interruptions, first.state.toString()])).toEqual([]);
    const state = await agents.RunState.fromString(desk, first.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    const last = await runner.run(desk, state);
    expect(found([toldBy(last), reached, fixture.prompts])).toEqual([]);
    expect(reached).toHaveLength(1);
    const { spans, records } = await watch.written();
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
  });

  it.each(apis)("in a structured answer over %s", async (api) => {
    for (const stream of [false, true]) {
      fixture.server.reset();
      fixture.server.script({ text: JSON.stringify({ of: text }), chunks: 7 });
      const watch = watched();
      const runner = runnerOf(withPlugins(agents, watch.plugins), fixture.server, api);
      const outputType = { type: "json_schema", name: "answer", strict: true, schema: parameters } as const;
      const agent = new agents.Agent({ name: "desk", outputType });
      const result = stream ? await runner.run(agent, "Hi", { stream }) : await runner.run(agent, "Hi");
      if (result instanceof agents.StreamedRunResult) await result.completed;
      expect(found(toldBy(result))).toEqual([]);
      expect(result.finalOutput).toEqual({ of: expect.stringContaining("[REDACTED_EMAIL]") });
      const { spans, records } = await watch.written();
      expect(found(spans)).toEqual([]);
      expect(found(records)).toEqual([]);
    }
  });

  it.each(apis)("in what a model's provider refuses over %s", async (api) => {
    fixture.server.reset();
    fixture.server.script({ fault: { status: 400, message: text } });
    const watch = watched();
    const runner = runnerOf(withPlugins(agents, watch.plugins), fixture.server, api);
    const error: unknown = await runner.run(new agents.Agent({ name: "desk" }), "Hi").catch((caught) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(found(error)).toEqual([]);
    const { spans, records } = await watch.written();
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
  });
});

it("without pii they are found, so that the search is one", async () => {
  fixture.server.reset();
  fixture.server.script(...answers);
  const told: unknown[] = [];
  const { desk, reached } = deskOf(agents, told);
  const seen = await entries["a streamed run"](runnerOf(agents, fixture.server, "responses"), desk, {});
  for (const each of [seen, told, reached, fixture.prompts]) expect(found(each)).toHaveLength(10);
});
