import type { StreamResult } from "../framework.js";
import { askStream, askWhole, resultOf, type Within } from "./ask.js";
import type { ModelCalls } from "./layered.js";
import { streamOf } from "./streams.js";

/** Creates model calls that pass directly through the layers of one run. */
export const modelCallsWithin = (within: Within): ModelCalls => ({
  async generate(model, params) {
    const { outcome, given } = await askWhole(within, model, params);
    return resultOf(given(), await outcome.final());
  },
  async stream(model, params) {
    const { outcome, given } = await askStream(within, model, params);
    return { ...given()?.result, stream: streamOf(outcome, given()?.source) } as StreamResult;
  },
});
