import { describe, expect, it } from "@jest/globals";
import { createRedactor, type Rule } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const denying = (deny: readonly string[], rule: Partial<Rule> = {}) =>
  createRedactor({ name: { deny, strategy: () => "#", ...rule } });

describe("allow", () => {
  it("lists values that are never found: in any case where the type has none", () => {
    const redactor = createRedactor({
      email: { strategy: "redact", allow: ["Help@Example.com"] },
      url: { strategy: "redact", allow: ["https://example.com/Docs"] },
    });
    expect(redactor.redact("help@example.COM me@example.com https://example.com/Docs https://example.com/docs")).toBe(
      "help@example.COM [REDACTED_EMAIL] https://example.com/Docs [REDACTED_URL]",
    );
    expect(redactor.detect("help@example.com")).toEqual([]);
    expect(redactor.value({ a: "help@example.com" })).toEqual({ a: "help@example.com" });
  });

  it("takes patterns, which match whole values", () => {
    const redactor = createRedactor({
      email: { strategy: "redact", allow: [/.*@example\.(?:com|org)|x@y\.de/] },
      ticket: { recognizer: /TCK-\d+/i, strategy: "redact", allow: ["tck-1", /TCK-9\d*/gm] },
    });
    expect(redactor.redact("a@example.com, b@example.org, x@y.de, ax@y.de, c@example.com.de")).toBe(
      "a@example.com, b@example.org, x@y.de, [REDACTED_EMAIL], [REDACTED_EMAIL]",
    );
    expect(redactor.redact("TCK-1 TCK-12 TCK-99 ATCK-2")).toBe("TCK-1 [REDACTED_TICKET] TCK-99 A[REDACTED_TICKET]");
  });

  it("does not count for hidden forms, nor for a value inside another one", () => {
    const redactor = createRedactor({ email: { strategy: "redact", allow: ["jane@x.com"] }, url: "redact" });
    expect(redactor.redact("ja\u200bne@x.com https://a.de/?m=jane@x.com")).toBe("[REDACTED_EMAIL] [REDACTED_URL]");
  });

  it("applies to matches of functions, and to values longer than the held text", () => {
    const word = `https://x.com/${"a".repeat(9000)}`;
    const redactor = createRedactor({
      url: { strategy: "redact", allow: [/https:\/\/x\.com\/a*/] },
      own: {
        recognizer: (text) => [{ start: 0, end: Math.min(3, text.length) }],
        strategy: "redact",
        allow: ["see"],
      },
    });
    expect(redactor.redact(`see ${word}`)).toBe(`see ${word}`);
  });

  it.each([
    ["no list", "jane"],
    ["a list of something else", [7]],
    ["a pattern that RE2 cannot express", [/(?=a)b/]],
    ["too many patterns", Array.from({ length: 101 }, () => /a/)],
  ])("is refused where it is %s", (_, allow: unknown) => {
    expect(() => createRedactor({ email: { strategy: "redact", allow: allow as string[] } })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_PII_INVALID_(?:RULE|PATTERN)$/) }),
    );
  });
});

