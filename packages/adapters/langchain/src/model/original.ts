import { RunnableBinding } from "@langchain/core/runnables";

/** The models that direct ones are made of. */
const originals = new WeakMap<object, unknown>();

/** Remembers what a direct model is made of, and gives the direct one back. */
export function remembered<T>(made: T, original: T): T {
  originals.set(made as object, original);
  return made;
}

/** A way to make direct models that gives the same one for the same model, and leaves those that are direct already. */
export function remembering(make: <T>(model: T) => T): <T>(model: T) => T {
  const made = new WeakMap<object, unknown>();
  return <T>(model: T): T => {
    if (typeof model !== "object" || model === null || originals.has(model)) return model;
    if (!made.has(model)) made.set(model, make(model));
    return made.get(model) as T;
  };
}

/** The model itself: for who calls it through the layers already. */
export const originalModel = <T>(model: T): T =>
  typeof model === "object" && model !== null ? ((originals.get(model) as T | undefined) ?? model) : model;

/** A model that is made for the configuration of each call: `initChatModel` gives one, and a model's name becomes one. */
export interface NamedModel {
  _getModelInstance(config: object | undefined): Promise<unknown>;
}

export const isNamedModel = (model: unknown): model is NamedModel =>
  typeof model === "object" &&
  model !== null &&
  "_getModelInstance" in model &&
  typeof model._getModelInstance === "function";

/** The model that a call with this configuration asks, with what is bound to it. */
export async function modelFor(given: unknown, config: object | undefined): Promise<unknown> {
  const model = originalModel(given);
  if (isNamedModel(model)) return model._getModelInstance(config);
  return RunnableBinding.isRunnableBinding(model) ? rebound(model, await modelFor(model.bound, config)) : model;
}

/** A binding of what is bound to a model to another. */
export function rebound<B extends RunnableBinding<unknown, unknown>>(binding: B, bound: unknown): B {
  const { config, kwargs, configFactories } = binding;
  const fields = { bound: bound as B["bound"], config, ...(kwargs && { kwargs }) };
  return new RunnableBinding({ ...fields, ...(configFactories && { configFactories }) }) as B;
}
