import type { AgentInfo } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { gateway } from "ai";
import type { EmbeddingModel, EmbedSettings } from "../framework.js";
import type { Within } from "../model/ask.js";
import { requestEmbeddings } from "./ask.js";

type Embed = (settings: EmbedSettings) => PromiseLike<object>;

/**
 * Calls `embed` or `embedMany` with layers around each of its requests. They belong to the current run of this target,
 * otherwise to one new run.
 */
export async function embedThrough(
  runs: FrameworkRuns,
  settings: EmbedSettings,
  agent: AgentInfo | undefined,
  embed: Embed,
): Promise<object> {
  const { stack, current } = runs;
  const model = resolved(settings.model);
  const through = (within: Within): PromiseLike<object> => embed({ ...settings, model: layered(model, within) });
  if (current !== undefined) return through({ stack, ...current });
  const run = runs.begin({ signal: settings.abortSignal, onAbort: "tell", agent });
  try {
    return await through({ stack, run, call: runs.callAround(run) });
  } finally {
    await run.end();
  }
}

/** Resolves a model. A string is the id of a model of the default provider, as in the framework. */
const resolved = (model: EmbedSettings["model"]): EmbeddingModel =>
  (typeof model === "string"
    ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).embeddingModel(model)
    : model) as EmbeddingModel;

/** Returns the model with `doEmbed` through the layers. All other properties are those of the model. */
function layered(model: EmbeddingModel, within: Within): EmbeddingModel {
  const doEmbed: EmbeddingModel["doEmbed"] = (params) => requestEmbeddings(within, model, params);
  return new Proxy<EmbeddingModel>(Object.create(model), {
    get: (_, name) => (name === "doEmbed" ? doEmbed : Reflect.get(model, name, model)),
  });
}
