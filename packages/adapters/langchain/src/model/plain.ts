import { AIMessage, isBaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { standInModel } from "../stand-in.js";
import type { Attempt } from "./attempt.js";

/** A custom model of no LangChain class, such as a test double. It only has `invoke`. */
export interface PlainModel {
  getName?(): string;
  invoke(input: unknown, config?: object): unknown;
  bindTools?(...args: unknown[]): unknown;
}

/**
 * True for a plain model. Objects of LangChain classes, in any copy, are not plain: a chain, for example, has more than
 * `invoke`.
 */
export function isPlainModel(value: unknown): value is PlainModel {
  if (typeof value !== "object" || value === null || !("invoke" in value)) return false;
  return typeof value.invoke === "function" && !("lc_namespace" in value);
}

/**
 * Returns a copy of a model whose answers pass through an attempt.
 *
 * @param guard guards the model that `bindTools` returns.
 */
export function guardedPlainModel(model: PlainModel, attempt: Attempt, guard: (bound: unknown) => unknown): PlainModel {
  const value = async (input: unknown, config?: object): Promise<unknown> => {
    let answered: { readonly raw: unknown; readonly message: AIMessage } | undefined;
    const { generations } = await attempt.generate(async () => {
      const raw = await unheard(attempt.optionsOf(config ?? {}), (options) => model.invoke(input, options));
      // Layers see other values, such as a structured answer, as JSON.
      const message = isBaseMessage(raw) ? (raw as AIMessage) : new AIMessage(JSON.stringify(raw) ?? "");
      answered = { raw, message };
      return { generations: [{ text: message.text, message }] };
    });
    const changed = generations[0]?.message;
    if (answered === undefined || isBaseMessage(answered.raw)) return changed;
    return changed === answered.message ? answered.raw : JSON.parse(changed?.text ?? "null");
  };
  return standInModel(model, {
    invoke: { value },
    ...(typeof model.bindTools === "function" && {
      bindTools: { value: (...args: unknown[]) => guard(model.bindTools?.(...args)) },
    }),
  });
}

/** Calls a model without callbacks, because events to them would bypass the layers. */
export function unheard<T>(config: object | undefined, call: (config: object) => T): T {
  const withoutCallbacks = { ...config, callbacks: [] };
  return AsyncLocalStorageProviderSingleton.runWithConfig(withoutCallbacks, () => call(withoutCallbacks), true) as T;
}
