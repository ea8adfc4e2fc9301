import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type AgentResult, createAgent, defineTool, type InputSchema, type Model } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai } from "@suite/agent/openai";
import { type AnyInvocation, type Invocation, message, type Plugin, type Reply } from "@suite/core";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { z } from "zod";
import { codeOf, scripted } from "./support.js";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterEach(() => server.reset());
afterAll(() => server.close());

const plain = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "array", items: { type: "integer" } } },
  required: ["city", "days"],
  additionalProperties: false,
} as const;
const city = z.object({ city: z.string(), days: z.array(z.number()) });

/**
 * Schemas as libraries of Standard Schema make them: some are functions, some hang hidden members on the JSON Schema that
 * they write.
 */
const asFunction = Object.assign(() => {}, { "~standard": city["~standard"] }) as unknown as typeof city;
const hidden = z.toJSONSchema(city) as unknown as typeof city;

const schemas: readonly (readonly [string, InputSchema])[] = [
  ["Zod", city],
  ["a schema that is a function", asFunction],
  ["JSON Schema", plain],
  ["JSON Schema by Zod", hidden],
];
const clients: readonly (readonly [string, () => Model])[] = [
  ["openai", () => openai("m", { apiKey: "none", baseURL: `${server.url}/v1` })],
  ["anthropic", () => anthropic("m", { apiKey: "none", baseURL: server.url })],
];

const part = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
/** A library that writes intersections as such. */
const intersection = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ allOf: [part("b"), part("c")] }) },
  },
} as InputSchema;

interface Sent {
  readonly response_format?: { readonly json_schema: { readonly schema: object; readonly strict: boolean } };
  readonly output_config?: { readonly format: { readonly schema: object } };
}
const sent = (): Sent => server.requests.at(-1)?.body as Sent;
const sentSchema = () => sent().response_format?.json_schema.schema ?? sent().output_config?.format.schema;

describe.each(clients)("an output schema, with %s", (_, model) => {
  it.each(schemas)("of %s is asked for, closed, and gives the output", async (_, outputSchema) => {
    server.script({ text: '{"city":"Köln","days":[1,2]}' });
    const result = await createAgent({ name: "a", model: model(), outputSchema }).run("go");
    expect(result).toMatchObject({ status: "completed", output: { city: "Köln", days: [1, 2] } });
    expect(sentSchema()).toMatchObject({
      type: "object",
      properties: { city: { type: "string" }, days: { type: "array" } },
      required: ["city", "days"],
      additionalProperties: false,
    });
  });

  it.each(schemas)("of a tool may be %s", async (_, input) => {
    server.script({ toolCalls: [{ name: "look", arguments: { city: "Bonn", days: [] } }] }, { text: "done" });
    const ran: unknown[] = [];
    const look = defineTool({ name: "look", input, execute: (given) => void ran.push(given) });
    await createAgent({ name: "a", model: model(), tools: [look] }).run("go");
    expect(ran).toEqual([{ city: "Bonn", days: [] }]);
  });
});

describe("what OpenAI is asked for strictly", () => {
  const asked = async (outputSchema: InputSchema) => {
    server.script({ text: "{}" });
    const model = openai("m", { apiKey: "none", baseURL: `${server.url}/v1` });
    await codeOf(createAgent({ name: "a", model, outputSchema }).run("go"));
    return sent().response_format?.json_schema;
  };

  it("is a schema whose objects are closed and require all they name", async () => {
    const inner = z.object({ default: z.enum(["a", "b"]), required: z.literal(1).nullable() });
    expect(await asked(z.object({ list: z.array(inner), either: z.union([inner, z.string()]) }))).toMatchObject({
      strict: true,
      schema: { properties: { list: { items: { additionalProperties: false } } } },
    });
    expect(await asked(plain)).toEqual({ name: "output", schema: plain, strict: true });
  });

  it.each<[string, InputSchema]>([
    ["an optional property", z.object({ a: z.string().optional() })],
    ["a default", z.object({ a: z.string().default("x") })],
    ["an open object", z.looseObject({ a: z.string() })],
    ["a record", z.object({ a: z.record(z.string(), z.string()) })],
    ["an intersection", intersection],
    ["an object of JSON Schema that is not closed", { type: "object", properties: { a: {} }, required: ["a"] }],
    ["a definition that is open", { ...plain, $defs: { a: { type: "object", properties: {} } } }],
  ])("is none with %s", async (_, schema) => {
    expect((await asked(schema))?.strict).toBe(false);
  });

  it("leaves the parts of an intersection open, which would exclude each other", async () => {
    expect(JSON.stringify((await asked(intersection))?.schema)).not.toContain("additionalProperties");
  });
});

