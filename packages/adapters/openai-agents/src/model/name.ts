import { getDefaultModel } from "@openai/agents";
import { isRecord } from "@suite/kit";
import type { SdkModel } from "../framework.js";

const names = new WeakMap<object, string>();

/** Stores the name that a provider uses for a model. */
export const nameModel = (model: SdkModel, name: string | undefined): void =>
  void names.set(model, name === undefined || name === "" ? getDefaultModel() : name);

/** Returns the name of a model. Returns an empty string for a custom model without a name. */
export function nameOfModel(model: SdkModel): string {
  const modelName: unknown = isRecord(model) ? (model._model ?? model.model ?? model.modelId) : undefined;
  return names.get(model) ?? (typeof modelName === "string" ? modelName : "");
}

/** Returns the provider as in `gen_ai.provider.name`. Models of other providers declare it themselves. */
export function providerOfModel(model: SdkModel): { readonly provider?: string } {
  if (/^OpenAI/.test(model.constructor.name)) return { provider: "openai" };
  const provider: unknown = isRecord(model) ? model.provider : undefined;
  return typeof provider === "string" ? { provider } : {};
}
