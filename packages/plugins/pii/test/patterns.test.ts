import { describe, expect, it } from "@jest/globals";
import { createRedactor, engine } from "@suite/pii";
import { widthOf } from "../src/patterns/width.js";

const rule = (recognizer: RegExp) => ({ own: { recognizer, strategy: "redact" as const } });

describe("users' patterns", () => {
  it("run in an RE2 engine, and say in which", () => {
    expect(["re2", "re2js"]).toContain(engine());
  });

  it.each([/(?=x)y/, /(?<!x)y/, /(a)\1/])(
    "are refused, with the reason, where RE2 cannot express them: %s",
    (pattern) => {
      expect(() => createRedactor(rule(pattern))).toThrow(
        expect.objectContaining({ code: "ERR_PII_INVALID_PATTERN", message: expect.stringContaining('"own"') }),
      );
    },
  );

  it.each([/a*/, /x?|y/, /\b/, /^$/])("are refused where they match nothing at all: %s", (pattern) => {
    expect(() => createRedactor(rule(pattern))).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_PATTERN" }));
  });

  it("do not depend on the state or the g of a RegExp", () => {
    const pattern = /TCK-\d{6}/;
    pattern.lastIndex = 7;
    const redactor = createRedactor(rule(pattern));
    expect(redactor.redact("TCK-123456, TCK-654321")).toBe("[REDACTED_OWN], [REDACTED_OWN]");
    expect(redactor.redact("TCK-123456")).toBe("[REDACTED_OWN]");
  });

  it("take ^ and $ for the ends of the text, also far into a stream", () => {
    const redactor = createRedactor(rule(/^ab|cd$/));
    const text = `ab ${"x ab cd ".repeat(3000)}cd`;
    expect(redactor.redact(text)).toBe(`[REDACTED_OWN] ${"x ab cd ".repeat(3000)}[REDACTED_OWN]`);
    const stream = redactor.stream();
    expect([...text].map((character) => stream.push(character)).join("") + stream.end()).toBe(redactor.redact(text));
  });

  it("hold back no more than their longest match", () => {
    const stream = createRedactor(rule(/TCK-\d{6}/)).stream();
    expect(stream.push("the quick brown fox jumps").length).toBeGreaterThanOrEqual(25 - 16);
  });

  it("replace a match longer than the bound to the end of its word", () => {
    const redactor = createRedactor({ own: { recognizer: /EMP\w+/, strategy: "redact", maxLength: 32 } });
    expect(redactor.redact(`a EMP${"x".repeat(5000)} b`)).toBe("a [REDACTED_OWN] b");
  });
});

describe("the width of a pattern", () => {
  it.each([
    ["TCK-\\d{6}", 10, 10],
    ["a|bcd", 1, 3],
    ["(?:ab){2,3}c?", 4, 7],
    ["\\bx\\b", 1, 1],
    ["[^\\]a]{2}", 2, 4],
    ["(?<n>a)(?i:b)", 2, 2],
    ["\\u0041\\x41\\p{L}\\.", 4, 8],
    ["a+", 1, Number.POSITIVE_INFINITY],
    ["a{2,}", 2, Number.POSITIVE_INFINITY],
  ])("%s is %d to %d", (source, min, max) => {
    const width = widthOf(source);
    expect(width.min).toBe(min);
    expect(width.max).toBeGreaterThanOrEqual(max);
    if (max < Number.POSITIVE_INFINITY) expect(width.max).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
