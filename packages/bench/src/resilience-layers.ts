import { circuitBreaker, hedge, modelFallback, retryModel, timeout } from "@suite/resilience";
import { callThrough, emptyLayer } from "./call-through.js";
import { atMost, defineGroup } from "./group.js";

export const resilienceLayers = defineGroup({
  name: "resilience/layers",
  about:
    "A model call that succeeds at once, whole: through a layer that only goes on, and through each plugin that is there for calls which do not.",
  unit: "call",
  open: () => ({
    cases: {
      "empty layer": callThrough(emptyLayer),
      retryModel: callThrough(retryModel()),
      modelFallback: callThrough(modelFallback({ models: ["another"] })),
      circuitBreaker: callThrough(circuitBreaker()),
      timeout: callThrough(timeout({ call: 60_000 })),
      hedge: callThrough(hedge({ delay: 60_000 })),
    },
  }),
  figures: [
    { name: "retryModel / empty layer", ratio: (time) => time.retryModel / time["empty layer"], aim: atMost(5) },
    { name: "modelFallback / empty layer", ratio: (time) => time.modelFallback / time["empty layer"], aim: atMost(5) },
    { name: "timeout / empty layer", ratio: (time) => time.timeout / time["empty layer"], aim: atMost(5) },
    { name: "circuitBreaker / empty layer", ratio: (time) => time.circuitBreaker / time["empty layer"] },
    { name: "hedge / empty layer", ratio: (time) => time.hedge / time["empty layer"] },
  ],
});
