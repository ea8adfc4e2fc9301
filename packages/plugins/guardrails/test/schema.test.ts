import { describe, expect, it } from "@jest/globals";
import { type Delta, type ModelRequest, message, type Plugin, type Reply, textOf, toolCall } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import {
  denyPatterns,
  GuardrailsError,
  moderation,
  parsedOutput,
  type SchemaOptions,
  schema,
  topics,
} from "@suite/guardrails";
import { describePlugin } from "@suite/testkit";
import { z } from "zod";
import { Rig } from "../../limits/test/support.js";

const weather = {
  type: "object",
  required: ["city", "degrees"],
  properties: { city: { type: "string" }, degrees: { type: "number" } },
};
const fits = '{"city":"Köln","degrees":21}';

/** Asks a model that gives these answers, one for each question, streamed by characters or whole. */
async function ask(plugins: Plugin | readonly Plugin[], answers: readonly string[], stream = false) {
  const rig = new Rig([plugins].flat());
  const asked: ModelRequest[] = [];
  const stack = new PluginStack([...rig.stack.plugins]);
  const run = stack.begin({});
  const call = async (request: ModelRequest) =>
    stack.call("model", run, request, async (invocation) => {
      const text = answers[asked.length] ?? "";
      asked.push(invocation.request);
      if (!stream) return invocation.respond({ value: { message: message("assistant", text) } });
      invocation.respond({
        stream: (async function* (): AsyncGenerator<Delta, void> {
          for (const content of text) yield { type: "part", at: "0", part: { type: "text", content } };
          yield { type: "finish", finishReason: "stop" };
        })(),
      });
    });
  run.ask = async (request, { purpose }) => (await call({ tools: [], model: "any", ...request, purpose })).final();
  const pieces: string[] = [];
  let final: Reply | undefined;
  let error: unknown;
  try {
    const outcome = await call({ model: "any", messages: [message("user", "hi")], tools: [] });
    for await (const delta of outcome) {
      if (delta.type === "part" && delta.part.type === "text") pieces.push(delta.part.content);
    }
    final = await outcome.final();
  } catch (caught) {
    error = caught;
  }
  return { text: final && textOf(final.message), error, asked, pieces, value: run.get(parsedOutput), told: rig.told };
}

describe.each([false, true])("an answer that is held to a schema, streamed: %p", (stream) => {
  it("passes unchanged if it matches, and its value is in the result", async () => {
    const seen = await ask(schema({ schema: weather }), [fits], stream);
    expect(seen.text).toBe(fits);
    expect(seen.value).toEqual({ city: "Köln", degrees: 21 });
    expect(seen.told).toEqual([]);
  });

  it("is the JSON alone where it stands in a fence or a sentence", async () => {
    for (const text of [`\`\`\`json\n${fits}\n\`\`\``, `Here you are: ${fits} Anything else?`]) {
      expect((await ask(schema({ schema: weather }), [text], stream)).text).toBe(fits);
    }
  });

  it("is requested again with the problem, and no part of an invalid answer is sent", async () => {
    const seen = await ask(schema({ schema: weather }), ['{"city":"BAD"}', "no JSON", fits], stream);
    expect(seen.text).toBe(fits);
    expect(seen.pieces.join("")).toBe(fits);
    expect(seen.asked.map(({ purpose }) => purpose)).toEqual([undefined, "repair_output", "repair_output"]);
    expect(JSON.stringify(seen.asked[1]?.messages.at(-1))).toContain("required");
    expect(seen.told).toMatchObject([{ decision: "repaired", details: { attempts: 2 } }]);
  });

  it.each([
    ["denyPatterns", denyPatterns({ patterns: { bad: /BAD/ } })],
    ["topics", topics({ deny: { bad: ["bad"] } })],
    ["moderation", moderation({ moderate: async ({ text }) => text.includes("BAD") })],
  ])("is repaired under the eyes of %s, which stands inside of it", async (_, guard) => {
    const bad = '{"city":"BAD","degrees":1}';
    const seen = await ask([schema({ schema: weather }), guard], ["no JSON", bad, fits], stream);
    expect([seen.text, seen.asked.length]).toEqual([fits, 3]);
    expect(seen.told).toMatchObject([{ decision: "block", place: "output" }, { decision: "repaired" }]);
  });

  it.each(["", " \n"])("is asked for again if it is empty: %j", async (empty) => {
    const seen = await ask(schema({ schema: weather }), [empty, fits], stream);
    expect([seen.text, seen.value, seen.asked.length]).toEqual([fits, { city: "Köln", degrees: 21 }, 2]);
    expect(seen.asked[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "user"]);
    expect(seen.told).toMatchObject([{ decision: "repaired" }]);
  });

  it("fails if it stays empty", async () => {
    const seen = await ask(schema({ schema: weather, repairs: 1 }), ["", ""], stream);
    expect(seen.error).toMatchObject({
      code: "ERR_GUARDRAILS_SCHEMA",
      message: expect.stringContaining("it is empty"),
    });
    const watched = await ask(schema({ schema: weather, mode: "monitor" }), [""], stream);
    expect([watched.text, watched.told]).toMatchObject(["", [{ decision: "does_not_fit" }]]);
    const open = await ask(schema({ schema: weather, repairs: 0, onFailure: "pass" }), [""], stream);
    expect([open.text, open.told]).toMatchObject(["", [{ decision: "fail_open" }]]);
  });

  it.each([
    ["with braces in the prose after it", `Result: ${fits}. Note: use {curly} braces, [1] and {.`],
    ["with a bracket that stays open before it", `As in {this [example: ${fits}`],
    ["after a draft in <think>", `<think>{"city":"Bonn","degrees":1} or ${fits.slice(0, 9)}</think>\n${fits}`],
    ["after a draft in prose", `First {"city":"Bonn","degrees":1}, no: ${fits}`],
    ["before an object that does not fit", `${fits} (source: {"url":"x"})`],
    ["before a fence of something else", `${fits}\n\`\`\`json\n{"an":"example"}\n\`\`\``],
    ["in the second of two fences", `\`\`\`\n{"city":"Bonn","degrees":1}\n\`\`\`\nBetter:\n\`\`\`\n${fits}\n\`\`\``],
  ])("is found %s, without a repair", async (_, text) => {
    const seen = await ask(schema({ schema: weather }), [text], stream);
    expect([seen.text, seen.asked.length]).toEqual([fits, 1]);
  });

  it("fails, and no part of it is sent, if no answer is valid", async () => {
    const seen = await ask(schema({ schema: weather, repairs: 1 }), ["BAD", "BAD", fits], stream);
    expect(GuardrailsError.is(seen.error) && seen.error.code).toBe("ERR_GUARDRAILS_SCHEMA");
    expect(seen.pieces.join("")).toBe("");
    expect(seen.asked).toHaveLength(2);
    expect(seen.told).toMatchObject([{ decision: "fail_closed" }]);
  });

  it("passes unchanged if it may fail open, and in monitor mode", async () => {
    const open = await ask(schema({ schema: weather, repairs: 0, onFailure: "pass" }), ["as it is"], stream);
    expect([open.text, open.told]).toMatchObject(["as it is", [{ decision: "fail_open" }]]);
    const watched = await ask(schema({ schema: weather, mode: "monitor" }), ["as it is"], stream);
    expect([watched.text, watched.asked.length]).toEqual(["as it is", 1]);
    expect(watched.told).toMatchObject([{ decision: "does_not_fit", enforced: false }]);
  });

  it("takes a Standard Schema, with what it makes of the value", async () => {
    const dated = z.object({ day: z.string().transform((day) => `${day}!`) });
    const seen = await ask(schema({ schema: dated, jsonSchema: { type: "object" } }), ['{"day":"Monday"}'], stream);
    expect(seen.value).toEqual({ day: "Monday!" });
    expect(seen.text).toBe('{"day":"Monday"}');
  });
});

