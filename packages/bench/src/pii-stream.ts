import { createRedactor, type PiiRedactor, type Rules } from "@suite/pii";
import { atMost, below, type Counts, defineGroup, neverAbove } from "./group.js";
import type { Case } from "./measure.js";
import { five, rulesFor, ten } from "./pii-rules.js";
import { dense, LENGTH, prose } from "./pii-texts.js";

const CHUNK = 20;
const CHUNKS = 1000;
const seeds = Array.from({ length: (CHUNKS * CHUNK) / LENGTH }, (_, index) => index + 1);
const proses = seeds.map((seed) => prose(seed)).join("");
const denses = seeds.map(dense).join("");
const word = "a".repeat(CHUNKS * CHUNK);

function streamed(redactor: PiiRedactor, text: string): Case {
  const chunks = Array.from({ length: CHUNKS }, (_, index) => text.slice(index * CHUNK, (index + 1) * CHUNK));
  return async () => {
    const stream = redactor.stream();
    for (const chunk of chunks) stream.push(chunk);
    stream.end();
  };
}

/** Returns the number of characters that are held back after each character of a string. */
function held(rules: Rules, text: string): readonly number[] {
  const stream = createRedactor(rules).stream();
  let released = 0;
  return Array.from(text, (character, at) => {
    released += stream.push(character).length;
    return at + 1 - released;
  });
}

/** The characters held back, without those of the word that is being written. */
const beyondWord = (rules: Rules, text: string): readonly number[] =>
  held(rules, text).map((count, at) => Math.max(0, count - (at - text.lastIndexOf(" ", at))));

const counts = (): readonly Counts[] => [
  { name: "five types, prose, beyond the current word", values: beyondWord(rulesFor(five), proses), aim: atMost(20) },
  { name: "ten types, prose, beyond the current word", values: beyondWord(rulesFor(ten), proses), aim: atMost(20) },
  {
    name: "a pattern of ten characters, prose",
    values: held({ ticket: { recognizer: /TCK-\d{6}/, strategy: "redact" } }, proses),
    aim: neverAbove(10),
  },
  {
    name: "a pattern without a longest match, prose",
    values: held({ staff: { recognizer: /\bEMP\w+/, strategy: "redact" } }, proses),
    aim: neverAbove(4 * 256),
  },
  { name: "ten types, a word that never ends", values: held(rulesFor(ten), word), aim: neverAbove(4096 + 1) },
];

export const piiStream = defineGroup({
  name: "pii/stream",
  about:
    `A chunk of ${CHUNK} characters, pushed into \`stream()\`, of a text of ${CHUNKS} chunks; then how many characters are held back after each ` +
    "character that comes. Of built-in types never more than 4,096, and the character that has just come; of a pattern its longest " +
    "match; of one without a longest match up to four times its `maxLength`, which is 256 unless said otherwise.",
  unit: "chunk",
  units: CHUNKS,
  open() {
    const [few, all] = [createRedactor(rulesFor(five)), createRedactor(rulesFor(ten))];
    return {
      cases: {
        "in one piece, ten types, prose": async () => all.redact(proses),
        "five types, prose": streamed(few, proses),
        "ten types, prose": streamed(all, proses),
        "ten types, values": streamed(all, denses),
        "ten types, a word that never ends": streamed(all, word),
      },
    };
  },
  figures: [
    {
      name: "ten types, prose, in microseconds",
      ratio: (time) => time["ten types, prose"] / 1000,
      aim: below(5),
    },
    {
      name: "ten types, values, in microseconds",
      ratio: (time) => time["ten types, values"] / 1000,
      aim: below(5),
    },
    {
      name: "in chunks / in one piece, ten types, prose",
      ratio: (time) => time["ten types, prose"] / time["in one piece, ten types, prose"],
    },
  ],
  counts,
});
