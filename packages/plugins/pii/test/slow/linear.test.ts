import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import { recognisers } from "../../src/recognisers/registry.js";
import { reads } from "../reads.js";

/**
 * Each ten times as long as the one before; with the third it takes a minute. The first is three of the stretches (4,096
 * units) that are decided together and little more, so that the end of a text, which is read less, counts as little in it
 * as in longer ones.
 */
const lengths = process.env.TEST_LONG === undefined ? [12_300, 123_000] : [12_300, 123_000, 1_230_000];

const mark = (word: string): string => `-----${word} PRIVATE KEY-----`;

/** A text that is said over and over. Of a pair the first text stands in front, once. */
type Said = string | readonly [head: string, piece: string];

/** Hostile texts by the recogniser that each is made for. */
const hostile: Readonly<Record<(typeof recognisers)[number]["type"], readonly Said[]>> = {
  email: [
    "@",
    "a@",
    "a@a.",
    "a.a@a.a",
    "a.",
    "jane@x.com,",
    '"a',
    '"a"@',
    "a@中",
    "%40",
    "\\u0040",
    "&#64;",
    "＠",
    "=40a",
    "%C3%BC",
    "%25",
    "a’",
    "\\n",
    "\\\\",
    "://a:a@",
    "中@",
    "中中@a.com",
    "_a@a.aa_",
  ],
  credit_card: [
    "1",
    "1 ",
    "4111 ",
    "4111-1111-",
    "4111111111111111 ",
    "１",
    "1\u200b",
    "41 ",
    "4111  ",
    "4111\u2013",
    "4111 1111\n",
    "4111.",
  ],
  ip: ["1.", "1.1.1.1", "1.1.1.1 ", ":", "::", "1:", "1::%", ["::1%", "a."], "[::1]:"],
  mac: ["ab:", "ab-", "abcd.", "00 1a ", "00 "],
  url: [
    "://",
    "http://",
    "http://a/(",
    "www.",
    "-www.1",
    "a.com",
    ".com",
    "x.de ",
    "http://中",
    "http://中/中",
    ["http://a/", "("],
    ["http://a/", "&gt"],
    "http://a/中/",
    "http://a/b,",
    "\nhttp://a/b,c",
    "www.中",
    "http://➡",
    "://💡",
    "_a.com_",
    "//a.com",
    "https:\\/\\/a.com%20",
  ],
  phone: [
    "+1",
    "(1",
    "12 ",
    "030 ",
    "415-555-0132 ",
    "123-",
    "1 x ",
    "1 ext. ",
    "+1 212 ",
    "phone 1234567 ",
    "1 - (",
    "(0) ",
  ],
  us_ssn: ["078-05-", "219-09-9998 ", "078 05 1120 ", "SSN 078051120 "],
  iban: ["DE89 ", "GB82 WEST ", "AA11 1111 ", "DE89", "NO83 3000 1234 567 "],
  crypto: ["1Bz2", "1Bz2 ", "a1_", "bc1q", "0xab", ["bitcoincash:", "q1"]],
  secret: [
    "ghp_a1",
    "sk-",
    "a1-",
    "eyJhbGciOiJIUzI1NiJ9.",
    "key=a1b2c3 ",
    "password=a1&",
    "password: a1&b",
    "Cookie: a=b; ",
    "mysql -pa1 ",
    "password: Q1!",
    "password='a1&",
    "password=@1(",
    "okta a1B2c3D4e5F6g7H8i9J0 ",
    "okta token ",
    "Password for a1: ",
    "https://a:b@",
    "hooks.slack.com/services/a1",
    "-----BEGIN ",
    mark("BEGIN"),
    `${mark("BEGIN")}\n${"A1b2".repeat(9)}\n`,
    [mark("BEGIN"), "A1b2"],
    [mark("BEGIN"), "\\"],
    [mark("BEGIN"), "\\\\A1b2c3d4e5A1b2c3d4e5A1b2c3d4e5 "],
    [mark("BEGIN"), "Proc-Type: 4,ENCRYPTED\n"],
    [mark("BEGIN"), "Ab"],
    ["eyJhbGciOiJIUzI1NiJ9.", "eyJ"],
  ],
};
const others = ["a", "(", "\u200b", "😀", "\ud83d", "中", "\n", "<"];