it("an answer of endless empty deltas is held within bounds", async () => {
  const rig = new Rig([schema({ schema: weather, repairs: 0 })]);
  const empty: Delta = { type: "part", at: "0", part: { type: "text", content: "" } };
  const deltas = Array.from({ length: 1_000_100 }, () => empty);
  await expect(rig.model([...deltas, { type: "finish", finishReason: "stop" }])).rejects.toMatchObject({
    message: expect.stringContaining("too long"),
  });
});

it("an answer of four million brackets is refused in linear time", async () => {
  const begun = performance.now();
  const seen = await ask(schema({ schema: weather, repairs: 0 }), ["{".repeat(3_900_000)]);
  expect(seen.error).toMatchObject({ code: "ERR_GUARDRAILS_SCHEMA" });
  expect(performance.now() - begun).toBeLessThan(10_000);
});

describe("the request of an answer with a schema", () => {
  it("contains the schema if the request has none", async () => {
    const { asked } = await ask(schema({ schema: weather }), [fits]);
    expect(textOf(asked[0]?.messages[0] ?? [])).toContain(JSON.stringify(weather));
    expect((await ask(schema({ schema: weather, instruct: false }), [fits])).asked[0]?.messages).toHaveLength(1);
  });
});

it("an answer that calls tools passes, with its text", async () => {
  const rig = new Rig([schema({ schema: weather })]);
  const parts = [{ type: "text", content: "Let me look." } as const, toolCall("1", "look", {})];
  const reply = await rig.model({ message: message("assistant", parts) });
  expect(reply.message.parts).toEqual(parts);
});

it.each([
  [{}],
  [{ schema: "x" }],
  [{ schema: weather, repairs: -1 }],
  [{ schema: weather, repairs: 1.5 }],
  [{ schema: weather, repair: 1 }],
  [{ schema: { type: "object", properties: { a: { pattern: "(a+)+$" } } } }],
])("options that mean nothing are refused: %j", (options) => {
  expect(() => schema(options as unknown as SchemaOptions)).toThrow(
    expect.objectContaining({ code: "ERR_GUARDRAILS_OPTION" }),
  );
});

describePlugin(
  "schema",
  { create: () => schema({ schema: {}, onFailure: "pass", instruct: false }) },
  { describe, it },
);
