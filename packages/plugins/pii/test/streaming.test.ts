import { describe, expect, it } from "@jest/globals";
import { createRedactor, type PiiRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const redactor = createRedactor({
  email: "redact",
  credit_card: "mask",
  ip: "redact",
  mac: "hash",
  url: "redact",
  ticket: { recognizer: /TCK-\d{6}/, strategy: "redact" },
  staff: { recognizer: /\bEMP\w+/i, strategy: "redact" },
  code: {
    recognizer: (text) =>
      [...text.matchAll(/zq[a-z]{1,8}/g)].map((m) => ({ start: m.index, end: m.index + m[0].length })),
    maxLength: 12,
    strategy: "redact",
  },
});

const planted = [
  "jane.doe@example.com",
  "4111 1111 1111 1111",
  "4111-1111-1111-1111",
  "5555555555554444",
  "10.0.0.1",
  "2001:db8::1",
  "[::1]:8080",
  "fe80::1%eth0",
  "00:1a:2b:3c:4d:5e",
  "001a.2b3c.4d5e",
  "https://x.com/a?b=jane@x.com",
  "www.example.org.",
  "TCK-123456",
  "EMPloyee7",
  "zqabcdef",
  "jane%40x.com",
  "jane\\u0040x.com",
  "jane&#64;x.com",
  "ja\u200bne@x.com",
  "４１１１ １１１１ １１１１ １１１１",
];
const filler = [
  "the word ",
  "1 2 3 ",
  "😀",
  "谢谢",
  "@",
  "x@",
  "https://",
  "aa:bb:",
  "\n",
  '"',
  "(",
  ". ",
  "\ud83d",
  "4111 ",
];

const texts = fc
  .array(fc.oneof(fc.constantFrom(...planted), fc.constantFrom(...filler), fc.string({ maxLength: 8 })), {
    maxLength: 25,
  })
  .map((pieces) => pieces.join(""));

function pieced(stream: { push(chunk: string): string; end(): string }, text: string, cuts: readonly number[]): string {
  let out = "";
  let from = 0;
  for (const cut of cuts) {
    out += stream.push(text.slice(from, cut));
    from = cut;
  }
  return out + stream.push(text.slice(from)) + stream.end();
}

const characters = (text: string): number[] => Array.from({ length: text.length }, (_, index) => index);

function expectAnyCutting(subject: PiiRedactor, text: string): void {
  const whole = subject.redact(text);
  expect(pieced(subject.stream(), text, characters(text))).toBe(whole);
  for (const cut of characters(text)) expect(pieced(subject.stream(), text, [cut])).toBe(whole);
}

describe("a stream gives, joined, what redact gives", () => {
  it("for random texts and random cuttings", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(400), { maxLength: 30 }), (text, at) => {
        const cuts = at.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        expect(pieced(redactor.stream(), text, cuts)).toBe(redactor.redact(text));
      }),
      { numRuns: runs(2000) },
    );
  });

  it.each(["https://[the word ]the word ", "https://[the word [::1]:8080the word "])(
    "for a bracket that opens no address: %s",
    (text) => expectAnyCutting(redactor, text),
  );

  it("for one character at a time", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(pieced(redactor.stream(), text, characters(text))).toBe(redactor.redact(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it("for every single cut of a text with everything in it, inside surrogate pairs too", () => {
    expectAnyCutting(redactor, `${planted.join(" 😀 ")} and ${planted.join("，")}`);
  });

  it.each([
    ["a word", "a", 9001],
    ["an address", "https://x.com/a?b=c&", 700],
    ["digits", "1", 5000],
    ["digits in groups", "4111 ", 2000],
    ["emoji", "😀", 3000],
    ["an at sign", "a@", 4000],
  ])("for %s that is longer than what is held", (_, piece, times) => {
    const text = `see jane@x.com ${piece.repeat(times)}, then jane@x.com and ${piece.repeat(times)}`;
    const whole = redactor.redact(text);
    for (const size of [1, 7, 1000, 4095, 4096, 4097]) {
      const cuts = Array.from({ length: Math.floor(text.length / size) }, (__, index) => index * size);
      expect(pieced(redactor.stream(), text, cuts)).toBe(whole);
    }
  });
});

describe("what is held back", () => {
  it("is never part of a value that is taken out", () => {
    const stream = createRedactor({ email: "redact" }).stream();
    expect([..."mail jane.doe@example.com now, please"].map((character) => stream.push(character)).join("")).toBe(
      "mail [REDACTED_EMAIL] now, ",
    );
    expect(stream.end()).toBe("please");
  });

  it("keeps the halves of a surrogate pair together", () => {
    const windows = createRedactor({ own: { recognizer: () => [], maxLength: 10, strategy: "redact" } });
    const text = `a${"😀".repeat(400)}`;
    for (const stream of [redactor.stream(), windows.stream()]) {
      for (let at = 0; at < text.length; at++) expect(stream.push(text.charAt(at)).isWellFormed()).toBe(true);
      expect(stream.end().isWellFormed()).toBe(true);
    }
  });

  it("of plain prose is at most the current word", () => {
    const all = createRedactor({ email: "redact", credit_card: "redact", ip: "redact", mac: "redact", url: "redact" });
    const stream = all.stream();
    const prose = "It was a bright day (so they said), and nobody minded; not even the cat. ".repeat(5);
    let given = 0;
    for (let at = 0; at < prose.length; at++) {
      given += stream.push(prose.charAt(at)).length;
      const word = at + 1 - (prose.lastIndexOf(" ", at) + 1);
      expect(at + 1 - given).toBeLessThanOrEqual(word + 1);
    }
  });

  it.each(["a", "1 ", "4111 ", "a@", "ab:", "😀", "TCK-1", "%40", "zqa"])(
    "is bounded, however long %j goes on",
    (piece) => {
      const same = ({ value }: { readonly value: string }): string => value;
      const stream = createRedactor({
        ...Object.fromEntries(["email", "credit_card", "ip", "mac", "url"].map((type) => [type, same])),
        ticket: { recognizer: /TCK-\d{6}/, strategy: same },
      }).stream();
      let held = 0;
      let most = 0;
      for (let at = 0; at < 60_000; at += piece.length) {
        held += piece.length - stream.push(piece).length;
        most = Math.max(most, held);
      }
      expect(most).toBeLessThanOrEqual(4096 + 256);
    },
  );

  it("of an overlong address is replaced once, and its rest taken out to the end of the word", () => {
    const redact = createRedactor({ url: "redact" });
    expect(redact.redact(`see https://x.com/${"a".repeat(20_000)}, then`)).toBe("see [REDACTED_URL] then");
    expect(redact.detect(`see https://x.com/${"a".repeat(20_000)} then`)).toEqual([
      { type: "url", start: 4, end: 20_018, score: 1 },
    ]);
  });
});

describe("a stream that fails", () => {
  it("gives out nothing of a value that blocks, in any cutting, and nothing after it", () => {
    const text = "ok jane@example.com more text";
    const blocking = createRedactor({ email: "block" });
    for (let cut = 0; cut <= text.length; cut++) {
      const stream = blocking.stream();
      let out = "";
      expect(() => {
        out += stream.push(text.slice(0, cut));
        out += stream.push(text.slice(cut));
        out += stream.end();
      }).toThrow(expect.objectContaining({ code: "ERR_PII_BLOCKED", types: ["email"] }));
      expect("ok ".startsWith(out)).toBe(true);
      expect(() => stream.push("x")).toThrow(expect.objectContaining({ code: "ERR_PII_BLOCKED" }));
    }
  });

  it("says so when it is used after its end", () => {
    const stream = redactor.stream();
    stream.end();
    expect(() => stream.push("x")).toThrow(expect.objectContaining({ code: "ERR_PII_STREAM_ENDED" }));
  });
});
