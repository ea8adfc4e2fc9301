import { describe, expect, it } from "@jest/globals";
import { type Delta, type ModelRequest, message, type Reply, textOf } from "@suite/core";
import { pii } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { call, gone, mail, pieces, plugin, reply } from "./calls.js";

const outputSchema = {
  type: "object",
  properties: {
    mail: { type: "string" },
    card: { type: "integer" },
    maybe: { anyOf: [{ type: "number" }, { type: "null" }] },
    either: { type: ["number", "string"] },
    cards: { type: "array", items: { $ref: "#/$defs/card" } },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    inner: { type: "object", additionalProperties: { type: "number" } },
  },
  $defs: { card: { type: "number" } },
};
const number = 4111111111111111;
const answer = {
  mail: `write to "${mail}"\n`,
  card: number,
  maybe: number,
  either: number,
  cards: [1, number, 2],
  pair: [mail, number],
  inner: { deep: number, plain: 3 },
};
const request: ModelRequest = { model: "m", messages: [message("user", "?")], tools: [], outputSchema };
const on = { apply: { output: true } };
const said = async (stream: readonly Delta[], options = on) =>
  textOf(((await call(plugin(options), "model", request, { stream })).final as Reply).message);

describe("structured output", () => {
  it("stays JSON, and fits its schema where the values may be other ones", async () => {
    const text = JSON.stringify(answer);
    const output: unknown = JSON.parse(await said(pieces(text, 3)));
    expect(output).toEqual({
      mail: `write to "${gone}"\n`,
      card: 0,
      maybe: null,
      either: "****-****-****-1111",
      cards: [1, 0, 2],
      pair: [gone, 0],
      inner: { deep: 0, plain: 3 },
    });
  });

  it("is the same for every way to cut it, and plain", async () => {
    const text = JSON.stringify(answer, undefined, 1).replace("@", "\\u0040");
    const { final } = await call(plugin(on), "model", request, { value: reply(text) });
    const whole = textOf((final as Reply).message);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (size) => {
        expect(await said(pieces(text, size))).toBe(whole);
      }),
      { numRuns: runs(20) },
    );
    expect(JSON.parse(whole)).toMatchObject({ mail: `write to "${gone}"\n` });
  });

  it("gives nothing of a value out before the decision, and ends with block before it", async () => {
    const { chunks, error } = await call(plugin(on, { email: "block" }), "model", request, {
      stream: pieces(`{"note":"fine","mail":"${mail}"}`, 1),
    });
    expect(error).toMatchObject({ code: "ERR_PII_BLOCKED", places: ["output"] });
    expect(JSON.stringify(chunks)).not.toContain("jane");
  });

  it("is treated as text where a model writes no JSON, and left alone where output does not apply", async () => {
    expect(await said(pieces(`Sorry, ask ${mail}.`, 4))).toBe(`Sorry, ask ${gone}.`);
    const text = JSON.stringify(answer);
    expect(await said(pieces(text, 4), { apply: { output: false } })).toBe(text);
  });

  it("is no JSON where it only begins like a number: nothing of it is lost, nor of such arguments of a tool", async () => {
    for (const [text, type] of [
      ["4111 1111 1111 1111 is the card", "credit_card"],
      ["00:1a:2b:3c:4d:5e is down", "mac"],
      ["::1 is down", "ip"],
    ] as const) {
      const guard = pii({ [type]: "redact" }, { apply: { output: true, toolArguments: true } });
      const treated = guard.redactor.value(text);
      expect(treated).toContain("[REDACTED_");
      for (const size of [1, 2, text.length]) {
        const { final } = await call(guard, "model", request, { stream: pieces(text, size) });
        expect(textOf((final as Reply).message)).toBe(treated);
        const part = { type: "tool_call", id: "c", name: "look" } as const;
        const json = text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
        const { chunks } = await call(guard, "model", request, {
          stream: [
            { type: "part", at: "0", part },
            ...json.map((piece) => ({ type: "arguments", at: "0", json: piece })),
          ],
        });
        const given = (chunks as Delta[]).map((delta) => (delta.type === "arguments" ? delta.json : ""));
        expect(given.join("")).toBe(treated);
      }
    }
  });

  it("is followed through any text and any schema, without an error of another kind", () => {
    const schema = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          { type: "number" },
          { type: ["integer", "null"] },
          { $ref: "#" },
          { $ref: "#/$defs/a" },
          true,
          {},
          null,
        ),
        fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }),
        fc.record({ properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")), items: tie("schema") }),
      ),
    })).schema;
    return fc.assert(
      fc.asyncProperty(
        schema,
        fc.array(fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"b"', `${number}`, "x")),
        async (one, marks) => {
          const asked = { ...request, outputSchema: one };
          const { error } = await call(plugin(on), "model", asked, { stream: pieces(marks.join(""), 2) });
          expect(error).toBeUndefined();
        },
      ),
      { numRuns: runs(300) },
    );
  });
});
