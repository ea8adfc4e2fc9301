// The pictures of figures that were measured before: throughput by `npm run bench`, detection on published texts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../workspaces.mjs";
import { bars } from "./svg.mjs";

/** @typedef {import("./svg.mjs").Palette} Palette */

const peers = ["LangChain", "Mastra", "redact-pii", "openredaction"];

/** Characters a second of `@suite/pii` and of its peers on real text, as the page of the benchmarks has them. @param {Palette} palette */
export function throughput(palette) {
  const page = readFileSync(join(root, "packages/bench/README.md"), "utf8");
  const start = page.indexOf("## pii/real-2000");
  const part = page.slice(start, page.indexOf("\n## ", start + 1));
  /** @type {Map<string, Map<string, number>>} */
  const texts = new Map();
  for (const [, text = "", system = "", time = ""] of part.matchAll(/^\| ([\w ]+), ([\w -]+?) +\| ([\d,]+) /gm)) {
    const found = texts.get(text) ?? new Map();
    texts.set(text, found.set(system, 2000 / (Number(time.replaceAll(",", "")) / 1000)));
  }
  const groups = [...texts].map(([name, found]) => ({
    name,
    bars: [["@suite/pii", found.get("five types") ?? 0], ...peers.map((peer) => [peer, found.get(peer) ?? 0])].map(
      ([system, value]) => ({ name: String(system), value: Number(value), shown: `${Math.round(Number(value))}` }),
    ),
  }));
  return bars({
    title: "Five types of personal data in real text: million characters a second",
    note: [
      "Texts of 2,000 characters, all systems in turn in one run: packages/bench, pii/real-2000. Mastra and redact-pii look for",
      "four of the five types. Each text has a scale of its own.",
    ],
    groups,
    most: (all) => Math.max(...all.map(({ value }) => value)),
    palette,
  });
}

/** F1 of `@suite/pii` and of its peers, for each type. @param {Palette} palette */
export function detection(palette) {
  const { types, systems, measured } = JSON.parse(readFileSync(join(root, "docs/pictures/detection.json"), "utf8"));
  /** @type {readonly (readonly [string, Readonly<Record<string, number>>])[]} */
  const all = Object.entries(systems);
  const groups = types.map((/** @type {string} */ type) => ({
    name: type,
    bars: all.flatMap(([name, found]) => {
      const value = found[type];
      return value === undefined ? [] : [{ name, value, shown: value.toFixed(3) }];
    }),
  }));
  return bars({
    title: "Personal data found exactly as it was labelled: F1",
    note: [
      `4,578 published texts of eleven collections, ${measured}; docs/pictures/detection.json says which. A system without a bar`,
      "does not look for the type. Presidio: its English recognisers, without an NLP model.",
    ],
    groups,
    most: () => 1,
    palette,
  });
}
