import { redactorOf } from "@suite/core";
import type { EmbeddingResult } from "@suite/core/contract";
import type { EmbeddingModel, EmbedParams, EmbedResult } from "../framework.js";
import { signalsFor, type Within } from "../model/ask.js";
import { noteAtWork } from "../model/at-work.js";
import { patiently } from "../model/stop.js";
import { neutralOf, paramsOf, redacted, requestOf, resultOf } from "./request.js";

/** Sends one request for embeddings through the `embedding` layers to the model. */
export async function requestEmbeddings(
  { stack, run, call }: Within,
  model: EmbeddingModel,
  params: EmbedParams,
): Promise<EmbedResult> {
  noteAtWork(run, stack);
  const request = requestOf(model, params);
  let last: EmbedResult | undefined;
  const answers = new Map<EmbeddingResult, EmbedResult>();
  const outcome = await stack.call(
    "embedding",
    run,
    request,
    async (invocation) => {
      const callOptions = paramsOf(params, request, invocation.request);
      last = redacted(await patiently(model.doEmbed(callOptions), ...signalsFor(callOptions, run)), redactorOf(run));
      const value = neutralOf(last);
      answers.set(value, last);
      invocation.respond({ value });
    },
    call,
  );
  const final = await outcome.final();
  return answers.get(final) ?? resultOf(final, last, params);
}
