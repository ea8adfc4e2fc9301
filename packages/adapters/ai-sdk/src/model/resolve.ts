import { gateway, type LanguageModel } from "ai";
import { AiSdkError } from "../errors.js";
import type { Model } from "../framework.js";

/** Models that were given by their id. */
const named = new WeakSet<Model>();

/** Whether the model was given by its id, so that others can be had in the same way. */
export const isNamed = (model: Model): boolean => named.has(model);

/** The model itself: an id given as a string is one of the default provider's, as it is to the framework. */
export function resolveModel(model: LanguageModel): Model {
  if (typeof model === "string") {
    const found = (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) as Model;
    named.add(found);
    return found;
  }
  if (isRead(model)) return model;
  throw new AiSdkError(
    "ERR_AI_SDK_MODEL_VERSION",
    `The model ${model.modelId} of ${model.provider} follows specification ${model.specificationVersion}. Update its provider to one of v3 or newer.`,
  );
}

/** Whether a model's specification is read here: v4 has what v3 has, and more. */
const isRead = (model: Exclude<LanguageModel, string>): model is Model => model.specificationVersion !== "v2";
