import { describe, expect, it } from "@jest/globals";
import { createRedactor, type RestoringRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { reads } from "../reads.js";

const redactor = createRedactor({
  email: "tokenize",
  credit_card: "tokenize",
  user_email: { recognizer: /U:\w+/, maxLength: 40, strategy: "tokenize" },
});
// Begins with a letter that no tag has: behind a begun token, a value must not look like the rest of it.
const mail = "anna.doe@example.com";
const values = [mail, "4111 1111 1111 1111", "U:bob"];
const tokens = values.map((value) => redactor.redact(value));
const names = tokens.map((token) => token.slice(1, -1));
const written = [
  ...tokens,
  ...names,
  ...tokens.map((token) => token.toLowerCase()),
  ...names.map((name) => `&lt;${name}&gt;`),
  ...names.map((name) => `\\u003c${name}\\u003e`),
  ...names.map((name) => `<${name.replaceAll("_", "\\_")}>`),
  ...names.map((name) => `%3C${name}%3E`),
];
const filler = [
  "The word ",
  "Email <",
  "<EMAIL_",
  "EMAIL_1_",
  "USER_",
  "CREDIT_CARD_1",
  "&l",
  "&lt;",
  "&gt;",
  "\\",
  "\\u003",
  "_",
  ">",
  "https://x.com/?q=",
  "evil.com/",
  ".evil.com",
  "ftp:",
  "data:",
  "www.",
  "![a](",
  "](<",
  ")",
  "]: ",
  '<a href="',
  '">',
  "<img src=",
  "\n\n",
  " ",
  "😀",
  "\ud83d",
  ...names.map((name) => name.slice(0, -1)),
  `${names[0]?.slice(0, -8)}zzzzzzzz`,
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...written), fc.constantFrom(...filler), fc.string({ maxLength: 5 })), {
    maxLength: 15,
  })
  .map((pieces) => pieces.join(""));

function pieced(subject: RestoringRedactor, text: string, cuts: readonly number[]): string[] {
  const stream = subject.restoreStream();
  const out: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    out.push(stream.push(text.slice(from, cut)));
    from = cut;
  }
  out.push(stream.push(text.slice(from)), stream.end());
  return out;
}
const characters = (text: string): number[] => Array.from({ length: text.length }, (_, index) => index);

describe("a stream that puts values back gives, joined, what restore gives", () => {
  it("for random texts and random cuttings", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(400), { maxLength: 20 }), (text, at) => {
        const cuts = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        expect(pieced(redactor, text, cuts).join("")).toBe(redactor.restore(text));
      }),
      { numRuns: runs(3000) },
    );
  });

  it("for one character at a time, and for every single cut", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const whole = redactor.restore(text);
        expect(pieced(redactor, text, characters(text)).join("")).toBe(whole);
        for (const cut of characters(text)) expect(pieced(redactor, text, [cut]).join("")).toBe(whole);
      }),
      { numRuns: runs(200) },
    );
  });

  it("and leaves no token with a value outside of links", () => {
    const harmless = filler.filter((piece) => !/[/:.(=]|<[a-z]/i.test(piece));
    const prose = fc
      .array(fc.oneof(fc.constantFrom(...written), fc.constantFrom(...harmless)), { maxLength: 15 })
      .map((pieces) => pieces.join("").replaceAll(/\]|<(?=[a-z]+\s)/gi, ""));
    fc.assert(
      fc.property(prose, fc.array(fc.nat(400), { maxLength: 20 }), (text, at) => {
        fc.pre(!/<(?!EMAIL|USER|CREDIT)[a-z]/i.test(text));
        const cuts = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        const out = pieced(redactor, text, cuts).join("");
        // A begun token and a value behind it may look like a token: the tag is drawn anew for each run of the tests.
        const left = values.reduce((rest, value) => rest.replaceAll(value, "|"), out);
        for (const name of names) expect(left.replaceAll("\\", "").toUpperCase()).not.toContain(name.toUpperCase());
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("the output of a stream", () => {
  it("never contains half a token", () => {
    fc.assert(
      fc.property(fc.constantFrom(...written), fc.constantFrom("", "See ", "so: \n"), (token, before) => {
        const given = pieced(redactor, `${before}${token} done`, characters(`${before}${token} done`));
        for (const upTo of characters(`${before}${token}`)) {
          const out = given.slice(0, upTo + 1).join("");
          expect(before.startsWith(out) || out.startsWith(before)).toBe(true);
          expect(out.slice(before.length)).not.toMatch(/^[<&\\%]|^[A-Z]{2}|_/i);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("holds back of prose at most the word that could become a token, and never much", () => {
    const stream = redactor.restoreStream();
    const prose = "Every user carries an emaciated ucredit <b> & so on; e-mail us (even Eve). ".repeat(4);
    let held = 0;
    for (const character of prose) {
      held += character.length - stream.push(character).length;
      expect(held).toBeLessThanOrEqual(7);
    }
    for (const piece of ["<", "EMAIL_", "EMAIL_1_b", "&lt;", "\\", "USER_EMAIL_1234567_bcd", "&#x3c;CREDIT_CARD_1"]) {
      const hostile = redactor.restoreStream();
      let most = 0;
      let back = 0;
      for (let times = 0; times < 3000; times++) {
        back += piece.length - hostile.push(piece).length;
        most = Math.max(most, back);
      }
      expect(most).toBeLessThanOrEqual(100);
    }
  });

  it("can go on after its end was asked for, with a token that is whole", () => {
    const stream = redactor.restoreStream();
    expect(stream.push("ask <EMAIL_")).toBe("ask ");
    expect(stream.end()).toBe("<EMAIL_");
    expect(stream.push(`${tokens[0]} `) + stream.end()).toBe(`${mail} `);
  });
});

describe("a stream with tokenize", () => {
  it("gives, joined, what redact gives, also with what looks like tokens", () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...values, ...written, ...filler), fc.string({ maxLength: 5 })), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(400), { maxLength: 20 }), (list, at) => {
        const text = list.join("");
        const cuts = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        const subject = createRedactor({ email: "tokenize", credit_card: "tokenize" });
        const whole = subject.redact(text);
        const stream = subject.stream();
        let out = "";
        let from = 0;
        for (const cut of cuts) {
          out += stream.push(text.slice(from, cut));
          from = cut;
        }
        expect(out + stream.push(text.slice(from)) + stream.end()).toBe(whole);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("the cost of restoring", () => {
  const hostile = ["a", "e", "<", "<<", "EMAIL_", "EMAIL_1_", "EMAIL_1_b", "_", "\\", "\\\\_", "&", "&lt;"];
  const links = ["<a ", '<a b="', "](", "https://", "www.", "((", "]:", "\n\n", "](<"];
  it.each([...hostile, ...links, ...names])("grows with the text alone: %j", (piece) => {
    const cost = (length: number): number => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      return reads(() => redactor.restore(text));
    };
    expect(cost(100_000)).toBeLessThan(12 * cost(10_000));
    expect(cost(1_000_000)).toBeLessThan(12 * cost(100_000));
  });
});
