import { describe, expect, it } from "@jest/globals";
import { createRedactor, type PiiRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { recognisers } from "../../src/recognisers/registry.js";
import { Breaks } from "../../src/scan/breaks.js";

/** Pieces of values, and everything that may stand between two of them. */
const groups = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 14 }).chain((length) => digits(length)) },
  { weight: 2, arbitrary: fc.constantFrom("3712", "504205", "60114", "4539", "5787", "6362", "1486", "45395787") },
  { weight: 1, arbitrary: fc.constantFrom("DE75", "GB33", "BUKB", "AB", "12A", "A1", "00", "1a", "ff", "x12", "ext.") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("card", "phone", "SSN", "DOB", "22 March", "1980", "password", "key", "a", "@", "x.com"),
  },
);
const gaps = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(" ", "  ", "   ", "\u00a0", " \u2009", "-", "\u2011", "\u2013", ".", "/") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\n", "\r\n", "\r", "\n\n", " \n", "", "_", ",", ", ", ": ", '": "', '" : '),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(" (", ") ", ") (", "- ", " -", "\\n", "\\u0020", "%20", "\u200b", "中", "’"),
  },
);
/** A valid card number, cut into groups anywhere. */
const cards = fc
  .tuple(
    fc.constantFrom("371250420560114", "30569309025904", "4539578763621486", "6331101234567893", "633110123456789012"),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
    gaps,
  )
  .map(([number, sizes, gap]) => {
    let at = 0;
    const parts = sizes.map((size) => {
      at += size;
      return number.slice(at - size, at);
    });
    return `card ${[...parts, number.slice(at)].filter((part) => part !== "").join(gap)} `;
  });
const texts = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.tuple(groups, gaps).map((pair) => pair.join("")) },
      { weight: 1, arbitrary: cards },
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((pieces) => pieces.join(""));

function digits(length: number): fc.Arbitrary<string> {
  return fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(""));
}

/** The result of a stream that receives the text in pieces. */
function streamed(subject: PiiRedactor, text: string, size: number): string {
  const stream = subject.stream();
  let out = "";
  for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
  return out + stream.end();
}

/** Each type by itself: other types hold text back that one of them does not. */
const alone = recognisers.map(({ type }) => [type, createRedactor({ [type]: "redact" })] as const);
const doubtful = recognisers.map(
  ({ type }) => [type, createRedactor({ [type]: { strategy: "redact", threshold: 0.05 } })] as const,
);

describe("a stream returns what redact returns", () => {
  it.each([
    ["4-6-5 over two spaces", "Sure, the card number is 3712  504205  60114 and it expires soon."],
    ["4-6-4 over two spaces", "my card is 3056  930902  5904, thanks"],
    ["8-8 over two spaces", "card: 45395787  63621486 ok"],
    ["6-13 over two spaces", "card 633110  1234567890123 ok"],
    ["pairs over two spaces", "card 45  39  57  87  63  62  14  86 ok"],
  ])("for the groups of a card %s", (_, text) => {
    for (const strategy of ["redact", "mask", "hash"] as const) {
      const subject = createRedactor({ credit_card: strategy });
      for (const size of [1, 2, 3, 7, 20]) expect(streamed(subject, text, size)).toBe(subject.redact(text));
      for (let cut = 0; cut <= text.length; cut++) {
        const stream = subject.stream();
        expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(
          subject.redact(text),
        );
      }
    }
  });

  it.each([
    ["alone", alone],
    ["alone, with everything that is doubtful", doubtful],
  ])("for each type %s, for groups with anything between them", (_, subjects) => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...subjects), fc.integer({ min: 1, max: 5 }), (text, [, subject], size) => {
        expect(streamed(subject, text, size)).toBe(subject.redact(text));
      }),
      { numRuns: runs(6000) },
    );
  });
});

describe("a place to cut", () => {
  const sets = [recognisers, ...recognisers.map((one) => [one])].map((set) => new Breaks(set));

  it("stays a place to cut whatever text follows", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...sets), (text, breaks) => {
        for (let index = 0; index < text.length; index++) {
          const whole = breaks.at(text, index);
          for (let known = index + 1; known < text.length; known++)
            if (breaks.at(text.slice(0, known), index)) expect([text, index, known, whole]).toContain(true);
        }
      }),
      { numRuns: runs(1500) },
    );
  });

  it("depends on at most 66 units before it", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...sets), (text, breaks) => {
        for (let index = 67; index < text.length; index++)
          expect(breaks.at(text.slice(index - 66), 66)).toBe(breaks.at(text, index));
      }),
      { numRuns: runs(1500) },
    );
  });
});
