import { describe, expect, it } from "@jest/globals";
import type { Delta, Plugin, Reply } from "@suite/core";
import { MiddlewareTermination, message, toolCall, toolCallsOf } from "@suite/core";
import type { AskRequest } from "@suite/core/contract";
import { type RepairToolCallOptions, repairToolCall } from "@suite/resilience";
import fc from "fast-check";
import { Rig, type Scripted } from "./support.js";

const parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"] } as const;
const tools = [{ name: "add", parameters }, { name: "free" }];
const calls = (args: unknown, name = "add"): Reply => ({ message: message("assistant", [toolCall("1", name, args)]) });
const streamed = (json: string): readonly Delta[] => [
  { type: "part", at: "0", part: { type: "text", content: "well" } },
  { type: "part", at: "1", part: toolCall("1", "add", {}) },
  ...(json.match(/[\s\S]{1,3}/g) ?? []).map((piece): Delta => ({ type: "arguments", at: "1", json: piece })),
  { type: "finish", finishReason: "tool_call" },
];

/** Asks once. Each further question is a plugin's, and answered in turn. */
async function ask(first: Scripted, again: readonly (Reply | Error)[] = [], options: RepairToolCallOptions = {}) {
  const rig = new Rig([repairToolCall(options)], [first]);
  const asks: { request: AskRequest; purpose: string }[] = [];
  const left = [...again];
  rig.run.ask = async (request, { purpose }) => {
    asks.push({ request, purpose });
    const next = left.shift() ?? calls("still broken");
    if (next instanceof Error) throw next;
    return next;
  };
  const outcome = await rig.ask({ tools });
  const deltas: Delta[] = [];
  for await (const delta of outcome) deltas.push(delta);
  const args = toolCallsOf((await outcome.final()).message).map((call) => call.arguments);
  return { args, asks, deltas, rig };
}

