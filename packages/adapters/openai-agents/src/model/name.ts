import { getDefaultModel } from "@openai/agents";
import { isRecord, type SdkModel } from "../framework.js";

const names = new WeakMap<object, string>();

/** Remembers under which name a provider gave a model. */
export const nameModel = (model: SdkModel, name: string | undefined): void =>
  void names.set(model, name === undefined || name === "" ? getDefaultModel() : name);

/** Returns the name of a model. Returns an empty string for a model that was made by hand and does not give its name. */
export function nameOfModel(model: SdkModel): string {
  const own: unknown = isRecord(model) ? (model._model ?? model.model ?? model.modelId) : undefined;
  return names.get(model) ?? (typeof own === "string" ? own : "");
}

/** The provider as in `gen_ai.provider.name`. Models of other providers say themselves what they are. */
export function providerOfModel(model: SdkModel): { readonly provider?: string } {
  if (/^OpenAI/.test(model.constructor.name)) return { provider: "openai" };
  const provider: unknown = isRecord(model) ? model.provider : undefined;
  return typeof provider === "string" ? { provider } : {};
}
