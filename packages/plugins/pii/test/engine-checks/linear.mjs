import { ok } from "./assert.mjs";
import { check } from "./check.mjs";
import { samples } from "./samples.mjs";
import { mixedRules } from "./texts.mjs";

const hostile = ["a", "a@a.", "1 ", "4111 ", "1.1.1.1 ", ":", "ab:", "-www.1", "https://a.b/(", "%40", "\\u0040", "😀"];
const half = samples.map(({ values: [value = ""] }) => value.slice(0, value.length / 2));

/** Units of text that are read: the same on every run, and a clock is not. @param {() => void} run */
function reads(run) {
  const { charCodeAt, codePointAt, slice } = String.prototype;
  let count = 0;
  Object.assign(String.prototype, {
    /** @this {string} @param {number} at */
    charCodeAt(at) {
      count++;
      return charCodeAt.call(this, at);
    },
    /** @this {string} @param {number} at */
    codePointAt(at) {
      count++;
      return codePointAt.call(this, at);
    },
    /** @this {string} @param {number} from @param {number} to */
    slice(from, to) {
      const part = slice.call(this, from, to);
      count += part.length;
      return part;
    },
  });
  try {
    run();
  } finally {
    Object.assign(String.prototype, { charCodeAt, codePointAt, slice });
  }
  return count;
}

/** @param {string} piece @param {number} length */
const long = (piece, length) => piece.repeat(Math.ceil(length / piece.length));

/** Both lengths are beyond what is held back at most. @param {string} name @param {readonly string[]} pieces @param {import("@suite/pii").Rules} rules */
const growth = (name, pieces, rules) =>
  check(name, ({ pii }) => {
    const redactor = pii.createRedactor(rules);
    for (const piece of pieces) {
      const short = reads(() => redactor.redact(long(piece, 5000)));
      const more = reads(() => redactor.redact(long(piece, 25_000)));
      ok(more / short < 6, `${JSON.stringify(piece)}: ${short} reads, then ${more}`);
    }
  });

export const linear = [
  growth("five times the text is less than six times the work", [...hostile, ...half], mixedRules),
  growth("so it is for patterns that another engine would never end", ["a", "a!", "aaaaaaaaab"], {
    nested: { recognizer: /(?:a+)+b/, strategy: "redact" },
    bounded: { recognizer: /a{3,40}@c/, strategy: "redact" },
  }),
];
