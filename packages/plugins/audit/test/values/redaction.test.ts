import { describe, expect, it } from "@jest/globals";
import type { Redactor } from "@suite/core";
import type { ReplaceValue } from "@suite/core/contract";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { hashedValue, valueKey } from "../../src/index.js";
import { hashedRedaction } from "../../src/record/hashed-redaction.js";
import { toJsonCopy } from "../../src/record/plain.js";

const key = valueKey("0123456789abcdef");
const redact = hashedRedaction(key);
const hash = (value: string) => hashedValue(key, value);

/** Finds what the pattern finds, in strings and in names of members. */
function finding(pattern: RegExp, type: string): Redactor {
  const make = (replace: ReplaceValue): Redactor => {
    const text = (given: string) => given.replaceAll(pattern, (value) => replace(value, type));
    const deep = (value: unknown): unknown => {
      if (typeof value === "string") return text(value);
      if (Array.isArray(value)) return value.map(deep);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), deep(member)]));
    };
    return { redact: text, value: deep };
  };
  return { ...make(() => `[${type}]`), replacing: make };
}
const chain = (...all: Redactor[]): Redactor => ({
  redact: (text) => all.reduce((done, each) => each.redact(done), text),
  value: (value) => all.reduce((done, each) => each.value(done), value),
  replacing: (replace) => chain(...all.map((each) => each.replacing?.(replace) ?? each)),
});
const mails = finding(/[a-z.]+@[a-z.]+[a-z]/gi, "email");
const digits = finding(/\d{3,}/g, "number");
const links = finding(/https:\S+/g, "url");

describe("redaction with a key for values", () => {
  it("leaves hashed values in strings, names of members and long numbers", () => {
    expect(redact({ a: "to j@x.com!", "j@x.com": 1, card: 4111111111111111, few: 1234 }, chain(mails, digits))).toEqual(
      {
        a: `to ${hash("j@x.com")}!`,
        [hash("j@x.com")]: 1,
        card: hash("4111111111111111"),
        few: 1234,
      },
    );
  });

  it("lets nobody find anything in a hash, also not the next redactor", () => {
    expect(redact("j@x.com", chain(mails, digits))).toBe(hash("j@x.com"));
    expect(redact({ "j@x.com": "j@x.com" }, chain(mails, digits, finding(/[0-9a-f]{8,}/g, "hex")))).toEqual({
      [hash("j@x.com")]: hash("j@x.com"),
    });
  });

  it("hashes as it was what is found round a value that was found before", () => {
    const text = "see https://x.com/?to=j@x.com now";
    expect(redact(text, chain(mails, links))).toBe(`see ${hash("https://x.com/?to=j@x.com")} now`);
  });

  it("keeps both of two members whose names become one", () => {
    const hashed = hash("j@x.com");
    expect(redact({ "j@x.com": 1, "J@X.com": 2 }, mails)).toEqual({ [hashed]: 1, [`${hashed} (2)`]: 2 });
  });

  it("leaves to a redactor that cannot be told what it does by itself", () => {
    const { replacing: _, ...plain } = mails;
    expect(redact("to j@x.com", plain)).toBe("to [email]");
  });

  it("lets no text pass itself off as a value that was found", () => {
    expect(redact(toJsonCopy("\uFDE0\uFDD0\uFDE1 j@x.com").value, mails)).toBe(`\uFFFD\uFFFD\uFFFD ${hash("j@x.com")}`);
  });

  it("keeps no value in memory when it is done", () => {
    const marks: string[] = [];
    const { replacing = () => mails } = mails;
    const watched = {
      ...mails,
      replacing: (replace: ReplaceValue) =>
        replacing((value, type) => {
          marks.push(replace(value, type));
          return marks.at(-1) ?? "";
        }),
    };
    redact("j@x.com", watched);
    redact("k@x.com", watched);
    expect(marks[1]).toBe(marks[0]);
  });

  it("never leaves a value, nor a mark, whatever the text", () => {
    const pieces = fc.constantFrom(
      "j@x.com",
      "4111111111111111",
      "\uFDE0\uFDD1\uFDE1",
      "\uFDE0",
      "https://",
      "é",
      " ",
      "x",
    );
    fc.assert(
      fc.property(fc.array(pieces), (texts) => {
        const out = String(redact(toJsonCopy(texts.join("")).value, chain(mails, digits, links)));
        expect(out.replaceAll(/hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}/g, "|")).not.toMatch(
          /[a-z.]+@[a-z.]+[a-z]|\d{3}|[\uFDD0-\uFDEF]/,
        );
      }),
      { numRuns: runs(200) },
    );
  });
});
