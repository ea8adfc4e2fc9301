import { describe, expect, it } from "@jest/globals";
import { createRedactor, type PiiRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { recognisers } from "../../src/recognisers/registry.js";

const builtIn = recognisers.map(({ type }) => type);

const redactor = createRedactor({
  ...Object.fromEntries(builtIn.map((type) => [type, "redact" as const])),
  credit_card: "mask",
  mac: "hash",
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
  "card 4539  5787  6362  1486",
  "card 4539 5787\r\n6362 1486",
  "card 45395787\n63621486",
  "4539\u20135787\u20136362\u20131486",
  "45 39 57 87 63 62 14 86",
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
  "\\tjane@m\\u00fcller.com\\n",
  "https:\\/\\/x.com\\/a",
  "7,4111111111111111,2",
  "x,https://x.com/a,b",
  "ja\u200bne@x.com",
  "４１１１ １１１１ １１１１ １１１１",
  "+1 (212) 555-0147 ext. 12",
  "(030) 23125-000 x7",
  "0044 (0)20 7946 0018",
  "phone 21255501",
  "078 05 1121",
  "DE75 5121 0800 1245 1261 99",
  "GB33 BUKB 2020 1555 5555 55",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a",
  "shop.example.com/a",
  "http://例子.中国/路径",
  "https://x.org/wiki/中国_(a)",
  "http://➡.ws/a",
  "www.例子.com",
  "https:\\/\\/例子.com\\/a%20b",
  "用户@x.com",
  "_jane@x.com_",
  "//example.com/x",
  'site "service.instance.id": 7',
  'site "service.instance.id" : 7',
  "https://x.com/a,7\n",
  "jane@m中ller.com",
  "o’brien@x.com",
  "иванov@x.com",
  "j%C3%BCrgen%2540m%C3%BCller.de",
  "jane=40x.com",
  "password=hunter22&x!y",
  "mysql -u root -phunter22 x",
  "docker login -p 'hunter&2(x)'",
  "okta = Q7xZ2mK9vB4nT8wR3yL6pD1s",
  "Cookie: theme=dark; sid=Q7xZ2mK9vB4nT8wR3yL6pD1s",
  '"jane.o"@x.com',
  "MAC 00 1a 2b 3c 4d 5e",
  "MAC 123 45 67 89 01 23 45",
  "password: hunter2xyz",
  `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`,
  "https://user:s3cr3tpw@x.com/a",
  `-----BEGIN PRIVATE KEY-----\n${"MC4CAQAwBQYDK2Vw".repeat(4)}\nQm7tR2\n-----END PRIVATE KEY-----`,
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
  "+49",
  " (0)",
  " x",
  "DE75 ",
  "AB12 ",
  "SSN ",
  '"a',
  "中",
  ".de",
  "http://中",
  "@例",
  "- ",
  "key: ",
  "\\n",
  "\\",
  "\\\\t",
  "\\u00",
  "=4",
  "%C3",
  "’",
  "&x=",
  "1,",
  ",2",
  "\r\n4539",
  "  4539",
  "\u20134539",
  "-----",
  "-----BEGIN ",
];

/** The halves of values that were cut off. */
const halves = fc
  .tuple(fc.constantFrom(...planted), fc.nat(80), fc.boolean())
  .map(([value, at, first]) => (first ? value.slice(0, at) : value.slice(at)));

const texts = fc
  .array(fc.oneof(fc.constantFrom(...planted), halves, fc.constantFrom(...filler), fc.string({ maxLength: 8 })), {
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

  // Where other types hold text back, they would hide that one does not.
  it.each(builtIn)("for %s alone: every single cut of every value", (type) => {
    const alone = createRedactor({ [type]: "redact" });
    for (const value of planted) expectAnyCutting(alone, `AB12 ${value} x`);
  });

  it.each(["https://[the word ]the word ", "https://[the word [::1]:8080the word "])(
    "for a bracket that opens no address: %s",
    (text) => expectAnyCutting(redactor, text),
  );

  it.each(["AB12 GB33 BUKB 2020 1555 5555 55\n", "DE75 GB33 BUKB 2020 1555 5555 55 a", "x1 00 1a 2b 3c 4d 5e 00 1a"])(
    "for groups that could be the beginning of something else: %s",
    (text) => expectAnyCutting(redactor, text),
  );

  it.each([
    ["an apostrophe behind a digit", "7’@x.com\t"],
    ["an apostrophe before a mark", "a’@x.com, 0’b@x.com "],
    ["a card's groups over two spaces and a line end", "card4539  5787  6362  1486\n453\t"],
    ["a short number before digits that are no group of it", "+494111 .1, +496362  6\n"],
    ["a hyphen behind a bracket", "212)- 5512, 212) - 5512 212 )- 5512x"],
    ["an extension before another end of a line", "\\n030)125000 x7谢\u2028"],
    ["an extension behind an escape", "03 2312\\u003000 x7“\r"],
    ["a bracket between a scheme and a colon", "see https://<a:jane@x.com and"],
  ])("for %s", (_, text) => {
    expectAnyCutting(redactor, text);
    for (const type of builtIn) expectAnyCutting(createRedactor({ [type]: "redact" }), text);
  });

  it("for one character at a time", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(pieced(redactor.stream(), text, characters(text))).toBe(redactor.redact(text));
      }),
      { numRuns: runs(500) },
    );
  });

  it("for words that stand far before a value, far into a stream", () => {
    const subject = createRedactor({
      phone: "redact",
      ticket: { recognizer: /\b\d{6}\b/, score: 0.2, context: ["ticket"], strategy: "redact" },
    });
    const far = (word: string, value: string): string => `${word} ${"so it was, ".repeat(5)}${value}. `;
    const text = ["", "a ", "word "]
      .map((pad) => pad + far("phone", "21255501") + far("ticket", "123456"))
      .join("but no, ".repeat(40));
    expect(subject.redact(text).match(/REDACTED_(?:PHONE|TICKET)/g)).toHaveLength(6);
    expectAnyCutting(subject, text);
  });

  it.each([" 😀 ", "，", "\n"])(
    "for every single cut of a text with everything in it, inside surrogate pairs too, with %j between",
    (between) => expectAnyCutting(redactor, planted.join(between)),
  );

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