/** A hostile text of that length. */
function hostileText(said: Said, length: number): string {
  const [head, piece] = typeof said === "string" ? ["", said] : said;
  return head + piece.repeat(Math.ceil((length - head.length) / piece.length));
}

/** The factors by which a measure grows from each length to the next. */
function growth(measure: (length: number) => number): readonly number[] {
  const measured = lengths.map(measure);
  return measured.slice(1).map((more, index) => more / (measured[index] ?? 0));
}

/** Ten times the text is less than twelve times the reading. */
function expectReads(run: (length: number) => void): void {
  for (const times of growth((length) => reads(() => run(length)))) expect(times).toBeLessThan(12);
}

/**
 * Checks how often an expression goes back over what it has read. That cannot be counted, but shows in the time that the
 * processor spends in this process, whatever else it does meanwhile. Ten times is linear and a hundred quadratic.
 */
function expectWork(run: (length: number) => void): void {
  const timed = (length: number): number => {
    const start = process.cpuUsage();
    run(length);
    const { user, system } = process.cpuUsage(start);
    return Math.max(1000, user + system);
  };
  let most = 0;
  for (let tries = 0; tries < 3 && (most === 0 || most >= 40); tries++) most = Math.max(...growth(timed));
  expect(most).toBeLessThan(40);
}

const types = Object.keys(hostile) as (keyof typeof hostile)[];
const all = createRedactor(Object.fromEntries(types.map((type) => [type, "redact"])));

it("for every recogniser there are hostile texts", () => {
  expect(types.toSorted()).toEqual(recognisers.map(({ type }) => type).sort());
});

describe.each(types)("%s alone reads less than twelve times as much of ten times the text", (type) => {
  const alone = createRedactor({ [type]: "redact" });

  it.each(hostile[type].map((said) => [said]))("on %j", (said) => {
    expectReads((length) => alone.redact(hostileText(said, length)));
  });
});

describe("all types together read, and work, in proportion to the text", () => {
  it.each([...types.flatMap((type) => hostile[type]), ...others].map((said) => [said]))("on %j", (said) => {
    expectReads((length) => all.redact(hostileText(said, length)));
    expectWork((length) => all.redact(hostileText(said, length)));
  });

  it.each([["a"], ["4111 "], ["http://中"], [mark("BEGIN")]])("in single characters, on %j", (piece) => {
    const run = (length: number): void => {
      const stream = all.stream();
      for (const unit of hostileText(piece, length)) stream.push(unit);
      stream.end();
    };
    // Both lengths are beyond what is held back at most.
    expectReads(run);
    expectWork((length) => run(length / 4));
  });
});

describe("users' recognisers work in proportion to the text", () => {
  it.each([
    ["a pattern that another engine would never end", "a", /(?:a+)+b/],
    ["a pattern with many ways to match", "a", /(?:a|aa|aaa){3,40}@c/],
    ["a pattern that nearly matches everywhere", "ab", /\b(?:\w+\s?){1,9}!/],
    ["a pattern without a longest match", "EMP1 ", /EMP\w+/],
    ["matches that touch each other", "TCK-123456", /TCK-\d{6}/],
  ])("%s", (_, piece, recognizer) => {
    const own = createRedactor({ own: { recognizer, strategy: "redact" } });
    expectWork((length) => own.redact(hostileText(piece, length)));
  });

  it("calls a function with bounded windows", () => {
    let given = 0;
    const own = createRedactor({
      own: {
        recognizer(text) {
          given += text.length;
          return [];
        },
        maxLength: 20,
        strategy: "redact",
      },
    });
    const read = (length: number): number => {
      given = 0;
      own.redact("a".repeat(length));
      return given;
    };
    for (const times of growth(read)) expect(times).toBeLessThan(12);
  });
});
