import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { type Plan, RandomAgents } from "./random-agents.js";
import { layers } from "./random-layers.js";

const some = fc.uniqueArray(fc.constantFrom(...Object.keys(layers)), { maxLength: 4 });
const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.integer(),
  layers: some,
  innerLayers: some,
  person: fc.constantFrom("nobody", "somebody"),
  breaks: fc.constantFrom(0, 0, 3, 6),
  failures: fc.constantFrom(0, 0, 1, 3),
});

/** A plan in which a sub-agent is stopped while the run round it ends: what it has done was forgotten once. */
const stoppedInside: Plan = {
  seed: -532690443,
  layers: [],
  innerLayers: [],
  person: "somebody",
  breaks: 6,
  failures: 0,
};

describe("any agent, whatever waits, fails, is tried again, rewritten or broken off", () => {
  it("has complete histories, uses each decision once, runs what was approved as it was, and nothing twice", async () => {
    const seen = { legs: 0, effects: 0 };
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const agents = new RandomAgents(plan);
        seen.legs += await agents.live();
        seen.effects += agents.ledger.effects;
        if (agents.ledger.broken !== undefined) throw agents.ledger.broken;
      }),
      { numRuns: runs(100), examples: [[stoppedInside]] },
    );
    // Else it would show nothing.
    expect(seen.legs).toBeGreaterThan(runs(150));
    expect(seen.effects).toBeGreaterThan(runs(200));
  });
});
