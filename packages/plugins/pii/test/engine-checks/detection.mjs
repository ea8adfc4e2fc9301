import { ok, same, thrown } from "./assert.mjs";
import { check } from "./check.mjs";
import { samples, sentence } from "./samples.mjs";

/** @typedef {import("@suite/pii").Match} Match */

/** @param {readonly Match[]} matches */
const places = (matches) => matches.map(({ type, start, end }) => ({ type, start, end }));

const ofEachType = samples.map((sample) =>
  check(`detect finds ${sample.type} as it is written, and in hidden forms`, ({ pii }) => {
    const { type, values, hidden } = sample;
    for (const value of [...values, ...hidden]) {
      const { text, before } = sentence(sample, value);
      const found = [{ type, start: before.length, end: before.length + value.length }];
      same(places(pii.detect(text, { types: [type] })), found, `${JSON.stringify(value)} alone`);
      same(places(pii.detect(text)), found, `${JSON.stringify(value)} among all types`);
      same(places(pii.createRedactor({ [type]: "redact" }).detect(text)), found, `${JSON.stringify(value)} by a rule`);
    }
  }),
);

export const detection = [
  ...ofEachType,

  check("detect gives sorted matches without overlaps, with scores from 0 to 1", ({ pii }) => {
    const text = samples.flatMap((sample) => sample.values.map((value) => sentence(sample, value).text)).join(", 😀 ");
    const matches = pii.detect(text);
    ok(matches.length >= samples.length, "every type is found");
    for (const [index, { start, end, score }] of matches.entries()) {
      ok(start >= (matches[index - 1]?.end ?? 0) && end > start && end <= text.length, "they are in order");
      ok(score > 0 && score <= 1, "scores are from 0 to 1");
    }
  }),

  check("detect finds nothing in prose, versions, times and lone surrogates", ({ pii }) => {
    const text = "At 12:30:45 v1.2.3 came out (3 of 12), \ud83d and user@ host:8080; 50% of a::before, 谢谢. \udc00";
    same(pii.detect(text), [], "matches");
  }),

  check("detect refuses a type that it does not know", ({ pii }) => {
    thrown("ERR_PII_INVALID_RULE", () => pii.detect("x", { types: ["shoe_size"] }), "shoe_size");
  }),
];
