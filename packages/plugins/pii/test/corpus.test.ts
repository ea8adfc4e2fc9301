import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { createRedactor, defaultTypes, type Finding, type PiiRedactor } from "@suite/pii";
import { root } from "../../../../scripts/workspaces.mjs";

const folder = join(root, "../shared/pii");
const isThere = existsSync(folder) || process.env.CI !== undefined;
if (!isThere) console.warn("skipped: no ../shared/pii beside this repository");
const describeWithTexts = isThere ? describe : describe.skip;

const five = ["email", "credit_card", "ip", "mac_address", "url"];
const ten = defaultTypes.map((type) => (type === "mac" ? "mac_address" : type));

const long = process.env.TEST_LONG !== undefined;
/** All of them in the long run, otherwise one of so many. */
const sample = <T>(all: readonly T[], of: number): readonly T[] => all.filter((_, index) => long || index % of === 0);

/** Every text of the collections, once. */
function readTexts(): readonly string[] {
  const corpus = join(folder, "corpus");
  const lines = readdirSync(corpus).flatMap((file) => readFileSync(join(corpus, file), "utf8").trim().split("\n"));
  return [...new Set(lines.map((line) => (JSON.parse(line) as { readonly text: string }).text))];
}

/** The places at which a text is cut, in order. */
type Cutting = Iterable<number>;

function pieced(redactor: PiiRedactor, text: string, cutting: Cutting): string {
  const stream = redactor.stream();
  let out = "";
  let from = 0;
  for (const cut of cutting) {
    out += stream.push(text.slice(from, cut));
    from = cut;
  }
  return out + stream.push(text.slice(from)) + stream.end();
}

/** Pieces of up to `most` characters: the same ones on every run (a linear congruential generator). */
function* atRandom({ length }: string, most: number, seed: number): Generator<number> {
  let state = seed;
  for (let cut = 0; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    cut += 1 + Math.floor((state / 2 ** 32) * most);
    if (cut >= length) return;
    yield cut;
  }
}

describeWithTexts("on labelled texts, a stream gives what redact gives", () => {
  /** A replacement that shows all that is known of a value, so that no difference goes unseen. */
  const shown = ({ type, start, value, score }: Finding): string => `<${type} ${start} ${value.length} ${score}>`;
  const redactorOf = (types: readonly string[]): PiiRedactor =>
    createRedactor(Object.fromEntries(types.map((type) => [type, shown])));
  let texts: readonly string[] = [];
  beforeAll(() => {
    texts = readTexts();
  });

  /** The indexes of the texts for which one cutting gives something else. The texts themselves are not ours to print. */
  const different = (redactor: PiiRedactor, chosen: readonly string[], cuttings: (text: string) => Iterable<Cutting>) =>
    chosen.flatMap((text, index) => {
      const whole = redactor.redact(text);
      for (const cutting of cuttings(text)) if (pieced(redactor, text, cutting) !== whole) return [index];
      return [];
    });

  // What one type holds back would hide that another one does not.
  const alone = ten.map((type) => ({ name: `${type} alone`, types: [type], share: 10 }));
  describe.each([{ name: "all types", types: ten, share: 1 }, ...alone])("of $name", ({ types, share }) => {
    const redactor = redactorOf(types);

    it("in single characters, and so between the halves of surrogate pairs", () => {
      const chosen = sample(texts, 10 * share).flatMap((text) => [text, text.replaceAll(" ", " 😀 ")]);
      expect(different(redactor, chosen, (text) => [Array.from({ length: text.length }, (_, at) => at)])).toEqual([]);
    });

    it("cut at every single place", () => {
      const chosen = sample(texts, 20 * share).map((text) => text.slice(0, long ? 2000 : 200));
      expect(different(redactor, chosen, (text) => Array.from({ length: text.length }, (_, at) => [at]))).toEqual([]);
    });
  });

  it("cut a thousand times at random", () => {
    const sizes = Array.from({ length: long ? 1000 : 100 }, (_, time) => 4 ** (1 + (time % 5)));
    const cuttings = (text: string) => sizes.map((size, seed) => atRandom(text, size, seed));
    expect(different(redactorOf(ten), sample(texts, 150), cuttings)).toEqual([]);
  });
});

interface Counted {
  readonly gold: number;
  readonly pred: number;
  readonly tpS: number;
  readonly tpO: number;
}

interface Scored {
  readonly types: Readonly<Record<string, Counted>>;
  readonly fullyCoveredAnyType: number | null;
  readonly flaggedPerMB?: Readonly<Record<string, number>>;
}

describeWithTexts("detection stays as good as it is to be", () => {
  let collections: Readonly<Record<string, Scored>> = {};
  beforeAll(() => {
    const out = mkdtempSync(join(tmpdir(), "score-"));
    try {
      const adapter = fileURLToPath(new URL("fixtures/pii-adapter.mjs", import.meta.url));
      const file = join(out, "scores.json");
      const { status, stderr } = spawnSync(process.execPath, [join(folder, "score.mjs"), adapter, "--out", file]);
      if (status !== 0) throw new Error(String(stderr));
      collections = JSON.parse(readFileSync(file, "utf8")).corpora;
    } finally {
      rmSync(out, { recursive: true });
    }
  });

  /** F1 over all collections that have labels. */
  function f1(types: readonly string[], found: "tpS" | "tpO"): number {
    const { negatives: _, ...labelled } = collections;
    const counted = Object.values(labelled).flatMap((one) => types.flatMap((type) => one.types[type] ?? []));
    const sum = (what: keyof Counted): number => counted.reduce((total, one) => total + one[what], 0);
    return (2 * sum(found)) / (sum("gold") + sum("pred"));
  }

  it.each([
    ["email", 0.97],
    ["credit_card", 0.97],
    ["ip", 0.97],
    ["mac_address", 0.95],
    ["url", 0.85],
    ["phone", 0.85],
    ["us_ssn", 0.95],
    ["iban", 0.97],
    ["crypto", 0.9],
  ])("%s: F1 of at least %d", (type, least) => expect(f1([type], "tpS")).toBeGreaterThanOrEqual(least));

  it("url, where parts of it count: F1 of at least 0.95", () =>
    expect(f1(["url"], "tpO")).toBeGreaterThanOrEqual(0.95));

  it("the five together: F1 of at least 0.93", () => expect(f1(five, "tpS")).toBeGreaterThanOrEqual(0.93));

  // Many of its texts are a number and nothing else, which is an order number as well as a telephone number.
  const bareNumbers = "phones_validator";

  it("at most 5 % of a collection's values are not fully covered, where more than a bare number tells what they are", () => {
    for (const [name, { fullyCoveredAnyType }] of Object.entries(collections)) {
      expect({ name, covered: (fullyCoveredAnyType ?? 1) >= (name === bareNumbers ? 0.7 : 0.95) }).toEqual({
        name,
        covered: true,
      });
    }
  });

  it.each([
    ["the five", five, 3],
    ["secrets", ["secret"], 5],
    ["all types", ten, 40],
  ])("%s: no more false positives in a MB of texts without any value than stated", (_, types, most) => {
    const { flaggedPerMB = {} } = collections.negatives ?? {};
    expect(collections).toHaveProperty("negatives.flaggedPerMB");
    expect(types.reduce((total, type) => total + (flaggedPerMB[type] ?? 0), 0)).toBeLessThanOrEqual(most);
  });
});
