import fc from "fast-check";
import { type Plan, plans } from "./random-agent-plan.js";

const common = [
  "add",
  "fail",
  "refund",
  "refund",
  "pay",
  "pay",
  "count",
  "ship",
  "ask_person",
  "ask",
  "helper",
  "hang",
  "nope",
];
const roundsOf = (names: readonly string[]) =>
  fc.array(
    fc.record({
      calls: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
      fault: fc.oneof(
        { weight: 8, arbitrary: fc.constant("none") },
        { weight: 2, arbitrary: fc.constantFrom("refuses", "breaks", "hangs") },
      ),
    }),
    { minLength: 2, maxLength: 12 },
  );
const rarely = fc.oneof({ weight: 8, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, fc.nat(8));
const decisions = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)), {
  minLength: 4,
  maxLength: 4,
});
const turns = fc.array(fc.record({ stream: fc.boolean(), stops: rarely, aborts: rarely, decisions }), {
  minLength: 2,
  maxLength: 6,
});
/** The plans of agents in general, with more that guards have to do with. @param tools that models call beside the common ones. */
export const guardedPlans = (tools: readonly string[] = []): fc.Arbitrary<Plan> => {
  const rounds = roundsOf([...common, ...tools]);
  return fc
    .record({ plan: plans, rounds, helperRounds: rounds, turns })
    .map(({ plan, ...more }) => ({ ...plan, ...more }));
};
