import { describe, expect, it } from "@jest/globals";
import { createRedactor, detect } from "@suite/pii";
import { recognisers } from "../src/recognisers/registry.js";

/** A value of each type that is sure by itself. */
const values = {
  email: "jane.doe@example.com",
  credit_card: "4111111111111111",
  ip: "192.168.7.9",
  mac: "00:1a:2b:3c:4d:5e",
  url: "https://www.example.org/a",
  phone: "+1 212 555 0132",
  us_ssn: "536-90-4399",
  iban: "GB82WEST12345698765432",
  crypto: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  secret: `ghp_${"aB3dE6gH9j".repeat(4).slice(0, 36)}`,
};
const cases = Object.entries(values);

const found = (text: string): string[] =>
  detect(text).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);

it("contains a value of every built-in type", () => {
  expect(Object.keys(values).sort()).toEqual(recognisers.map(({ type }) => type).sort());
});

describe.each(["\\n", "\\t", "\\r\\n", "\\b", "\\u000a", "\\u0020", "\\u2028", "\\u4e2d", "\\\\n", "\\\\\\\\t", '\\"'])(
  "behind %s, as JSON writes it",
  (mark) => {
    it.each(cases)("%s is found, and nothing of the escape taken", (type, value) => {
      for (const [before, behind] of [
        ["x", ""],
        ["", "x"],
        ["is:", ";"],
        ["7\\t", "\\t9"],
      ] as const)
        expect(found(`${before}${mark}${value}${behind && mark + behind}`)).toEqual([`${type} ${value}`]);
    });
  },
);

it.each([
  ["jane@x.com\\nbob@y.org", ["jane@x.com", "bob@y.org"]],
  ["see https:\\/\\/example.org\\/a\\/b\\n", ["https:\\/\\/example.org\\/a\\/b"]],
  ["to j\\u00fcrgen@m\\u00fcller.de\\n", ["j\\u00fcrgen@m\\u00fcller.de"]],
  ["%40 jane%40x.com\\nbob@y.org", ["jane%40x.com", "bob@y.org"]],
  ["C:\\new\\table\\readme, \\d+\\w", []],
  ["phone:\\t21255501\\nphone:\\n21255502", ["21255501", "21255502"]],
])("in %s", (text, expected) => {
  expect(detect(text).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});

it("reads JSON in strings of JSON as what it says, and leaves it valid", () => {
  const redactor = createRedactor(Object.fromEntries(cases.map(([type]) => [type, () => `#${type}#`])));
  for (const between of ["\n", "\t", " ", "\r\n", '"', "ü ", "/ "]) {
    const text = cases.map(([, value]) => value).join(between);
    let json: string = text;
    for (let depth = 0; depth < 4; depth++) {
      json = JSON.stringify(json);
      let read: unknown = redactor.redact(json);
      for (let up = 0; up <= depth; up++) read = JSON.parse(String(read));
      expect(read).toBe(redactor.redact(text));
    }
  }
});

it("does so over more than is held of a text without a place to cut", () => {
  const line = (row: number): string => `${String(row)}\\temail:jane${String(row)}@example.com\\tcard:4111111111111111`;
  const text = Array.from({ length: 2000 }, (_, row) => line(row)).join("\\n");
  expect(found(text)).toEqual(
    Array.from({ length: 2000 }, (_, row) => [
      `email jane${String(row)}@example.com`,
      "credit_card 4111111111111111",
    ]).flat(),
  );
});
