import { expect, test } from "@jest/globals";
import type { Redactor } from "@suite/core";
import fc from "fast-check";
import type { Json } from "../src/record/canonical.js";
import { redactJson } from "../src/record/redaction.js";

/** Every digit is a finding; names of members become one another. */
const redact = (text: string): string => text.replaceAll(/[0-9b]/g, "a");
const value = (given: unknown): unknown => (typeof given === "string" ? redact(given) : given);
const redactor: Redactor = { redact, value };

/** A redaction that copies everything. */
function copied(given: Json): Json {
  if (typeof given === "string") return given;
  if (typeof given === "number") {
    if (Math.abs(given) < 1_000_000) return given;
    return redact(String(given)) === String(given) ? given : redact(String(given));
  }
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) return given.map((item: Json) => copied(item));
  const out: [string, Json][] = [];
  for (const [key, member] of Object.entries(given)) {
    const taken = new Set(out.map(([name]) => name));
    let name = redact(key);
    for (let n = 2; taken.has(name); n++) name = `${redact(key)} (${n})`;
    out.push([name, copied(member)]);
  }
  return Object.fromEntries(out);
}

const key = fc.stringMatching(/^[abc1]{0,3}$/);
const json = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>(null, true, "word", -0, 7, 4111111111111111, 1e300),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(key, fc.constant("__proto__")), tie("json"), { maxKeys: 4 }),
  ),
})).json;

test("redaction that copies only changed values equals redaction that copies everything", () => {
  fc.assert(
    fc.property(json, (given) => {
      const before = JSON.stringify(given);
      const treated = redactJson(given, redactor);
      // As text too: the order of members counts.
      expect(JSON.stringify(treated)).toBe(JSON.stringify(copied(given)));
      expect(JSON.stringify(given)).toBe(before);
    }),
    { numRuns: 2000 },
  );
});

test("what has nothing to redact is given back itself", () => {
  const given = { role: "user", parts: [{ type: "text", content: "Hello" }], count: 3 };
  expect(redactJson(given, redactor)).toBe(given);
});
