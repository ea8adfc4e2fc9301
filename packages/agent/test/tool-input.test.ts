import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type AgentTool, createAgent, defineTool, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai } from "@suite/agent/openai";
import { toolCallsOf } from "@suite/core";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { z } from "zod";
import { call, scripted, shown } from "./support.js";

/** Runs a tool that a model calls with these arguments; tells what ran, and with what, and what the model is told. */
async function runs(tool: Partial<AgentTool>, args: unknown, more: object = {}) {
  const ran: unknown[] = [];
  const execute = (input: unknown) => void ran.push(input);
  const model = scripted([call("1", "probe", args)], "done");
  await createAgent({ name: "a", model, tools: [{ name: "probe", execute, ...tool }], ...more }).run("go");
  return { ran, told: shown(model.asked[1]) };
}

const notJson = expect.stringMatching(/^The arguments of probe are not valid JSON, or were truncated/);
const misfit = (problem: string) => `The arguments of probe do not match its schema. ${problem}`;
const numbers = { type: "object", properties: { a: { type: "number" } }, required: ["a"] } as const;

describe("arguments that are no object", () => {
  it.each<[string, Partial<AgentTool>]>([
    ["nothing", {}],
    ["only parameters", { parameters: { properties: { a: {} } } }],
    ["a schema as input", { input: { type: "object" } }],
    ["a Standard Schema", { input: z.object({}) }],
  ])("do not reach a tool with %s", async (_, tool) => {
    expect(await runs(tool, '{"text": "a long te')).toEqual({ ran: [], told: [notJson] });
    for (const args of [null, [1], 7, true]) {
      const { ran, told } = await runs(tool, args);
      expect([ran, told]).toEqual([[], [expect.stringContaining("do not match its schema")]]);
    }
  });

  it("do not reach a tool of a plugin either", async () => {
    const ran: unknown[] = [];
    const offered = {
      name: "offers",
      tools: () => [{ name: "probe", execute: (input: unknown) => void ran.push(input) }],
    };
    const model = scripted([call("1", "probe", "{")], "done");
    await createAgent({ name: "a", model, plugins: [offered] }).run("go");
    expect([ran, shown(model.asked[1])]).toEqual([[], [notJson]]);
  });

  it("are an empty object where there are none at all", async () => {
    expect((await runs({}, undefined)).ran).toEqual([{}]);
  });

  it("are taken by a schema that asks for them", async () => {
    expect((await runs({ input: z.string() }, "as it is")).ran).toEqual(["as it is"]);
  });
});

describe("parameters alone", () => {
  it("are a schema that is checked", async () => {
    expect((await runs({ parameters: numbers }, { a: 1 })).ran).toEqual([{ a: 1 }]);
    expect(await runs({ parameters: numbers }, { a: "one" })).toEqual({ ran: [], told: [misfit("/a: type")] });
    expect(await runs({ parameters: numbers }, {})).toEqual({ ran: [], told: [misfit("the value: required")] });
  });

  it("are left to the input where there is one", async () => {
    const input = z.object({ a: z.coerce.number() });
    expect((await runs({ parameters: numbers, input }, { a: "1" })).ran).toEqual([{ a: 1 }]);
  });

  it("are checked by expressions that JavaScript takes only without the flag u", async () => {
    const url = { type: "string", pattern: "^https\\:\\/\\/[\\w-.]+$" };
    const parameters = { type: "object", properties: { url }, patternProperties: { "^x\\-": { type: "number" } } };
    const good = { url: "https://a-b.de", "x-n": 1 };
    expect((await runs({ parameters }, good)).ran).toEqual([good]);
    const { ran, told } = await runs({ parameters }, { url: "http://a.de", "x-n": "1" });
    expect([ran, told]).toEqual([[], [misfit("/url: pattern; the value: patternProperties; /x-n: type")]]);
  });

  it("that cannot be checked by refuse the call, and say so", async () => {
    const parameters = { type: "object", properties: { a: { $ref: "#/$defs/missing" } } };
    const { ran, told } = await runs({ parameters }, { a: 1 });
    expect([ran, told]).toEqual([[], ["The schema of probe cannot be used to check arguments. It was not run."]]);
  });
});

describe("arguments that nest without end", () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);

  it("do not end the run, nor stay in its history", async () => {
    const needsApproval = true;
    const gated: AgentTool = defineTool({ name: "gated", needsApproval, execute: () => "ran" });
    const model = scripted([call("1", "probe", nested(5000)), call("2", "gated", nested(5000)), call("3", "gated")]);
    const result = await createAgent({
      name: "a",
      model,
      tools: [{ name: "probe", execute: () => "ran" }, gated],
    }).run("go");
    expect(result.status).toBe("suspended");
    expect("pending" in result && result.pending.calls.map(({ id }) => id)).toEqual(["3"]);
    expect(toolCallsOf(result.messages[1] ?? { role: "assistant", parts: [] })[0]?.arguments).toBe(
      "(nested too deeply)",
    );
  });

  it("pass as deep as any tool needs", async () => {
    expect((await runs({}, nested(200))).ran).toHaveLength(1);
  });
});

describe("a call that the token limit cut off", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterEach(() => server.reset());
  afterAll(() => server.close());

  const clients: [string, string, () => Model][] = [
    ["openai", "length", () => openai("m", { apiKey: "none", baseURL: `${server.url}/v1` })],
    ["anthropic", "max_tokens", () => anthropic("m", { apiKey: "none", baseURL: server.url })],
  ];
  for (const [name, finishReason, model] of clients) {
    for (const args of ['{"text": "a long te', ""]) {
      for (const streams of [false, true]) {
        it(`of ${name} runs no tool: ${JSON.stringify(args)}, ${streams ? "streamed" : "plain"}`, async () => {
          const ran: unknown[] = [];
          server.script({ toolCalls: [{ id: "1", name: "probe", arguments: args }], finishReason }, { text: "done" });
          const tools = [{ name: "probe", execute: (input: unknown) => void ran.push(input) }];
          const agent = createAgent({ name: "a", model: model(), tools });
          const result = streams ? await agent.stream("go").result : await agent.run("go");
          expect([ran, result.status]).toEqual([[], "completed"]);
          expect(result.messages[2]?.parts).toMatchObject([{ isError: true, response: notJson }]);
        });
      }
    }
  }
});
