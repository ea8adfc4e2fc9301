import { costBudget, modelCallLimit } from "@suite/limits";
import { callThrough, emptyLayer } from "./call-through.js";
import { atMost, defineGroup } from "./group.js";

/** A limit that is never reached: only counting is measured. */
const most = Number.MAX_SAFE_INTEGER;
const prices = { none: { input: 0, output: 0, maxOutputTokens: 1 } };

export const limitsCounters = defineGroup({
  name: "limits/counters",
  about:
    "A model call that is answered at once: through a layer that only goes on, and through limits that count it, in memory. No limit is ever reached.",
  unit: "call",
  open: () => ({
    cases: {
      "empty layer": callThrough(emptyLayer),
      "modelCallLimit per run": callThrough(modelCallLimit({ runLimit: most })),
      "modelCallLimit per conversation": callThrough(modelCallLimit({ threadLimit: most })),
      costBudget: callThrough(costBudget({ budget: 1, prices })),
    },
  }),
  figures: [
    {
      name: "modelCallLimit per run / empty layer",
      ratio: (time) => time["modelCallLimit per run"] / time["empty layer"],
      aim: atMost(2),
    },
    {
      name: "modelCallLimit per conversation / empty layer",
      ratio: (time) => time["modelCallLimit per conversation"] / time["empty layer"],
      aim: atMost(2),
    },
    { name: "costBudget / empty layer", ratio: (time) => time.costBudget / time["empty layer"] },
  ],
});
