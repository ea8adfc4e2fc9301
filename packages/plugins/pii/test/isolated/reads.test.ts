import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "@suite/pii";
import { reads } from "../reads.js";

// What counts them takes the place of built-in methods for a while, and V8 is slower with these ever after.

/** The growth of what is read, where a text has ten times the length. */
const growth = (read: (text: string) => void, piece: string): number => {
  const [middle = 0, large = 0] = [1e4, 1e5].map((length) => {
    const text = piece.repeat(length / piece.length);
    return reads(() => read(text));
  });
  return large / middle;
};

const begin = "-----BEGIN PRIVATE KEY-----";

describe("a secret", () => {
  it.each([
    "sk-",
    "xoxb-1",
    "eyJ.",
    "eyJ-",
    "a1=",
    "key=a1b2c3d4 ",
    "://a:b1@",
    "ghp_",
    "8Q~",
    "glpat-a1.",
    "-----BEGIN ",
  ])("costs no more per character in a long text of %j", (piece) => {
    const redactor = createRedactor({ secret: "redact" });
    expect(growth((text) => redactor.redact(text), piece)).toBeLessThan(12);
  });
});

describe("a private key", () => {
  const redactor = createRedactor({ secret: "redact", email: "redact", url: "redact" });

  it.each([begin, `${begin}\n`, "-", "BEGIN ", "-----BEGIN "])(
    "costs no more per character in a long text of %j",
    (piece) => {
      expect(growth((text) => redactor.redact(text), piece)).toBeLessThan(12);
    },
  );
});

describe("deny", () => {
  it.each(["Ann ", "a ", "a\u200b", "a a a a b ", "李", "Person 1", "\u200b"])(
    "reads at most 12 times as much of ten times as much of %j",
    (piece) => {
      const values = Array.from({ length: 1000 }, (_, index) => `Person ${index}`);
      const deny = [...values, "Ann Lee", `${"a ".repeat(100)}b`, "李李明"];
      const redactor = createRedactor({ name: { deny, strategy: () => "#" } });
      const streamed = (text: string) => {
        const stream = redactor.stream();
        stream.push(text);
        stream.end();
      };
      expect(growth(streamed, piece)).toBeLessThan(12);
    },
  );
});
