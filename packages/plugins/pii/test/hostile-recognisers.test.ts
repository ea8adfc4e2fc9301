import { describe, expect, it } from "@jest/globals";
import { createRedactor, type RecognizerFunction, type RecognizerMatch, type Rule } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";

const secret = "jane@x.com";
const text = `some text of ${secret}`;
const thrower = (): never => {
  throw new Error(secret);
};
function* endless(match: RecognizerMatch): Generator<RecognizerMatch> {
  for (;;) yield match;
}
function* breaking(): Generator<RecognizerMatch> {
  yield { start: 0, end: 4 };
  thrower();
}
const own = (recognizer: RecognizerFunction, rule: Partial<Rule> = {}) =>
  createRedactor({ own: { recognizer, strategy: "redact", ...rule } });

/** Recognisers that go wrong, and what is left of the text where that is ignored. */
const hostile: readonly [name: string, find: (text: string) => unknown, ignored: string][] = [
  ["throws", thrower, text],
  ["gives nothing to iterate", () => 7, text],
  ["gives undefined", () => undefined, text],
  ["gives a list of nothing", () => [null], text],
  ["matches outside the text", () => [{ start: 0, end: 99 }], text],
  ["matches before the text", () => [{ start: -1, end: 2 }], text],
  ["matches nothing", () => [{ start: 1, end: 1 }], text],
  ["matches backwards", () => [{ start: 4, end: 1 }], text],
  ["gives no numbers", () => [{ start: Number.NaN, end: 2 }], text],
  ["gives fractions", () => [{ start: 0.5, end: 2 }], text],
  ["gives strings", () => [{ start: "0", end: "4" }], text],
  ["gives half a match", () => [{ end: 4 }], text],
  ["gives a score above 1", () => [{ start: 0, end: 4, score: 2 }], text],
  ["gives a score that is none", () => [{ start: 0, end: 4, score: Number.NaN }], text],
  [
    "gives matches that throw when they are read",
    () => [
      {
        get start() {
          return thrower();
        },
        end: 4,
      },
    ],
    text,
  ],
  ["never ends giving the same match", () => endless({ start: 0, end: 4 }), `[REDACTED_OWN]${text.slice(4)}`],
  ["never ends giving empty matches", () => endless({ start: 0, end: 0 }), text],
  [
    "gives more matches than there are characters",
    () => Array.from({ length: text.length + 1 }, () => ({ start: 0, end: 4 })),
    `[REDACTED_OWN]${text.slice(4)}`,
  ],
  ["breaks off after a match", breaking, `[REDACTED_OWN]${text.slice(4)}`],
  [
    "gives one match that can be and one that cannot",
    () => [
      { start: 5, end: 9 },
      { start: 5, end: 999 },
    ],
    `some [REDACTED_OWN]${text.slice(9)}`,
  ],
];

/** Nothing in an error, but for its cause, tells what was in the text. */
const failure = expect.objectContaining({
  code: "ERR_PII_DETECTION_FAILED",
  types: ["own"],
  message: expect.stringMatching(/"own"(?!.*jane)/),
});

