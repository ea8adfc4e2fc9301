import { describe, expect, it } from "@jest/globals";
import { builtInTypes } from "../src/recognisers/registry.js";
import { compileRules } from "../src/rules/compile.js";
import { Automaton } from "../src/scan/automaton.js";
import { compilePlan } from "../src/scan/plan.js";

/** Where sites end in a text, each with its index. */
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