describe("what Anthropic does not check", () => {
  it("is said in the description, and checked by the agent", async () => {
    server.script({ text: '{"n":0}' });
    const model = anthropic("m", { apiKey: "none", baseURL: server.url });
    const outputSchema = z.object({ n: z.int().min(1) });
    expect(await codeOf(createAgent({ name: "a", model, outputSchema }).run("go"))).toBe("ERR_AGENT_OUTPUT_INVALID");
    const n = { type: "integer", description: expect.stringContaining("minimum: 1") };
    expect(sentSchema()).toEqual({ type: "object", properties: { n }, required: ["n"], additionalProperties: false });
  });
});

describe("an answer that a layer gives in the model's place", () => {
  const refusal: Reply = { message: message("assistant", "I may not say that."), finishReason: "content_filter" };
  const guards = (["agent", "reasoning", "model"] as const).flatMap((kind) =>
    [false, true].map((after) => {
      const guard = async (invocation: AnyInvocation, callNext: () => Promise<void>): Promise<void> => {
        if (after) {
          await callNext();
          await invocation.result?.final();
        }
        (invocation as Invocation<"model">).respond({ value: refusal });
      };
      return [kind, after ? "after it" : "before it", { name: "guard", [kind]: guard } as Plugin] as const;
    }),
  );

  for (const [kind, when, guard] of guards) {
    it.each([false, true])(`is no failure, and no output: ${kind}, ${when}, streamed %s`, async (streamed) => {
      const model = scripted('{"city":"Köln","days":[1]}');
      const agent = createAgent({ name: "a", model, outputSchema: city, plugins: [guard] });
      const result = streamed ? await agent.stream("go").result : await agent.run("go");
      expect(result).toMatchObject({ status: "completed", text: "I may not say that." });
      expect(result).not.toHaveProperty("output");
    });
  }

  it("is the output where it fits, and the model's own that does not fit is still refused", async () => {
    const cached: Plugin = {
      name: "cache",
      async model(invocation) {
        invocation.respond({ value: { message: message("assistant", '{"city":"Bonn","days":[]}') } });
      },
    };
    const agent = createAgent({ name: "a", model: scripted(), outputSchema: city, plugins: [cached] });
    expect(await agent.run("go")).toMatchObject({ output: { city: "Bonn", days: [] } });
    const idle: Plugin = { name: "idle", model: async (_, callNext) => callNext() };
    for (const said of ["three", '{"city":1}']) {
      const own = createAgent({ name: "a", model: scripted(said, said), outputSchema: city, plugins: [idle] });
      expect(await codeOf(own.run("go"))).toBe("ERR_AGENT_OUTPUT_INVALID");
      expect(await codeOf(own.stream("go").result)).toBe("ERR_AGENT_OUTPUT_INVALID");
    }
  });
});

describe("an answer that does not fit", () => {
  it.each(["three", '{"city":1}'])(
    "has failed for the layers, and is streamed to its end as it came: %s",
    async (said) => {
      const ended: unknown[] = [];
      const watch: Plugin = {
        name: "watch",
        async agent(invocation, callNext) {
          await callNext();
          invocation.pipe({ settle: (settlement) => void ended.push(settlement) });
        },
      };
      const agent = createAgent({ name: "a", model: scripted(said, said), outputSchema: city, plugins: [watch] });
      const error = await agent.run("go").catch((thrown: unknown) => thrown);
      const stream = agent.stream("go");
      let read = "";
      for await (const piece of stream.text()) read += piece;
      expect(read).toBe(said);
      expect(await codeOf(stream.result)).toBe("ERR_AGENT_OUTPUT_INVALID");
      expect(ended).toEqual([
        { status: "failed", error },
        { status: "failed", error: expect.objectContaining({ code: "ERR_AGENT_OUTPUT_INVALID" }) },
      ]);
    },
  );
});

describe("the type of the output", () => {
  it("is the schema's", async () => {
    const agent = createAgent({ name: "a", model: scripted('{"city":"Köln","days":[1]}'), outputSchema: city });
    const result = await agent.withPlugins([]).run("go");
    if (result.status !== "completed") throw new Error("it waits");
    const days: readonly number[] | undefined = result.output?.days;
    // @ts-expect-error days are numbers
    const wrong: readonly string[] | undefined = result.output?.days;
    expect([days, wrong]).toEqual([[1], [1]]);
    const streamed: Promise<AgentResult<{ city: string; days: number[] }>> = agent.stream("go").result;
    expect(await codeOf(streamed)).toBeInstanceOf(Error); // the script is over
  });

  it("is unknown with JSON Schema, and without any", async () => {
    for (const agent of [
      createAgent({ name: "a", model: scripted('{"city":"Köln","days":[]}'), outputSchema: plain }),
      createAgent({ name: "a", model: scripted("x") }),
    ]) {
      const result = await agent.run("go");
      // @ts-expect-error nothing is known of it
      if (result.status === "completed") expect(result.output?.days).toEqual(result.text === "x" ? undefined : []);
    }
  });
});
