import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { createRedactor } from "../src/index.js";
import { defaultTypes } from "../src/recognisers/registry.js";
import { ai } from "../src/recognisers/secret/formats/ai.js";
import { clouds } from "../src/recognisers/secret/formats/clouds.js";
import { code } from "../src/recognisers/secret/formats/code.js";
import { messaging } from "../src/recognisers/secret/formats/messaging.js";
import { observability } from "../src/recognisers/secret/formats/observability.js";
import { payments } from "../src/recognisers/secret/formats/payments.js";
import { services } from "../src/recognisers/secret/formats/services.js";
import { vaults } from "../src/recognisers/secret/formats/vaults.js";
import { drawing, seeded } from "./draw.js";

const rules = (more: object) =>
  Object.fromEntries(defaultTypes.map((type) => [type, { strategy: "redact", ...more } as const]));
/** Two redactors: with a word of the user's, which might stand anywhere, the second looks at all doubtful sites. */
const [redactor, closely] = [createRedactor(rules({})), createRedactor(rules({ context: ["qqqqqq"] }))];

const found = (text: string): string[] => redactor.detect(text).map(({ start, end }) => text.slice(start, end));

const numbers = "17 204.5 3 88-12 4 -0.25 1500 99 61 7.75 32 ".repeat(20);

describe("a text of numbers", () => {
  it("contains values after a word between the numbers", () => {
    expect(found(`${numbers} tel 301 55 0132 ${numbers}`)).toEqual(["301 55 0132"]);
    expect(found(`${numbers} телефон 301 55 0132 ${numbers}`)).toEqual(["301 55 0132"]);
    expect(found(`${numbers} SSN 078051121 ${numbers}`)).toEqual(["078051121"]);
    expect(found(`${numbers}M1 token=x8Kd02mQp1Zt77Lw3vB9 C1 ${numbers}`)).toEqual(["x8Kd02mQp1Zt77Lw3vB9"]);
    expect(found(`${numbers}\nmysql -p hunter2Abc9! 3 ${numbers}`)).toEqual(found("mysql -p hunter2Abc9! 3"));
  });

  it("contains a value after a distant word of the same stretch", () => {
    expect(found(`${numbers}1,2,3,x8y9,password:hunter2Abc9!,4,5 ${numbers}`)).toEqual(["hunter2Abc9!"]);
  });

  it("contains values that need no word, at any position", () => {
    const formed = ["+49 30 123456", "(415) 555-0132", "415.555.0132", "030 1234567", "00 49 30 1234567"];
    for (const number of formed) expect(found(`${numbers}; ${number}; ${numbers}`)).toEqual([number]);
  });

  it("has the tokens of each provider, as drawn from their formats", () => {
    const random = seeded(31);
    const missed: string[] = [];
    const tables = [ai, clouds, vaults, code, payments, messaging, observability, services];
    for (const [prefixes, rest] of tables.flatMap((table) => Object.values(table).flat())) {
      for (const prefix of prefixes.split(" ")) {
        for (let time = 0; time < 3; time++) {
          const text = `${numbers}${prefix}${drawing(rest, random)()} ${numbers}`;
          if (JSON.stringify(redactor.detect(text)) !== JSON.stringify(closely.detect(text))) missed.push(text);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it("has in it what a close look finds", () => {
    const piece = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom("12 ", "3.5 ", "-7 ", "0 ", "00", "M1", "L", "c-2.5", ",", "\n", "(", ")"),
      },
      { weight: 1, arbitrary: fc.constantFrom("tel ", "token=", "ssn ", " -p ", "é", "po", "key") },
      {
        weight: 1,
        arbitrary: fc.constantFrom("030 123456", "+4930123456", "078051121", "x8Kd02mQp1Zt77Lw3vB9", "555 01 32", "+1"),
      },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const text = pieces.join("");
        expect(redactor.detect(text)).toEqual(closely.detect(text));
      }),
      { numRuns: runs(300) },
    );
  });
});
