import { gateway, type LanguageModel } from "ai";
import { AiSdkError } from "../errors.js";
import type { Model } from "../types.js";

/** The model itself: an id given as a string is one of the default provider's, as it is to the framework. */
export function resolveModel(model: LanguageModel): Model {
  if (typeof model === "string") return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) as Model;
  if (isRead(model)) return model;
  throw new AiSdkError(
    "ERR_MODEL_VERSION",
    `The model ${model.modelId} of ${model.provider} follows specification ${model.specificationVersion}. Update its provider to one of v3 or newer.`,
  );
}

/** v4 has what v3 has, and more. */
const isRead = (model: Exclude<LanguageModel, string>): model is Model => model.specificationVersion !== "v2";
