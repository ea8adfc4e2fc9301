import { createRedactor } from "@suite/pii";
import { atMost, defineGroup } from "./group.js";
import type { Case } from "./measure.js";
import { five, rulesFor, ten } from "./pii-rules.js";
import { dense, LENGTH, prose, records } from "./pii-texts.js";

const TEXTS = 20;
const seeds = Array.from({ length: TEXTS }, (_, index) => index + 1);
const proses = seeds.map((seed) => prose(seed));
const denses = seeds.map(dense);
const answers = seeds.map(records);

/** Runs the same function on each string. */
function each<T>(texts: readonly T[], treat: (text: T) => unknown, changes: boolean): Case {
  if (texts.some((text) => (treat(text) !== text) !== changes)) {
    throw new Error(`A text ${changes ? "has none" : "has one"} of the values that are looked for.`);
  }
  return async () => {
    for (const text of texts) treat(text);
  };
}

const table = new Uint8Array(65536);
for (const mark of "@:.0123456789") table[mark.charCodeAt(0)] = 1;

/** The least that a look at every character can be. */
async function loop(): Promise<void> {
  let marks = 0;
  for (const text of proses) {
    for (let at = 0; at < text.length; at++) marks += table[text.charCodeAt(at)] ?? 0;
  }
  if (marks === 0) throw new Error("The texts have no marks.");
}

export const piiThroughput = defineGroup({
  name: "pii/throughput",
  about:
    `What one text of ${LENGTH} characters costs: prose without personal data; the same with a value every 300 characters; an ` +
    "answer of a tool, as an object whose JSON is as long, through `value()`. Five types: e-mail addresses, card numbers, IP and MAC " +
    "addresses, URLs. Ten: all. The yardstick is a loop over the text that looks each character up in a table and counts.",
  unit: `${LENGTH} characters`,
  units: TEXTS,
  open() {
    const [few, all] = [createRedactor(rulesFor(five)), createRedactor(rulesFor(ten))];
    const tokens = createRedactor(rulesFor(five, "tokenize"));
    return {
      cases: {
        "a loop": loop,
        "five types, prose": each(proses, (text) => few.redact(text), false),
        "ten types, prose": each(proses, (text) => all.redact(text), false),
        "five types, values": each(denses, (text) => few.redact(text), true),
        "ten types, values": each(denses, (text) => all.redact(text), true),
        "five types, tokenize, values": each(denses, (text) => tokens.redact(text), true),
        "five types, JSON": each(answers, (answer) => few.value(answer), true),
        "ten types, JSON": each(answers, (answer) => all.value(answer), true),
      },
    };
  },
  figures: [
    {
      name: "ten types / five types, prose",
      ratio: (time) => time["ten types, prose"] / time["five types, prose"],
      aim: atMost(1 / 0.7, "1/0.7"),
    },
    {
      name: "ten types / five types, values",
      ratio: (time) => time["ten types, values"] / time["five types, values"],
      aim: atMost(1 / 0.7, "1/0.7"),
    },
    {
      name: "ten types / five types, JSON",
      ratio: (time) => time["ten types, JSON"] / time["five types, JSON"],
      aim: atMost(1 / 0.7, "1/0.7"),
    },
    { name: "five types, prose / a loop", ratio: (time) => time["five types, prose"] / time["a loop"] },
    { name: "ten types, prose / a loop", ratio: (time) => time["ten types, prose"] / time["a loop"] },
    { name: "five types, values / a loop", ratio: (time) => time["five types, values"] / time["a loop"] },
    { name: "ten types, values / a loop", ratio: (time) => time["ten types, values"] / time["a loop"] },
    { name: "five types, JSON / a loop", ratio: (time) => time["five types, JSON"] / time["a loop"] },
    {
      name: "tokenize / redact, five types, values",
      ratio: (time) => time["five types, tokenize, values"] / time["five types, values"],
    },
  ],
});
