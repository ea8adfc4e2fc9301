import { describe, expect, it } from "@jest/globals";
import commonJs from "canonicalize";
import fc from "fast-check";
import { AuditError } from "../src/errors.js";
import { canonicalJson } from "../src/record/canonical.js";
import { toJsonCopy } from "../src/record/plain.js";

// Its types say of a CommonJS module that it is an ECMAScript one.
const canonicalize = commonJs as unknown as (value: unknown) => string;
const bits = (hex: string) => Buffer.from(hex, "hex").readDoubleBE();

describe("canonical JSON", () => {
  it("writes the sample of RFC 8785, section 3.2.2, as section 3.2.3 has it", () => {
    const sample = {
      numbers: [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it("sorts keys by UTF-16 code units, as in section 3.2.3", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    const sorted = [...text.matchAll(/("[^"]*"):/g)].map(([, key]) => JSON.parse(key ?? "") as string);
    expect(sorted).toEqual(["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"]);
  });

  it.each([
    ["0000000000000000", "0"],
    ["8000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ])("writes the number %s of RFC 8785, appendix B, as %s", (hex, text) => {
    expect(canonicalJson(bits(hex))).toBe(text);
  });

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["a member that is undefined", { a: undefined }],
    ["a hole", new Array(1)],
    ["a bigint", 1n],
    ["a function", () => 1],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["half of a surrogate pair", "\ud83d"],
    ["half of a surrogate pair in a key", { "\ude00": 1 }],
  ])("refuses %s, and says nothing of the values", (_name, value) => {
    const refuse = () => canonicalJson({ "jane@example.com": [value] });
    expect(refuse).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_RECORD" }));
    expect(refuse).not.toThrow(/jane/);
  });

  it("refuses a cycle", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ code: "ERR_AUDIT_INVALID_RECORD" }));
  });

  it("is what another implementation of RFC 8785 writes, on one line, and can be read back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (given) => {
        const { value } = toJsonCopy(given);
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(value));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(text).not.toMatch(/\n/);
      }),
    );
  });
});

describe("making JSON data of any value", () => {
  it("gives JSON for whatever there is", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          canonicalJson(toJsonCopy(value).value);
        },
      ),
    );
  });

  it("marks what cannot be read, and goes on", () => {
    const value: Record<string, unknown> = {
      date: new Date(0),
      big: 5n,
      bytes: new Uint8Array(3),
      error: new Error("no"),
      get trap() {
        throw new Error("trap");
      },
    };
    value.self = value;
    expect(toJsonCopy(value).value).toEqual({
      date: "1970-01-01T00:00:00.000Z",
      big: "5",
      bytes: "[3 bytes]",
      error: { name: "Error", message: "no" },
      trap: "[unreadable]",
      self: "[cycle]",
    });
  });

  it("leaves out what is too much whole, and is done in bounded time", () => {
    const { value, size } = toJsonCopy({
      long: "x".repeat(10_000_000),
      list: new Array(1_000_000).fill(7),
      after: "kept",
    });
    expect((value as { long: string }).long).toBe("[10000000 characters left out]");
    expect(size).toBeLessThan(400_000);
  });

  it("keeps a member named __proto__ a member", () => {
    expect(canonicalJson(toJsonCopy(JSON.parse('{"__proto__":{"a":1}}')).value)).toBe('{"__proto__":{"a":1}}');
  });
});

it("AuditError is recognised by its brand", () => {
  expect(AuditError.is(new AuditError("ERR_AUDIT_CLOSED", ""))).toBe(true);
  expect(AuditError.is(new Error())).toBe(false);
});
