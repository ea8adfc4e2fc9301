import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Engine } from "../src/redact/engine.js";
import { JsonStream } from "../src/redact/stream/json-stream.js";

const rules = { email: "redact", credit_card: "redact", ip: "redact" } as const;
const engine = Engine.of(rules);
const redactor = createRedactor(rules);
const open = (): JsonStream => new JsonStream((before) => engine.stream(undefined, before));

function pieced(json: string, size: number): string {
  const stream = open();
  let out = "";
  for (let at = 0; at < json.length; at += size) out += stream.push(json.slice(at, at + size));
  return out + stream.end();
}

/** Writes every character of strings as an escape. */
const escaped = (json: string): string =>
  json.replaceAll(/[a-z@.]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const leaf = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "jane@x.com",
    "to jane.doe@example.com, now",
    "10.0.0.1",
    "4111 1111 1111 1111",
    // An address where it stands alone, and in a field whose name says so.
    "::",
    'say "jane@x.com"\n',
  ),
  fc.constantFrom(4111111111111111, 12, -1.5e10, true, false, null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom("jane@x.com", "::", "ip", "text")),
      tie("tree"),
      { maxKeys: 4 },
    ),
  ),
}));

describe("JSON in pieces", () => {
  it("stays JSON, and is what redactor.value gives, however it is cut", () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 1, max: 9 }), fc.boolean(), (value, size, pretty) => {
        const json = JSON.stringify(value, undefined, pretty ? 2 : undefined);
        const out = pieced(json, size);
        expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(redactor.value(value))));
        expect(out).toBe(pieced(json, json.length + 1));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each(["::", ["::"], { "::": 1 }, { ip: "::" }, { text: "::" }, { x: "::" }, { text: ["::"] }])(
    "knows what stands before a string: %j",
    (value) => {
      expect(JSON.parse(pieced(JSON.stringify(value), 1))).toEqual(redactor.value(value));
    },
  );

  it("reads escapes, at every place to cut", () => {
    const json = `{"to":"${escaped("jane@x.com")}","n":4111111111111111}`;
    for (let size = 1; size < json.length; size++) {
      expect(JSON.parse(pieced(json, size))).toEqual({ to: "[REDACTED_EMAIL]", n: "[REDACTED_CREDIT_CARD]" });
    }
  });

  it("returns plain strings immediately", () => {
    const stream = open();
    expect(stream.push('{"note":"one two thr')).toBe('{"note":"one two ');
    expect(stream.push('ee"}')).toBe('three"}');
  });

  it("treats what is not JSON as text", () => {
    for (const size of [1, 3, 100]) {
      expect(pieced("{to: jane@x.com}", size)).toBe("{to: [REDACTED_EMAIL]}");
      expect(pieced("sorry, jane@x.com is not JSON", size)).toBe("sorry, [REDACTED_EMAIL] is not JSON");
    }
  });

  it.each([
    "::1 is down",
    "::",
    "  ::1",
    "00:1a:2b:3c:4d:5e",
    "00 1a",
    "2001:db8::1",
    "4111 1111 1111 1111",
    "12 4111 1111 1111 1111",
    "4111 1111 1111 1111, and 10.0.0.1",
    "10.0.0.1 10.0.0.2",
    "true::1",
    "5 ::1, 6",
  ])("loses nothing of a text to the reader of JSON, however it is cut: %s", (text) => {
    for (let size = 1; size <= text.length; size++) expect(pieced(text, size)).toBe(redactor.value(text));
  });

  it.each([
    ["[::1]", "[[REDACTED_IP]]"],
    ["[12, 4111 1111 1111 1111]", "[12, [REDACTED_CREDIT_CARD]]"],
    ['{"n": 4111 1111 1111 1111}', '{"n": [REDACTED_CREDIT_CARD]}'],
    ['{"host": 2001:db8::1}', '{"host": [REDACTED_IP]}'],
    ['{"n":1} 4111 1111 1111 1111', '{"n":1} [REDACTED_CREDIT_CARD]'],
    ['{"n":1} ::1', '{"n":1} [REDACTED_IP]'],
    ['4111"1111 10.0.0.1', '4111"1111 [REDACTED_IP]'],
  ])("treats a number that something other than JSON follows as text: %s", (text, treated) => {
    for (let size = 1; size <= text.length; size++) expect(pieced(text, size)).toBe(treated);
  });

  it("holds a number and the blanks behind it only so long", () => {
    const blanks = " ".repeat(2000);
    const json = `{"n": 12${blanks}, "to": "jane\\u0040x.com"}`;
    const expected = `{"n": 12${blanks}, "to": "[REDACTED_EMAIL]"}`;
    for (const size of [1, 7, 1023, 1024, 1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 5000]) {
      expect(pieced(json, size)).toBe(expected);
    }
    const stream = open();
    expect(stream.push(`[12${blanks}`)).toBe(`[12${blanks}`);
  });

  it("leaves JSON that is cut short as far as it goes", () => {
    expect(pieced('{"to":"jane@x.com", "x":"\\u00', 4)).toBe('{"to":"[REDACTED_EMAIL]", "x":"\\\\u00');
  });
});