describe("repairToolCall", () => {
  const broken: readonly (readonly [string, Scripted])[] = [
    ["no JSON", calls('{"a":')],
    ["no JSON, streamed", streamed('{"a":')],
    ["what the schema refuses", calls({ a: "one" })],
    ["what the schema refuses, streamed", streamed('{"a":"one"}')],
    ["nothing, streamed", streamed("")],
  ];
  it.each(broken)("asks the model for the call again, where the arguments are %s", async (_, first) => {
    const { args, asks, rig } = await ask(first, [calls({ a: 1 })]);
    expect(args).toEqual([{ a: 1 }]);
    expect(asks).toEqual([
      {
        purpose: "repair_tool_call",
        request: { messages: expect.any(Array), tools: [tools[0]], toolChoice: { name: "add" } },
      },
    ]);
    expect(JSON.stringify(asks[0]?.request.messages)).toContain("Call add again");
    expect(rig.told).toEqual([
      expect.objectContaining({ decision: "repaired", place: "add", details: { attempts: 1 } }),
    ]);
  });

  it("asks for a tool of the agent by the schema that its arguments are checked by", async () => {
    const input = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) =>
          (value as { a: number }).a > 0 ? { value } : { issues: [{ message: "is not positive", path: ["a"] }] },
      },
    };
    const rig = new Rig([repairToolCall()], [calls({ a: -1 })]);
    const asked: string[] = [];
    rig.run.ask = async ({ messages }) => {
      asked.push(JSON.stringify(messages.at(-1)));
      return calls({ a: 1 });
    };
    const outcome = await rig.ask({ tools: [Object.assign({ name: "add", parameters }, { input })] });
    expect(toolCallsOf((await outcome.final()).message)[0]?.arguments).toEqual({ a: 1 });
    expect(asked[0]).toContain("/a: is not positive");
  });

  it("asks so many times, and then lets the call pass as it came", async () => {
    const { args, asks, rig } = await ask(calls('{"a":'), [], { maxAttempts: 3 });
    expect(asks).toHaveLength(3);
    expect(args).toEqual(['{"a":']);
    expect(rig.decisions).toEqual(["not_repaired"]);
  });

  it("lets the call pass if no model is available or the repair fails, and ends a terminated run", async () => {
    expect((await ask(calls({}), [new Error("503")])).args).toEqual([{}]);
    const alone = new Rig([repairToolCall()], [calls({})]);
    expect(toolCallsOf((await (await alone.ask({ tools })).final()).message)).toHaveLength(1);
    await expect(ask(calls({}), [new MiddlewareTermination("The budget is spent.")])).rejects.toThrow("budget");
  });

  it("takes the arguments that a function gives, if they fit", async () => {
    const given: unknown[] = [];
    const repair: RepairToolCallOptions["repair"] = (call) => {
      given.push([call.tool.name, call.arguments, call.problem, call.attempt]);
      return call.attempt === 1 ? { a: "two" } : { a: 2 };
    };
    const { args, asks } = await ask(calls('{"a":'), [], { repair });
    expect(args).toEqual([{ a: 2 }]);
    expect(given).toEqual([
      ["add", '{"a":', "they are not valid JSON, or were truncated", 1],
      ["add", { a: "two" }, expect.stringContaining("/a: type"), 2],
    ]);
    expect(asks).toEqual([]);
    expect((await ask(calls({}), [], { repair: () => undefined })).args).toEqual([{}]);
  });

  it("leaves expressions of a schema to the framework: one may never end", async () => {
    const evil = { type: "string", pattern: "^(a+)+$" };
    const properties = { pattern: evil, a: { type: "number" } };
    const closed = { patternProperties: { "^(b+)+$": evil }, additionalProperties: false, required: ["a"] };
    const rig = new Rig(
      [repairToolCall()],
      [calls({ a: 1, pattern: `${"a".repeat(50)}!`, [`${"b".repeat(50)}!`]: 1 })],
    );
    rig.run.ask = () => Promise.reject(new Error("asked"));
    await (await rig.ask({ tools: [{ name: "add", parameters: { type: "object", properties, ...closed } }] })).final();
    expect(rig.told).toEqual([]);
  });

  it("leaves alone what fits, tools that are not meant or not there, and what plugins ask", async () => {
    for (const reply of [calls({ a: 1 }), calls({ any: 1 }, "free"), calls("?", "none")]) {
      const { args, asks } = await ask(reply);
      expect([args, asks]).toEqual([[toolCallsOf(reply.message)[0]?.arguments], []]);
    }
    expect((await ask(calls({}), [], { tools: ["free"] })).asks).toEqual([]);
    const rig = new Rig([repairToolCall()], [calls({})]);
    rig.run.ask = () => Promise.reject(new Error("asked"));
    await (await rig.ask({ tools, purpose: "summarize" })).final();
    expect(rig.told).toEqual([]);
  });

  it("shows the model no more than the beginning of what it wrote", async () => {
    const { asks } = await ask(calls(`{"a":"${"x".repeat(100_000)}`), [calls({ a: 1 })]);
    expect(JSON.stringify(asks).length).toBeLessThan(6000);
  });

  it("reports the repair that it would request in monitor mode, and makes no request", async () => {
    const { args, asks, rig } = await ask(calls({}), [], { mode: "monitor" });
    expect([args, asks.length]).toEqual([[{}], 0]);
    expect(rig.told).toEqual([expect.objectContaining({ decision: "repair", enforced: false })]);
  });

  it("lets text go out at once, and holds back only what comes with the calls", async () => {
    const rig = new Rig([repairToolCall()], [streamed('{"a":1}')]);
    const seen: string[] = [];
    for await (const delta of await rig.ask({ tools })) seen.push(`${delta.type}`);
    expect(seen).toEqual(["part", "part", "arguments", "arguments", "arguments", "finish"]);
  });

  const piece = fc.constantFrom("text", "call", "broken", "event") as fc.Arbitrary<
    "text" | "call" | "broken" | "event"
  >;
  it("changes no part, no order and no word where all calls fit, however they come", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.boolean(), fc.boolean(), async (kinds, ends, mixed) => {
        const parts = kinds.map((kind, index): Delta[] => partOf(kind, `${index}`, ends));
        const deltas = mixed ? interleaved(parts) : parts.flat();
        const bare = new Rig([], [deltas]);
        const mended = new Rig([repairToolCall({ repair: () => ({ a: 7 }) })], [deltas]);
        const expected = await (await bare.ask({ tools })).final();
        const given = await (await mended.ask({ tools })).final();
        const fixed = expected.message.parts.map((part) =>
          part.type === "tool_call" && typeof part.arguments === "string" ? { ...part, arguments: { a: 7 } } : part,
        );
        expect(given.message.parts).toEqual(fixed);
      }),
    );
  });

  it.each([[{ maxAttempts: 0 }], [{ tools: [] }], [{ tools: () => true }], [{ repair: "ask" }], [{ times: 1 }]])(
    "refuses options that mean nothing: %p",
    (options) => {
      const make = (): Plugin => repairToolCall(options as never);
      expect(make).toThrow(expect.objectContaining({ code: "ERR_RESILIENCE_OPTION" }));
    },
  );
});

function partOf(kind: "text" | "call" | "broken" | "event", at: string, ends: boolean): Delta[] {
  if (kind === "event") return [{ type: "event", name: "e", value: at }];
  const end: Delta[] = ends ? [{ type: "part_end", at }] : [];
  if (kind === "text")
    return ["one", "two"].map((content): Delta => ({ type: "part", at, part: { type: "text", content } })).concat(end);
  const json = kind === "call" ? ['{"a"', ":1}"] : ['{"a"', ":"];
  const args = json.map((each): Delta => ({ type: "arguments", at, json: each }));
  return [{ type: "part", at, part: toolCall(at, "add", {}) }, ...args, ...end];
}

/** The deltas of several parts in turn. */
function interleaved(parts: readonly (readonly Delta[])[]): Delta[] {
  const longest = Math.max(0, ...parts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part[index] ?? [])).flat();
}
