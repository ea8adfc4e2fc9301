import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const found = (text: string, type: string): string[] =>
  detect(text, { types: [type] }).map(({ start, end }) => text.slice(start, end));

describe("url takes a path to its end", () => {
  it.each([
    "https://en.wikipedia.org/wiki/Hatfield–McCoy_feud",
    "https://example.com/1914–1918/index",
    "https://example.com/a/🐼",
    "https://example.com/a/🐼🐼/b",
    "https://example.com/a/©2024",
    "https://example.com/?price=€5",
  ])("in a sentence: %s", (address) => {
    expect(found(`See ${address} for more.`, "url")).toEqual([address]);
    expect(found(`(${address}), and`, "url")).toEqual([address]);
  });

  it.each([
    ["a dash between two clauses", "see https://example.com/a – it works", "https://example.com/a"],
    ["a dash at the end", "see https://example.com/a–", "https://example.com/a"],
    ["an emoji after a host", "see https://example.com/👈", "https://example.com/"],
    ["an emoji after a word", "see https://example.com/a😀", "https://example.com/a"],
    ["a sign after a word", "https://example.com/a™ rules", "https://example.com/a"],
    ["a bar, which no standard allows", "see https://example.com/a|b", "https://example.com/a"],
    ["the end of an encoded word", "=?utf-8?Q?https://example.com/a?=", "https://example.com/a"],
  ])("but not over %s", (_, text, address) => {
    expect(found(text, "url")).toEqual([address]);
  });

  it("also in a stream that is cut anywhere", () => {
    const redactor = createRedactor({ url: "redact", email: "redact" });
    const parts = fc.constantFrom(
      ..."https:// example.com / a – 🐼 🐼/ € |b ? = © é 名 -- _ , . prvs=abcdef1234= @x.com".split(" "),
      " ",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 16 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
        const text = pieces.join("");
        const stream = redactor.stream();
        let out = "";
        let from = 0;
        for (const cut of [...cuts].sort((a, b) => a - b)) {
          out += stream.push(text.slice(from, cut));
          from = Math.max(from, Math.min(cut, text.length));
        }
        out += stream.push(text.slice(from));
        expect(out + stream.end()).toBe(redactor.redact(text));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("email takes a whole return path", () => {
  it.each([
    ["BATV", "prvs=0123456789=jane@example.com"],
    ["SRS", "SRS0=Hs7G=TT=example.org=jane@example.com"],
    ["SRS with a second hop", "SRS1=Hs7G=example.net==Hs7G=TT=example.org=jane@example.com"],
    ["VERP", "bounces+jane=example.org@lists.example.com"],
  ])("of %s", (_, address) => {
    expect(found(`Return-Path: <${address}>`, "email")).toEqual([address]);
    expect(found(`from ${address} today`, "email")).toEqual([address]);
  });

  it.each(["email=jane@example.com", "?q=a+b=jane@example.com", "x-to=jane.doe@example.com"])(
    "but not the name of a field: %s",
    (text) => {
      expect(found(text, "email")).toEqual([text.slice(text.lastIndexOf("=") + 1)]);
    },
  );
});
