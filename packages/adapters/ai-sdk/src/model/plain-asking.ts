import { streamOf } from "../stream/streams.js";
import type { StreamResult } from "../types.js";
import { askStream, askWhole, type Within, wholeOf } from "./ask.js";
import type { Asking } from "./layered.js";

/** A model that answers through the layers of one run, with nothing between them and the framework. */
export const plainAsking = (within: Within): Asking => ({
  async generate(model, params) {
    const { outcome, given } = await askWhole(within, model, params);
    return wholeOf(given(), await outcome.final());
  },
  async stream(model, params) {
    const { outcome, given } = await askStream(within, model, params);
    return { ...given()?.result, stream: streamOf(outcome, given()?.source) } as StreamResult;
  },
});
