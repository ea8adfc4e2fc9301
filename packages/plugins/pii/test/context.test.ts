import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect, type Rules } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Engine } from "../src/redact/engine.js";
import { JsonStream } from "../src/redact/stream/json-stream.js";
import { treatValue } from "../src/redact/value.js";

const types = (text: string): string[] => detect(text).map(({ type }) => type);

describe("words before a value", () => {
  it("raise its score; words behind it never count", () => {
    expect(types("SSN 219099998")).toEqual(["us_ssn"]);
    expect(types("219099998 is my SSN")).toEqual([]);
    expect(types("card 3500000000000009")).toEqual(["credit_card"]);
    expect(types("3500000000000009 card")).toEqual([]);
  });

  it("count within 64 units", () => {
    const at = (distance: number): string => `phone${".".repeat(distance - 5)}21255501`;
    expect(types(at(64))).toEqual(["phone"]);
    expect(types(at(65))).toEqual([]);
  });

  it("count as whole words: not in headphones and iPhones", () => {
    expect(types("headphones 21255501")).toEqual([]);
    expect(types("home_phone 21255501")).toEqual(["phone"]);
    expect(types("homePhone 21255501")).toEqual(["phone"]);
  });

  it("the nearest one decides", () => {
    expect(types("phone and order 21255501")).toEqual([]);
    expect(types("order and phone 21255501")).toEqual(["phone"]);
    expect(types("phone, SSN 219099998")).toEqual(["us_ssn"]);
    expect(types("my tax id 219099998")).toEqual(["us_ssn"]);
    expect(types("my phone, member id 21255501")).toEqual([]);
  });

  it("lower the score of what they say is something else, right before it only", () => {
    expect(types("order 030 2312500")).toEqual([]);
    expect(types("order us: 030 2312500")).toEqual(["phone"]);
  });

  it("leave a version a version", () => {
    for (const version of ['AssemblyVersion("1.0.0.0")', "version: 10.0.0.1", "v 1.2.3.4", "Chrome/120.0.0.0"])
      expect(types(version)).toEqual([]);
    expect(types("host/10.0.0.1 of version 7, 10.0.0.2")).toEqual(["ip", "ip"]);
  });
});

describe("words of a rule", () => {
  const rule = { recognizer: /\d{6}/, strategy: "redact", score: 0.3 } as const;
  const redact = (rules: Rules, text: string): string => createRedactor(rules).redact(text);

  it("raise the score of a user's recogniser over its threshold", () => {
    const ticket = { ...rule, context: ["ticket", "case no.", "工单"] };
    expect(redact({ ticket }, "Ticket 123456, 工单123456, case no. 123456")).toBe(
      "Ticket [REDACTED_TICKET], 工单[REDACTED_TICKET], case no. [REDACTED_TICKET]",
    );
    expect(redact({ ticket }, `ticketing 123456${" ".repeat(60)}123456`)).not.toContain("REDACTED");
  });

  it("add to those of a built-in type", () => {
    const text = "Durchwahlnummer 21255501";
    expect(redact({ phone: "redact" }, text)).toBe(text);
    expect(redact({ phone: { strategy: "redact", context: ["Durchwahlnummer"] } }, text)).toContain("[REDACTED_PHONE]");
  });

  it("and without words every match of a user's recogniser counts, unless a threshold says otherwise", () => {
    expect(redact({ ticket: rule }, "123456")).toBe("[REDACTED_TICKET]");
    expect(redact({ ticket: { ...rule, threshold: 0.4 } }, "123456")).toBe("123456");
  });

  it("are checked", () => {
    for (const context of [[], [""], ["x".repeat(65)], "ticket", [1]])
      expect(() => createRedactor({ ticket: { ...rule, context: context as string[] } })).toThrow(
        expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
      );
  });
});

describe("a threshold", () => {
  it("requires a higher or a lower score", () => {
    const count = (threshold: number, text: string): number =>
      createRedactor({ phone: { strategy: "redact", threshold } }).detect(text).length;
    expect([0.5, 0.7].map((threshold) => count(threshold, "x 030 2312500 x"))).toEqual([1, 0]);
    expect([0.2, 0.5].map((threshold) => count(threshold, "x 21255501 x"))).toEqual([1, 0]);
  });

  it.each([-0.1, 1.1, Number.NaN, "1"])("is a number from 0 to 1, and not %p", (threshold) => {
    expect(() => createRedactor({ phone: { strategy: "redact", threshold: threshold as number } })).toThrow(
      expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
    );
  });
});

describe("the name of a field", () => {
  const engine = Engine.of({ phone: "redact", us_ssn: "redact" });
  const value = (json: unknown): unknown => treatValue(json, (text, before) => engine.redact(text, undefined, before));
  const streamed = (json: string, size: number): string => {
    const stream = new JsonStream((before) => engine.stream(undefined, before));
    let out = "";
    for (let at = 0; at < json.length; at += size) out += stream.push(json.slice(at, at + size));
    return out + stream.end();
  };

  it("is context for the value in it", () => {
    const person = { ssn: "219099998", home_phone: "21255501", age: 219099998, items: [{ phone: 21255501 }] };
    const treated = {
      ssn: "[REDACTED_US_SSN]",
      home_phone: "[REDACTED_PHONE]",
      age: 219099998,
      items: [{ phone: "[REDACTED_PHONE]" }],
    };
    expect(value(person)).toEqual(treated);
    expect(JSON.parse(streamed(JSON.stringify(person), 3))).toEqual(treated);
  });

  it("counts the same in JSON that streams", () => {
    const leaf = fc.constantFrom<unknown>("21255501", "0612345678", 61234567, "x", 219099998, "219099998", null, true);
    const name = fc.constantFrom("phone", "content", "orderId", "ssn", "x", "phone".padEnd(70, "_"), "0612345678");
    const json = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("any"), { maxLength: 3 }),
        fc.dictionary(name, tie("any"), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), (data, size) => {
        fc.pre(typeof data === "object" && data !== null);
        expect(JSON.parse(streamed(JSON.stringify(data), size))).toEqual(value(data));
      }),
      { numRuns: runs(500) },
    );
  });
});