describe("deny", () => {
  it("lists values that are always found, besides what the type's recogniser finds", () => {
    const redactor = createRedactor({ email: { strategy: "redact", deny: ["jane at x dot com"], threshold: 1 } });
    expect(redactor.redact("jane@x.com, Jane at x dot com")).toBe("jane@x.com, [REDACTED_EMAIL]");
    expect(redactor.detect("jane at x dot com")).toEqual([{ type: "email", start: 0, end: 17, score: 1 }]);
  });

  it("may be all that a rule has; it finds whole words, in any case", () => {
    const redactor = denying(["Ann", "Ann Lee", "C++", "ÖZGÜR", "ΟΔΟΣ", "李明"]);
    expect(redactor.redact("ann, ANN LEE; Anna, Joann, Ann's, x_Ann, özgür, Οδός οδος 我是李明的 c++ C+++")).toBe(
      "#, #; Anna, Joann, #'s, x_#, #, Οδός # 我是#的 # #+",
    );
  });

  it("sees through hidden forms, and over line ends", () => {
    const redactor = denying(["Jane Doe", "José"]);
    for (const written of [
      "Ja\u200bne Doe",
      "Ｊａｎｅ Doe",
      "Jane\u00a0Doe",
      "JANE\n  DOE",
      "Jose\u0301",
      "Jos\u00e9",
    ]) {
      expect(redactor.redact(`(${written})`)).toBe("(#)");
    }
    expect(redactor.redact(`Jane${" ".repeat(20)}Doe`)).toContain("Doe");
  });

  it("replaces both of two values that overlap", () => {
    expect(denying(["Jane Doe", "Doe Corp Ltd", "Doe"]).redact("Jane Doe Corp Ltd, Doe")).toBe("##, #");
  });

  it("goes before allow, thresholds and other types", () => {
    const redactor = createRedactor({
      url: "redact",
      name: { deny: ["https://x.com"], allow: [/h.*/], threshold: 1, context: ["never"], strategy: () => "#" },
    });
    expect(redactor.redact("https://x.com https://x.com/a")).toBe("# #[REDACTED_URL]");
  });

  it("holds back no more than what has begun as one of its values", () => {
    const stream = denying(["Bluebird", "Project Falcon"]).stream();
    expect(stream.push("the quick pro")).toBe("the quick ");
    expect(stream.push("be of Project Fal")).toBe("probe of ");
    expect(stream.push("con now Blue")).toBe("# now ");
    expect(stream.end()).toBe("Blue");
  });

  it("has room for a hundred thousand values", () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `Person ${index.toString(36)}`);
    const redactor = denying(values);
    expect(redactor.redact("Person 1z and person 1Z! Person zzzzz; Personal")).toBe("# and #! Person zzzzz; Personal");
    const text = "Person 1z, and Person zzzzzz walked over the hill. ".repeat(4000);
    // Microseconds of the processor's time, which other programs do not take.
    const start = process.cpuUsage();
    expect(redactor.redact(text).split("#")).toHaveLength(4001);
    expect(process.cpuUsage(start).user).toBeLessThan(5e6);
  });

  it.each([
    ["no list", "jane"],
    ["empty", []],
    ["a list of something else", [7]],
    ["a list with white space alone", ["a", " "]],
    ["a list with an overlong value", ["a".repeat(257)]],
    ["too long", Array.from({ length: 100_001 }, (_, index) => String(index))],
  ])("is refused where it is %s", (_, deny: unknown) => {
    expect(() => denying(deny as string[])).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
  });

  it("is refused with a value that is allowed, too", () => {
    expect(() => denying(["a"], { allow: ["a"] })).toThrow(expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }));
  });

  it("gives the same for every cutting, and leaves none of its values", () => {
    const unit = fc.constantFrom(..."abAB .é\u200b😀李\ud83d");
    const values = fc.array(fc.string({ unit, minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(values, fc.string({ unit, maxLength: 60 }), fc.array(fc.nat(60)), (deny, filler, at) => {
        const usable = deny.filter((value) => /[^\s\u200b]/.test(value));
        fc.pre(usable.length > 0);
        const redactor = denying(usable);
        const text = `${filler} ${usable.join(" ")} ${filler}`;
        const whole = redactor.redact(text);
        const stream = redactor.stream();
        const cuts = [0, ...at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const pieces = cuts.map((cut, index) => stream.push(text.slice(cut, cuts[index + 1] ?? text.length)));
        expect(pieces.join("") + stream.end()).toBe(whole);
        const words = whole.toLowerCase().split(/[\s.\u200b#]+/);
        for (const value of usable) if (/^[aAbB]+$/.test(value)) expect(words).not.toContain(value.toLowerCase());
      }),
      { numRuns: runs(1000) },
    );
  });
});
