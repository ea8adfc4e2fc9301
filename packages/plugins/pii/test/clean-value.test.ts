import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { recognisers } from "../src/recognisers/registry.js";
import { isClean } from "../src/redact/clean.js";
import { Engine } from "../src/redact/engine.js";
import { rememberingText } from "../src/redact/remembering.js";
import { Tally } from "../src/redact/tally.js";
import { CleanValues } from "../src/redact/telemetry.js";
import { treatValue } from "../src/redact/value.js";

const engine = Engine.of({
  ...Object.fromEntries(recognisers.map(({ type }) => [type, "redact" as const])),
  code: { recognizer: /\d{4}/, strategy: "redact", context: ["code"] },
  named: { strategy: "redact", deny: ["Jane Doe"] },
});
const values = (): CleanValues => new CleanValues((text, before) => isClean(engine.plan, text, before));
/** The longer way: the value itself where nothing was found. */
const treated = (value: unknown): unknown => treatValue(value, rememberingText(engine, undefined, new Tally()));

const texts = fc.constantFrom(
  "shipped",
  "jane@x.com",
  "1234",
  "Jane Doe",
  "4111 1111 1111 1111",
  "",
  "10.0.0.1",
  "note",
);
const names = fc.constantFrom("role", "code", "content", "password", "Jane Doe", "jane@x.com", "__proto__", "id");
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.constantFrom(1, 4111111111111111, 1234567, 12345678901234n, true, null, undefined, Number.NaN),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
    fc.uint8Array({ maxLength: 4 }),
    fc.constantFrom(new Error("of jane@x.com"), new Map([["a", "jane@x.com"]]), new Date(0), Object("jane@x.com")),
  ),
}));

describe("the short cut for values", () => {
  it("finds a value clean only if the full treatment returns it itself", () => {
    const known = values();
    fc.assert(
      fc.property(anything, (value) => {
        if (known.has(value)) expect(treated(value)).toBe(value);
      }),
      { numRuns: runs(3000) },
    );
  });

  it("is taken for what telemetry is made of", () => {
    const message = { role: "user", parts: [{ type: "text", content: "Where is my order?" }], count: 3, none: null };
    expect(values().has([message, message])).toBe(true);
  });

  it("leaves what computes, repeats or hides values to the longer way", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const named = Object.assign(["a"], { mail: "jane@x.com" });
    const computed = {
      get mail() {
        return "shipped";
      },
    };
    const hidden = { [Symbol("mail")]: "jane@x.com" };
    const json = { toJSON: () => "jane@x.com" };
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => ["a"],
        getOwnPropertyDescriptor: () => {
          throw new Error("no");
        },
      },
    );
    for (const value of [cycle, named, computed, hidden, json, hostile, new Array(3), Object.create({ mail: "x" })]) {
      expect(values().has(value)).toBe(false);
    }
    expect(values().has(Array.from({ length: 1000 }, () => "a"))).toBe(false);
  });

  it("looks at the value of a field as what its name says it is", () => {
    const known = values();
    const value = "Tr0ub4dor3xyz";
    const has = (name: string): boolean => known.has({ [name]: value });
    expect([has("title"), has("password"), has("title"), has("password")]).toEqual([true, false, true, false]);
  });
});
