import { gateway, type LanguageModel } from "ai";
import { AiSdkError } from "../errors.js";
import type { Model } from "../framework.js";

/** Models that the caller passed by id. */
const named = new WeakSet<Model>();

/** Returns true if the caller passed the model by id, so that other models can be resolved in the same way. */
export const isNamed = (model: Model): boolean => named.has(model);

/** Resolves a model. A string is the id of a model of the default provider, as in the framework. */
export function resolveModel(model: LanguageModel): Model {
  if (typeof model === "string") {
    const found = (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) as Model;
    named.add(found);
    return found;
  }
  if (isRead(model)) return model;
  throw new AiSdkError(
    "ERR_AI_SDK_MODEL_VERSION",
    `The model ${model.modelId} of ${model.provider} implements specification ${model.specificationVersion}. Update its provider to a version with specification v3 or newer.`,
  );
}

/** Returns true if this adapter supports the model's specification. v4 contains all of v3. */
const isRead = (model: Exclude<LanguageModel, string>): model is Model => model.specificationVersion !== "v2";
