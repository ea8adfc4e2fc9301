import { describe, expect, test } from "@jest/globals";
import { pii } from "../src/index.js";

const replace = (value: string, type: string) => `<${type} of ${value.length}>`;
const strategies = ["redact", "mask", "hash", "tokenize", "block", () => "own"] as const;

describe("the redactor for telemetry and audit, told what to put in the place of values", () => {
  test.each(strategies)("does so whatever the strategy: %s", (strategy) => {
    const { redactor } = pii({ email: strategy });
    expect(redactor.replacing?.(replace).redact("mail jane@x.com now")).toBe("mail <email of 10> now");
  });

  test("does so in values too: in strings, names of members and numbers", () => {
    const { redactor } = pii({ email: "redact", credit_card: "redact" });
    expect(redactor.replacing?.(replace).value({ "jane@x.com": [4111111111111111] })).toEqual({
      "<email of 10>": ["<credit_card of 16>"],
    });
  });

  test("keeps its own replacements for all others", () => {
    const { redactor } = pii({ email: "redact" });
    redactor.replacing?.(replace).redact("jane@x.com");
    expect(redactor.redact("jane@x.com")).toBe("[REDACTED_EMAIL]");
  });

  test("gives nothing out where what it was told throws", () => {
    const throwing = pii({ email: "redact" }).redactor.replacing?.(() => {
      throw new Error("no");
    });
    expect(throwing?.redact("jane@x.com")).toBe("[REDACTED]");
    expect(throwing?.value(["jane@x.com"])).toBe("[REDACTED]");
  });
});
