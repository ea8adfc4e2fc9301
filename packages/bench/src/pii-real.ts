import { createRedactor } from "@suite/pii";
import { atLeast, defineGroup, type Figure, type Group } from "./group.js";
import type { Case } from "./measure.js";
import { type Detector, langChain, mastra, openRedaction, redactPii } from "./pii-peers.js";
import { type Genre, genres, pieces, realTexts } from "./pii-real-texts.js";
import { five, rulesFor, ten } from "./pii-rules.js";

const peers = ["LangChain", "Mastra", "redact-pii", "openredaction"] as const;
type Name = `${Genre}, ${"five types" | "ten types" | (typeof peers)[number]}`;
const named = Object.entries(genres) as readonly (readonly [Genre, number])[];
/** The most characters that are searched in one run of a case, if a string is shorter. */
const MOST = 40_000;

const each =
  (texts: readonly string[], detect: Detector): Case =>
  async () => {
    for (const text of texts) {
      const found = detect(text);
      if (found instanceof Promise) await found;
    }
  };

const figures: readonly Figure<Name>[] = named.flatMap(([genre, aim]) => [
  {
    name: `${genre}: the fastest peer / five types`,
    ratio: (time) => Math.min(...peers.map((peer) => time[`${genre}, ${peer}`])) / time[`${genre}, five types`],
    aim: atLeast(aim),
  },
  {
    name: `${genre}: LangChain / five types`,
    ratio: (time) => time[`${genre}, LangChain`] / time[`${genre}, five types`],
  },
  {
    name: `${genre}: five types / ten types`,
    ratio: (time) => time[`${genre}, five types`] / time[`${genre}, ten types`],
    aim: atLeast(0.7),
  },
]);

/** Real input of one length, compared with the peers. */
const realTextsOf = (length: number, count: number): Group<Name> =>
  defineGroup<Name>({
    name: `pii/real-${length}`,
    about:
      `Texts of ${length.toLocaleString("en")} characters: the licence and paragraphs of guides; guides and READMEs; change logs of AI SDK, ` +
      "LangChain and a model client; TypeScript and the lock file of this repository; and, in the form of what tools print, a Collector's log, " +
      "spans as OTLP/JSON, paths of SVG, a table as CSV and one in columns. `redact()` with five types and with all ten, beside LangChain's five " +
      "detectors one after another and what Mastra (four), redact-pii (four) and openredaction (five, without URLs) have for the five types: they only find, and " +
      "ours replaces as well. How many times as fast as they are, and how fast ten types are beside five. In time computed; 20 rounds.",
    unit: `${length.toLocaleString("en")} characters`,
    units: count,
    rounds: 20,
    // They wait for nothing: what else the machine does is not theirs.
    clock: "computed",
    async open() {
      const [few, all] = [createRedactor(rulesFor(five)), createRedactor(rulesFor(ten))];
      const detectors: readonly (readonly [string, Detector])[] = [
        ["five types", (text) => few.redact(text)],
        ["ten types", (text) => all.redact(text)],
        ["LangChain", langChain],
        ["Mastra", mastra],
        ["redact-pii", redactPii],
        ["openredaction", await openRedaction()],
      ];
      const cases = Object.entries(realTexts()).flatMap(([genre, text]) => {
        const texts = pieces(text, length, count);
        return detectors.map(([name, detect]) => [`${genre}, ${name}`, each(texts, detect)] as const);
      });
      return { cases: Object.fromEntries(cases) as Record<Name, Case> };
    },
    figures,
  });

export const piiReal: readonly Group<Name>[] = [200, 2000, 200_000].map((length) =>
  realTextsOf(length, Math.max(1, Math.floor(MOST / length))),
);