describe("text that is held back", () => {
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
    const stream = createRedactor(Object.fromEntries(builtIn.map((type) => [type, "redact" as const]))).stream();
    const prose = 'It was a bright day (so "they" said) - and nobody, in 1999, minded; not even THE cat. '.repeat(5);
    let given = 0;
    for (let at = 0; at < prose.length; at++) {
      given += stream.push(prose.charAt(at)).length;
      const word = at + 1 - (prose.lastIndexOf(" ", at) + 1);
      expect(at + 1 - given).toBeLessThanOrEqual(word + 1);
    }
  });

  it.each([
    ["a phone number with an extension", "+1 (212) 555-0147 ext", "+1 (212) 555-0147 ext"],
    ["a phone number that may go on", "call 030 23125 ", "030 23125 "],
    ["an account in groups", "to DE75 5121 0800 ", "DE75 5121 0800 "],
    ["a quoted local part", 'it is "jane', '"jane'],
    ["a host in another script", "看http://例子", "http://例子"],
    ["no account where the country has none", "in AB75 WXYZ x", "x"],
    ["no account once it is whole", "to NO83 3000 1234 567 a", "a"],
    ["no local part once there is a space", 'it is "jane o', "o"],
  ])("is %s", (_, text, held) => {
    const stream = createRedactor(Object.fromEntries(builtIn.map((type) => [type, () => "#"]))).stream();
    const given = [...text].map((character) => stream.push(character)).join("");
    expect(given + (given.includes("#") ? "" : held)).toBe(given.includes("#") ? given : text);
    expect(given.endsWith(held)).toBe(false);
  });

  it.each([
    "a",
    "1 ",
    "4111 ",
    "a@",
    "ab:",
    "😀",
    "TCK-1",
    "%40",
    "zqa",
    "+1 (",
    "DE75 ",
    "中",
    '"a',
    "1a ",
    "http://中",
  ])("is bounded, however long %j goes on", (piece) => {
    const same = ({ value }: { readonly value: string }): string => value;
    const stream = createRedactor({
      ...Object.fromEntries(builtIn.map((type) => [type, same])),
      ticket: { recognizer: /TCK-\d{6}/, strategy: same },
    }).stream();
    let held = 0;
    let most = 0;
    for (let at = 0; at < 60_000; at += piece.length) {
      held += piece.length - stream.push(piece).length;
      most = Math.max(most, held);
    }
    expect(most).toBeLessThanOrEqual(4096 + 256);
  });

  it("of an overlong address is replaced once, and its rest taken out to the end of the word", () => {
    const redact = createRedactor({ url: "redact" });
    expect(redact.redact(`see https://x.com/${"a".repeat(20_000)}, then`)).toBe("see [REDACTED_URL] then");
    expect(redact.detect(`see https://x.com/${"a".repeat(20_000)} then`)).toEqual([
      { type: "url", start: 4, end: 20_018, score: 0.96 },
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
