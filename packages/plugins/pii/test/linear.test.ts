import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";

const builtIn = createRedactor({ email: "redact", credit_card: "redact", ip: "redact", mac: "redact", url: "redact" });
const user = createRedactor({
  nested: { recognizer: /(?:a+)+b/, strategy: "redact" },
  bounded: { recognizer: /a{3,40}@c/, strategy: "redact" },
});

/** Units of text that are read, by way of the two methods that read them. */
function reads(run: () => void): number {
  const { charCodeAt, slice } = String.prototype;
  let count = 0;
  String.prototype.charCodeAt = function (at) {
    count++;
    return charCodeAt.call(this, at);
  };
  String.prototype.slice = function (from, to) {
    const part = slice.call(this, from, to);
    count += part.length;
    return part;
  };
  try {
    run();
  } finally {
    Object.assign(String.prototype, { charCodeAt, slice });
  }
  return count;
}

/** The quickest of a few runs, in milliseconds. */
function time(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const hostile = [
  "a",
  "@",
  "a@",
  "a@a.",
  "1",
  "1 ",
  "4111 ",
  "1.",
  "1.1.1.1",
  ":",
  "::",
  "1:",
  "ab:",
  "ab-",
  "abcd.",
  "://",
];
const more = [
  "http://",
  "http://a/(",
  "www.",
  "-www.1",
  "%40",
  "\\u0040",
  "&#64;",
  "\u200b",
  "１",
  "(",
  "a.a@a.a",
  "😀",
  "\ud83d",
];

describe("work grows with the length of the text, and not faster", () => {
  it.each([...hostile, ...more])("on %j: what is read, at most 12 times per step from 10^4 to 10^6", (piece) => {
    const [small = 0, middle = 0, large = 0] = [1e4, 1e5, 1e6].map((length) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      return reads(() => builtIn.redact(text));
    });
    expect(middle / small).toBeLessThan(12);
    expect(large / middle).toBeLessThan(12);
  });

  // Ten times is linear and a hundred quadratic; between them there is room for a busy machine.
  it.each(["a@a.", "4111 ", "1.1.1.1 ", "-www.1", "jane@x.com,", "%40", "https://a.b/("])("on %j: time", (piece) => {
    const [middle = 0, large = 0] = [1e5, 1e6].map((length) => {
      const text = piece.repeat(Math.ceil(length / piece.length));
      return time(() => builtIn.redact(text));
    });
    expect(large / Math.max(middle, 1)).toBeLessThan(40);
  });

  it("on users' patterns that another engine would never end", () => {
    const short = time(() => user.redact("a".repeat(1e4)));
    const long = time(() => user.redact("a".repeat(1e5)));
    expect(long / Math.max(short, 1)).toBeLessThan(40);
  });

  it("on a stream of single characters that never ends a word", () => {
    const run = (length: number): void => {
      const stream = builtIn.stream();
      for (let at = 0; at < length; at++) stream.push("a");
      stream.end();
    };
    run(1e4);
    const short = time(() => run(2e4));
    const long = time(() => run(2e5));
    expect(long / Math.max(short, 1)).toBeLessThan(40);
  });
});
