import { describe, expect, it } from "@jest/globals";
import { canonicalWriter } from "@suite/kit";
import fc from "fast-check";

const lenient = canonicalWriter();
const strict = canonicalWriter({ refuse: (what, depth) => new TypeError(`${what} at ${depth}`), maxDepth: 3 });

describe("canonicalWriter", () => {
  it("writes JSON that reads back as the value, and is the same for each order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = lenient(value);
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(lenient(turned(value))).toBe(written);
      }),
    );
  });

  it("without refuse, writes values outside JSON as JSON.stringify does", () => {
    expect(lenient({ b: undefined, a: [undefined, Number.NaN, () => {}] })).toBe('{"a":[null,null,null]}');
    expect(lenient(undefined)).toBe("null");
    expect(lenient("\ud800")).toBe('"\\ud800"');
    expect(() => lenient(1n)).toThrow(TypeError);
  });

  it("with refuse, throws for values outside JSON, with their depth and without the value", () => {
    for (const [value, message] of [
      [Number.NaN, "NaN at 0"],
      [[undefined], "undefined at 1"],
      [{ a: undefined }, "undefined at 1"],
      [1n, "bigint at 0"],
      [{ a: new Date(0) }, "Date at 2"],
      ["\ud800", "a string with half of a surrogate pair at 0"],
      [[[[[]]]], "a cycle, or data nested deeper than 3 levels, at 3"],
    ] as const) {
      expect(() => strict(value)).toThrow(new TypeError(message));
    }
  });

  it("bounds the length, also of values that contain one object many times", () => {
    const bounded = canonicalWriter({ refuse: (what) => new RangeError(what), maxLength: 1000 });
    let value: unknown = "x";
    for (let i = 0; i < 100; i++) value = [value, value];
    expect(() => bounded(value)).toThrow("a value that is too long");
    let empty: unknown = {};
    for (let i = 0; i < 100; i++) empty = [empty, empty];
    expect(() => bounded(empty)).toThrow("a value that is too long");
  });

  it("writes special objects as the caller does", () => {
    const special = (value: object): string | undefined => (value instanceof URL ? `url"${value.href}"` : undefined);
    expect(canonicalWriter({ special })({ a: new URL("https://a.example/") })).toBe('{"a":url"https://a.example/"}');
  });
});

/** The value with the keys of all objects in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, each]) => [key, turned(each)]),
  );
}
