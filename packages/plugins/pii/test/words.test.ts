import { describe, expect, it } from "@jest/globals";
import { createRedactor, type PiiRedactor } from "../src/index.js";
import { defaultTypes } from "../src/recognisers/registry.js";
import { nearestLabel } from "../src/scan/nearest-label.js";
import { labelSetOf, Words } from "../src/scan/words.js";
import { seeded } from "./draw.js";

const rules = (more: object) =>
  Object.fromEntries(defaultTypes.map((type) => [type, { strategy: "redact", ...more } as const]));
/** Two redactors: with a word of the user's, which might stand anywhere, the second looks at everything closely. */
const [redactor, closely] = [createRedactor(rules({})), createRedactor(rules({ context: ["qqqqqq"] }))];

const spans = (finder: PiiRedactor, text: string): string[] =>
  finder.detect(text).map(({ type, start, end }) => `${type} ${start} ${text.slice(start, end)}`);

function drawer(seed: number) {
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  return { below, of: (from: readonly string[]): string => from[below(from.length)] ?? "" };
}

/** Values that need a word before them, and such as do not. */
const values = [
  "(415) 555-0132",
  "415-555-0132",
  "1-415-555-0132",
  "+49 30 123456",
  "+1 (415) 555-0132 ext. 12",
  "(+49) 30 123456",
  "030 1234567",
  "06 12 34 56 78",
  "0176/12345678",
  "0049 30 1234567",
  "011 44 20 7946 0000",
  "49 (30) 1234 567",
  "8 (495) 123-45-67",
  "5550132",
  "4155550132",
  "301 555 0132",
  "078-05-1121",
  "078051121",
  "DE75512108001245126199",
  "4111 1111 1111 1111",
  "4111111111111111",
  "AKIAQ4VZ7KPLTM3XWNRD",
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "1/1234567890123:5f2b8e0a1c2d4e5f8a9b0c1d2e3f4a5b",
  "6789012345:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc",
  "x8Kd02mQp1Zt77Lw3vB9",
  "hunter2Abc9!",
  "https://a:b1c2d3@x.com",
  "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
];
const words = [
  "phone: ",
  "tel ",
  "SSN ",
  "wallet ",
  "iban ",
  "card ",
  "password=",
  "api_key: ",
  "token ",
  "Digital Ocean ",
  "mysql -p",
  "curl -u 7:",
  "saxophone ",
  "电话 ",
  "телефон ",
  "row ",
  "translate(",
  "fill=",
];
const separators = [" ", ",", "\n", "\t", "  ", " | ", ", ", ";", "-", ".", "/", " M", "L", ")", "\u00a0"];

describe("a text of numbers", () => {
  it("has in it what reading it closely finds, with and without words before the values", () => {
    const draw = drawer(20_260);
    for (let round = 0; round < 400; round++) {
      let text = "";
      const usual = draw.of(separators);
      while (text.length < 1200) {
        const chance = draw.below(40);
        if (chance === 0) text += draw.of(values);
        else if (chance === 1) text += draw.of(words) + draw.of(values);
        else if (chance === 2) text += draw.of(words);
        else text += (draw.below(10 ** (1 + draw.below(6))) / 10 ** draw.below(4)).toString();
        text += draw.below(8) === 0 ? draw.of(separators) : usual;
      }
      expect([text, spans(redactor, text)]).toEqual([text, spans(closely, text)]);
    }
  });
});

describe("the words before a value", () => {
  it("say whatever the nearest label says", () => {
    const draw = drawer(7);
    const parts = [
      ...words,
      "phoneNumber ",
      "myTel",
      "tax ID ",
      "taxId: ",
      "\\ntel ",
      "12",
      ". ",
      "PHONE",
      "x",
      "call-",
      "a",
    ];
    for (let round = 0; round < 4000; round++) {
      const text = Array.from({ length: 1 + draw.below(12) }, () => draw.of(parts)).join("");
      const said = nearestLabel(text.slice(-64))?.label;
      if (said === undefined || said === "id" || said === "other") continue;
      expect([text, new Words(text, 0, undefined).mayPrecede(labelSetOf([said]), text.length, text.length)]).toEqual([
        text,
        true,
      ]);
    }
  });
});
