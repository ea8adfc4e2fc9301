import { RunnableBinding } from "@langchain/core/runnables";

/** The originals of direct models. */
const originals = new WeakMap<object, unknown>();

/** Stores the original of a direct model and returns the direct one. */
export function remembered<T>(copy: T, original: T): T {
  originals.set(copy as object, original);
  return copy;
}

/**
 * Wraps a function that makes direct models. It returns the same direct model for the same model, and returns direct
 * models unchanged.
 */
export function remembering(make: <T>(model: T) => T): <T>(model: T) => T {
  const cache = new WeakMap<object, unknown>();
  return <T>(model: T): T => {
    if (typeof model !== "object" || model === null || originals.has(model)) return model;
    if (!cache.has(model)) cache.set(model, make(model));
    return cache.get(model) as T;
  };
}

/** Returns the original of a direct model, for calls that already pass through the layers. */
export const originalModel = <T>(model: T): T =>
  typeof model === "object" && model !== null ? ((originals.get(model) as T | undefined) ?? model) : model;

/**
 * A model that is created for the configuration of each call. `initChatModel` returns one, and a model's name becomes
 * one.
 */
export interface NamedModel {
  _getModelInstance(config: object | undefined): Promise<unknown>;
}

export const isNamedModel = (model: unknown): model is NamedModel =>
  typeof model === "object" &&
  model !== null &&
  "_getModelInstance" in model &&
  typeof model._getModelInstance === "function";

/** Returns the model for a call with this configuration, with its bound settings. */
export async function modelFor(runnable: unknown, config: object | undefined): Promise<unknown> {
  const model = originalModel(runnable);
  if (isNamedModel(model)) return model._getModelInstance(config);
  return RunnableBinding.isRunnableBinding(model) ? rebound(model, await modelFor(model.bound, config)) : model;
}

/** Returns a binding with the same settings for another model. */
export function rebound<B extends RunnableBinding<unknown, unknown>>(binding: B, bound: unknown): B {
  const { config, kwargs, configFactories } = binding;
  const fields = { bound: bound as B["bound"], config, ...(kwargs && { kwargs }) };
  return new RunnableBinding({ ...fields, ...(configFactories && { configFactories }) }) as B;
}
