import type { StreamResult } from "../framework.js";
import { generateThroughLayers, resultOf, streamThroughLayers, type Within } from "./ask.js";
import type { ModelCalls } from "./layered.js";
import { streamOf } from "./streams.js";

/** Creates model calls that pass directly through the layers of one run. */
export const modelCallsWithin = (within: Within): ModelCalls => ({
  async generate(model, params) {
    const { outcome, modelAnswer } = await generateThroughLayers(within, model, params);
    return resultOf(modelAnswer(), await outcome.final());
  },
  async stream(model, params) {
    const { outcome, modelAnswer } = await streamThroughLayers(within, model, params);
    return { ...modelAnswer()?.result, stream: streamOf(outcome, modelAnswer()?.source) } as StreamResult;
  },
});
