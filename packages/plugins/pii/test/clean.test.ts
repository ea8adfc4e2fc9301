import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { recognisers } from "../src/recognisers/registry.js";
import { foundInShort, isCleanForWalkers } from "../src/redact/clean.js";
import { Engine } from "../src/redact/engine.js";
import { CleanTexts } from "../src/redact/remembering.js";
import { Session } from "../src/scan/session.js";

const isClean = (plan: Engine["plan"], text: string, before: string | undefined): boolean =>
  foundInShort(plan, text, before)?.length === 0 && isCleanForWalkers(plan, text);

const engine = Engine.of({
  ...Object.fromEntries(recognisers.map(({ type }) => [type, "redact" as const])),
  ticket: { recognizer: /TCK-\d{6}/, strategy: "redact" },
  staff: { recognizer: /\bEMP\w+/i, strategy: "redact", allow: ["EMPLOYEE"] },
  code: { recognizer: /\d{4}/, strategy: "redact", context: ["code"] },
  named: { strategy: "redact", deny: ["Jane Doe"] },
});
const words = fc.constantFrom(
  "jane@x.com",
  "4111 1111 1111 1111",
  "4111",
  " ",
  "\n",
  "10.0.0.1",
  "the word ",
  "+49 30 23125",
  "000",
  "x7",
  "https://x.com/a",
  "www.",
  "AKIA",
  "IOSFODNN7EXAMPLE",
  "\\u0040",
  "%40",
  "&#64;",
  "TCK-123456",
  "EMP",
  "employee",
  "code ",
  "1234",
  "Jane Doe",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----",
  "MII",
  "078-05-1120",
  "中",
  "😀",
  "\ud83d",
  "@",
);

/** Tells whether a session finds something in a text, which it takes in as one piece. */
function finds(text: string, before: string | undefined): boolean {
  let found = false;
  const sink = {
    plain() {},
    found() {
      found = true;
    },
  };
  const session = new Session(engine.plan, sink, before);
  session.push(text);
  session.end();
  return found;
}

describe("the short cut for short texts", () => {
  it("finds nothing only where a session finds nothing", () => {
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 12 }),
        fc.constantFrom(undefined, "", "password", "code", "phone"),
        (list, before) => {
          const text = list.join("");
          if (isClean(engine.plan, text, before)) expect(finds(text, before)).toBe(false);
        },
      ),
      { numRuns: runs(5000) },
    );
  });

  it("is taken for most texts in which there is nothing", () => {
    for (const text of ["shipped", "the order was sent on the 5th", "call_12", "411", "", "what was sent"]) {
      expect([text, isClean(engine.plan, text, "")]).toEqual([text, true]);
    }
  });
});

describe("the memory of clean texts", () => {
  const text = (index: number, length = 100): string => `${index} `.repeat(length).slice(0, length);

  it("knows a text by its content, and by what stood before it", () => {
    const clean = new CleanTexts();
    clean.add(text(1), "note");
    expect([
      clean.has(["", text(1)].join(""), "note"),
      clean.has(text(1), "password"),
      clean.has(text(2), "note"),
    ]).toEqual([true, false, false]);
    clean.add(text(1), undefined);
    expect([clean.has(text(1), undefined), clean.has(text(1), "note")]).toEqual([true, true]);
  });

  it("is bounded, forgets the oldest, and keeps what is in use", () => {
    const clean = new CleanTexts();
    clean.add(text(0), "");
    clean.add(text(1), "");
    for (let index = 2; index < 60_000; index++) {
      clean.add(text(index), "");
      if (index % 100 === 0) expect(clean.has(text(0), "")).toBe(true);
    }
    expect(clean.has(text(1), "")).toBe(false);
    let known = 0;
    for (let index = 0; index < 60_000; index++) if (clean.has(text(index), "")) known++;
    expect(known * 100).toBeLessThan(2 ** 21 + 200);
  });

  it("does not keep short texts, nor very long ones", () => {
    const clean = new CleanTexts();
    for (const one of [text(1, 63), text(1, 2 ** 20 + 1)]) {
      clean.add(one, "");
      expect(clean.has(one, "")).toBe(false);
    }
  });
});
