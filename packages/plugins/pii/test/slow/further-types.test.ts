import { describe, expect, it } from "@jest/globals";
import { createRedactor, defaultTypes, detect, furtherTypes, type PiiRedactor } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../../scripts/runs.mjs";
import { furtherRecognisers } from "../../src/recognisers/registry.js";
import { furtherValues } from "../further-values.js";
import { reads } from "../reads.js";

const redactorOf = (types: readonly string[]): PiiRedactor =>
  createRedactor(
    Object.fromEntries(types.map((type) => [type, ({ value }: { value: string }) => `<${type} ${value}>`])),
  );
const found = (type: string, text: string): string[] =>
  detect(text, { types: [type] }).map(({ start, end }) => text.slice(start, end));

it("there are values of each type by choice, and none is looked for unless it is named", () => {
  expect(Object.keys(furtherValues).sort()).toEqual([...furtherTypes].sort());
  expect(defaultTypes.filter((type) => furtherTypes.includes(type))).toEqual([]);
  for (const { label, alone, labelled } of Object.values(furtherValues)) {
    for (const value of [...alone, ...labelled]) {
      const types = detect(`${label}${value}.`).map(({ type }) => type);
      expect(types.filter((type) => furtherTypes.includes(type))).toEqual([]);
    }
  }
});

describe.each(Object.entries(furtherValues))("%s", (type, { label, alone, labelled, wrong }) => {
  it("finds values where they stand in prose, lists, JSON and fields", () => {
    for (const value of [...alone, ...labelled]) {
      const before = labelled.includes(value) ? label : "so ";
      for (const text of [
        `${before}${value}`,
        `${before}${value}, and on`,
        `(${before}${value}).`,
        `${before}"${value}"\n`,
      ]) {
        expect([text, found(type, text)]).toEqual([text, [value]]);
      }
      expect(createRedactor({ [type]: "redact" }).redact(JSON.stringify({ a: `${before}${value}\n` }))).toContain(
        "REDACTED",
      );
    }
  });

  it("needs a word for what might be anything else", () => {
    for (const value of labelled) expect([value, found(type, `so ${value}, and on`)]).toEqual([value, []]);
  });

  it("does not find what has a wrong check digit or cannot be, also behind the word", () => {
    for (const value of wrong) {
      expect([value, found(type, `so ${value}, and on`)]).toEqual([value, []]);
      expect([value, found(type, `${label}${value}, and on`)]).toEqual([value, []]);
    }
  });

  it("does not find a part of something longer", () => {
    for (const value of [...alone, ...labelled]) {
      for (const text of [
        `${label}x${value}`,
        `${label}${value}x`,
        `${label}1${value}`,
        `${label}${value}_1`,
        `${label}${value}1`,
      ]) {
        expect([text, found(type, text).filter((one) => one === value)]).toEqual([text, []]);
      }
    }
  });

  it("is the same in a stream, cut anywhere", () => {
    const text = [...alone, ...labelled, ...wrong].map((value) => `${label}${value} and ${value},\n`).join("");
    const redactor = redactorOf([type]);
    const whole = redactor.redact(text);
    const pieces = (cuts: readonly number[]): string => {
      const stream = redactor.stream();
      const out = cuts.map((cut, index) => stream.push(text.slice(cuts[index - 1] ?? 0, cut)));
      return out.join("") + stream.push(text.slice(cuts.at(-1))) + stream.end();
    };
    expect(pieces(Array.from({ length: text.length }, (_, at) => at))).toBe(whole);
    for (let cut = 1; cut < text.length; cut += text.length > 800 ? 7 : 1) expect(pieces([cut])).toBe(whole);
  });

  it("reads in proportion to the text", () => {
    const alone = createRedactor({ [type]: "redact" });
    const all = [...(furtherValues[type]?.alone ?? []), ...labelled, ...wrong].slice(0, 3);
    for (const piece of [
      ...all,
      ...all.map((value) => `${label}${value} `),
      "1",
      "1 ",
      "A",
      "A1",
      "A1 ",
      "12-",
      "AB 12 ",
      "1.",
      "1/",
      "12 March ",
    ]) {
      const read = (length: number): number =>
        reads(() => alone.redact(piece.repeat(Math.ceil(length / piece.length))));
      expect([piece, read(100_000) / read(10_000) < 12]).toEqual([piece, true]);
    }
  });
});

it("all types together give the same in a stream that is cut anywhere", () => {
  const values = Object.values(furtherValues).flatMap(({ label, alone, labelled, wrong }) => [
    label,
    ...alone,
    ...labelled,
    ...wrong,
  ]);
  const noise = [
    "12 ",
    "AB ",
    "A1 ",
    "\n",
    ", ",
    " de ",
    "March ",
    "1985",
    "4111 1111 1111 1111 ",
    "😀",
    "１２",
    "\u200b",
    "&#64;",
    "\\n",
  ];
  const redactor = redactorOf([...defaultTypes, ...furtherTypes]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...values, ...noise, ...noise), { minLength: 1, maxLength: 12 }),
      fc.constantFrom("", " "),
      fc.integer({ min: 1, max: 9 }),
      (pieces, between, size) => {
        const text = pieces.join(between);
        const stream = redactor.stream();
        let out = "";
        for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
        expect(out + stream.end()).toBe(redactor.redact(text));
      },
    ),
    { numRuns: runs(1000) },
  );
});

it("codes and expiry dates beside a card are found without a word", () => {
  const text = "4111 1111 1111 1111 09/27 123, 4111 1111 1111 1112 09/27 123, 4111111111111111, port: 443";
  expect(found("cvv", text)).toEqual(["123"]);
  expect(found("card_expiry", text)).toEqual(["09/27"]);
});

it("the name of a field counts as a context word", () => {
  const redactor = createRedactor({
    uk_nhs: "redact",
    date_of_birth: "redact",
    passport: "redact",
    us_routing: "redact",
  });
  const person = {
    nhsNumber: "9434765919",
    dateOfBirth: "1985-03-12",
    passport_no: "X1234567",
    abaRtn: "021000021",
    order: "9434765919",
  };
  expect(redactor.value(person)).toEqual({
    nhsNumber: "[REDACTED_UK_NHS]",
    dateOfBirth: "[REDACTED_DATE_OF_BIRTH]",
    passport_no: "[REDACTED_PASSPORT]",
    abaRtn: "[REDACTED_US_ROUTING]",
    order: "9434765919",
  });
});

it("one value has one hash, however it is grouped", () => {
  const redactor = createRedactor({ in_aadhaar: "hash", uk_nino: "hash" }, { hashKey: "0123456789abcdef" });
  const hashes = ["Aadhaar 2341 2341 2346", "Aadhaar 234123412346"].map((text) => redactor.redact(text));
  expect(new Set(hashes).size).toBe(1);
  expect(redactor.redact("AB 12 34 56 C")).toBe(redactor.redact("AB123456C"));
});

it("all types together have at most 32 joins", () => {
  const all = new Set(furtherRecognisers.flatMap(({ joins }) => joins ?? []));
  expect(all.size).toBeLessThanOrEqual(6);
});
