import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { builtInTypes, defaultTypes } from "../src/recognisers/registry.js";
import { compileRules } from "../src/rules/compile.js";
import { Automaton } from "../src/scan/automaton.js";
import { compilePlan } from "../src/scan/plan.js";
import { Reader } from "../src/scan/reader.js";

/** The places at which sites end in a text, each with its index. */
function ends(sites: readonly string[], text: string): (readonly [at: number, site: number])[] {
  const automaton = new Automaton(sites);
  const found: (readonly [number, number])[] = [];
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    state = automaton.step(state, automaton.classes[text.charCodeAt(at)] ?? 0);
    for (const site of automaton.ended(state)) found.push([at, site]);
  }
  return found;
}

const every = (site: string, text: string): number[] => ends([site], text).map(([at]) => at);

describe("a site", () => {
  it("ends wherever what it says stands", () => {
    expect(every("dd", "12a345")).toEqual([1, 4, 5]);
    expect(every("^dd", "12a345")).toEqual([1, 4]);
    expect(every("d{3}", "12a3456")).toEqual([5, 6]);
    expect(every("d+.d", "1.2.34 .5")).toEqual([2, 4]);
    expect(every("a:x*:", "b:: b:1f: b:g: ::")).toEqual([2, 8]);
    expect(every("ds?d", "12 3--4")).toEqual([1, 3]);
  });

  it("ends where another one does, too", () => {
    expect(ends(["dd", "d.d", "@"], "12.3@")).toEqual([
      [1, 0],
      [3, 1],
      [4, 2],
    ]);
  });
});

describe("the automaton of all types", () => {
  it("has not more states than a few thousand, whatever a text leads to", () => {
    const types = builtInTypes.filter((type) => type !== "mac_address");
    const rules = compileRules(Object.fromEntries(types.map((type) => [type, "redact" as const])));
    const { automaton } = compilePlan(rules);
    const units = new Set(automaton?.classes);
    const states = new Set([0]);
    for (const state of states) for (const unit of units) states.add(automaton?.step(state, unit) ?? 0);
    expect(states.size).toBeGreaterThan(500);
    expect(states.size).toBeLessThan(4096);
  });
});

/** The places at which sites end, as a reader finds them, which passes over calm characters. */
function stopsOf(automaton: Automaton, text: string): number[] {
  const reader = new Reader(automaton, text);
  reader.load(0, text.length);
  const stops: number[] = [];
  for (let at = reader.next(0, text.length); at < text.length; at = reader.next(at + 1, text.length)) {
    if (automaton.ended(reader.state).length > 0) stops.push(at);
  }
  reader.release();
  return stops;
}

describe("a reader", () => {
  const written = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom("be ad ", "the ", "de ad be e", "name", ".", ":", "::", "://", " ", "_", "%4"),
      },
      { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(..."afx09JK .:-_@/\\n"), maxLength: 12 }) },
      { weight: 1, arbitrary: fc.string({ maxLength: 9 }) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 9 }) },
    ),
    { minLength: 6, maxLength: 40 },
  );
  const chosen = fc.subarray(
    builtInTypes.filter((type) => type !== "mac_address"),
    { minLength: 1 },
  );

  it("stops wherever a site ends, in text of any kind, for any types", () => {
    fc.assert(
      fc.property(
        chosen,
        written,
        fc.constantFrom("", "é", "中", "–", "😀", "\ud83d", "\ude00", "\u00a0", "\u200b"),
        (types, pieces, foreign) => {
          const rules = compileRules(Object.fromEntries(types.map((type) => [type, "redact" as const])));
          const { automaton } = compilePlan(rules);
          if (automaton === undefined) return;
          const text = foreign + pieces.join(foreign);
          const expected: number[] = [];
          for (let at = 0, state = 0; at < text.length; at++) {
            state = automaton.step(state, automaton.classes[text.charCodeAt(at)] ?? 0);
            if (automaton.ended(state).length > 0) expected.push(at);
          }
          expect(stopsOf(automaton, text)).toEqual(expected);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("passes over letters and spaces, whatever types there are by default", () => {
    const { automaton } = compilePlan(compileRules(Object.fromEntries(defaultTypes.map((type) => [type, "redact"]))));
    for (const letter of "etaoinshrdlu ,") expect(automaton?.calm.single[letter.charCodeAt(0)]).toBe(1);
  });

  it("passes over doubtful sites where it is wordless, and stops where a word may begin", () => {
    const automaton = new Automaton(["dd", "@", "aa"], { doubtful: [0], waking: [2] });
    const text = "a 12 b 34 c @ 56 or 78 d 90 e 12 f 34 g";
    const stopsWhile = (wordless: boolean): readonly [at: number, wakes: boolean][] => {
      const reader = new Reader(automaton, text);
      reader.wordless = wordless;
      const stops: [number, boolean][] = [];
      for (let at = reader.next(0, text.length); at < text.length; at = reader.next(at + 1, text.length)) {
        if (automaton.ended(reader.state).length > 0 || automaton.wakes(reader.state))
          stops.push([at, automaton.wakes(reader.state)]);
      }
      return stops;
    };
    // The first time, it stops where it does not know yet what follows.
    stopsWhile(true);
    expect(stopsWhile(true)).toEqual([
      [12, false],
      [18, true],
    ]);
    expect(stopsWhile(false).map(([at]) => at)).toEqual([3, 8, 12, 15, 21, 26, 31, 36]);
  });

  it("reads a text within another one that is being read", () => {
    const automaton = new Automaton(["@"]);
    const text = "a long text with an @ in it, and another @ behind that";
    const outer = new Reader(automaton, text);
    outer.load(0, text.length);
    const first = outer.next(0, text.length);
    expect(stopsOf(automaton, `${text} and more of it @`)).toEqual([20, 41, 70]);
    expect([first, outer.next(first + 1, text.length)]).toEqual([20, 41]);
    outer.release();
  });
});