describe("a recogniser that", () => {
  it.each(hostile)("%s: is an error with its name", async (_, find) => {
    const redactor = own(find as RecognizerFunction);
    expect(() => redactor.redact(text)).toThrow(failure);
    expect(() => redactor.detect(text)).toThrow(failure);
    expect(() => redactor.value({ text })).toThrow(failure);
    const stream = redactor.stream();
    expect(() => stream.push(text) + stream.end()).toThrow(failure);
    await expect(own(async (given) => find(given) as []).redactAsync(text)).rejects.toEqual(failure);
  });

  it.each(hostile)(
    "%s: is ignored where its rule says so, and what it did find is taken out",
    async (_, find, left) => {
      const ignoring = { onRecognizerError: "ignore" } as const;
      const redactor = own(find as RecognizerFunction, ignoring);
      expect(redactor.redact(text)).toBe(left);
      const stream = redactor.stream();
      expect(stream.push(text) + stream.end()).toBe(left);
      expect(await own(async (given) => find(given) as [], ignoring).redactAsync(text)).toBe(left);
    },
  );

  it("gives matches that overlap: all of them are taken out, in windows too", async () => {
    const overlapping = (given: string) =>
      Array.from(given.matchAll(/(?=(ab?c?d|bcde|cdef))/g), ({ index, 1: found = "" }) => ({
        start: index,
        end: index + found.length,
      })).reverse();
    for (const rule of [{}, { maxLength: 4 }]) {
      const whole = `x abcdef ${"y".repeat(300)} abcdef`;
      expect(own(overlapping, rule).redact(whole)).not.toMatch(/[a-f]/);
      expect(await own(async (given) => overlapping(given), rule).redactAsync(whole)).not.toMatch(/[a-f]/);
    }
  });

  it("gives any matches: each unit that one of them covers is taken out, and no other", async () => {
    const range = fc.tuple(
      fc.nat(30_000),
      fc.integer({ min: 1, max: 9000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30_000 }),
        fc.array(range, { maxLength: 40 }),
        async (length, ranges) => {
          const whole = Array.from({ length }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
          const matches = ranges
            .map(([at, size, score]) => ({ start: at % length, end: Math.min((at % length) + size, length), score }))
            .slice(0, length);
          const covered = new Uint8Array(length);
          for (const { start, end } of matches) covered.fill(1, start, end);
          const left = [...whole].filter((_, at) => covered[at] === 0).join("");
          const removing = { strategy: () => "" };
          expect(own(() => matches, removing).redact(whole)).toBe(left);
          expect(await own(async () => matches, removing).redactAsync(whole)).toBe(left);
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it.each([undefined, 4096])("gives as many overlapping matches as it can: ends soon (maxLength %s)", (maxLength) => {
    const long = "x".repeat(5e4);
    const most = maxLength ?? long.length;
    const nested = ({ length }: string) =>
      Array.from({ length }, (_, start) => ({ start, end: Math.min(start + most - (start % 2), length) }));
    // Comparing each with each would take minutes.
    const start = process.cpuUsage();
    expect(own(nested, maxLength === undefined ? {} : { maxLength }).redact(long)).not.toContain("x");
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(4);
  });

  it("matches longer than it declared: is an error, and where that is ignored the match counts", () => {
    const find = () => [{ start: 0, end: 5 }];
    expect(() => own(find, { maxLength: 4 }).redact("1234567")).toThrow(failure);
    expect(own(find, { maxLength: 4, onRecognizerError: "ignore" }).redact("1234567")).toBe("[REDACTED_OWN]67");
  });

  it("keeps the rest of the word of a long match below the threshold", () => {
    const word = "w".repeat(1000);
    const unsure = createRedactor({ own: { recognizer: /w+/, score: 0.3, threshold: 0.5, strategy: "redact" } });
    expect(unsure.redact(word)).toBe(word);
  });

  it("returns a rejected promise without being async: the process continues", async () => {
    const rejecting = own((() => Promise.reject(new Error(secret))) as never, { onRecognizerError: "ignore" });
    expect(rejecting.redact(text)).toBe(text);
    await new Promise((resolve) => setTimeout(resolve));
  });

  it("ignores an answer after the timeout", async () => {
    let late: ((matches: RecognizerMatch[]) => void) | undefined;
    const redactor = own(() => new Promise((resolve) => (late = resolve)), {
      timeout: 1,
      onRecognizerError: "ignore",
    });
    const treated = redactor.redactAsync(text);
    expect(await treated).toBe(text);
    late?.([{ start: 0, end: 4 }]);
    expect(await treated).toBe(text);
  });

  it("is a thenable that throws, or answers with one", async () => {
    const thenable = (then: () => unknown) => own((() => ({ then })) as never, { timeout: 50 });
    await expect(thenable(thrower).redactAsync(text)).rejects.toEqual(failure);
    await expect(thenable(() => 7).redactAsync(text)).rejects.toEqual(failure);
  });
});

describe("a RegExp without g, or with a state", () => {
  it("finds every match, each time", () => {
    const pattern = /o\w/y.source;
    for (const flags of ["", "g", "gd", "i"]) {
      const recognizer = new RegExp(pattern, flags);
      recognizer.lastIndex = 5;
      const redactor = createRedactor({ own: { recognizer, strategy: () => "#" } });
      expect([redactor.redact("on on on"), redactor.redact("on")]).toEqual(["# # #", "#"]);
    }
  });
});

describe("rules that cannot be used are refused when they are made", () => {
  const find: RecognizerFunction = async () => [];
  it.each([
    ["a timeout of nothing", { recognizer: find, timeout: 0 }],
    ["a timeout that never comes", { recognizer: find, timeout: Number.POSITIVE_INFINITY }],
    ["a timeout for a pattern", { recognizer: /x/, timeout: 5 }],
    ["something else than fail and ignore", { recognizer: find, onRecognizerError: "open" }],
  ])("%s", (_, rule) => {
    expect(() => createRedactor({ own: { ...(rule as Rule), strategy: "redact" } })).toThrow(
      expect.objectContaining({ code: "ERR_PII_INVALID_RULE" }),
    );
  });
});
