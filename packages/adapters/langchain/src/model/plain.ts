import { AIMessage, isBaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { standInModel } from "../stand-in.js";
import type { Attempt } from "./attempt.js";

/** A custom model of no LangChain class, such as a test double. It only has `invoke`. */
export interface PlainModel {
  getName?(): string;
  invoke(input: unknown, config?: object): unknown;
  bindTools?(...given: unknown[]): unknown;
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
export function guardedPlain(model: PlainModel, attempt: Attempt, guard: (bound: unknown) => unknown): PlainModel {
  const value = async (input: unknown, config?: object): Promise<unknown> => {
    let given: { readonly raw: unknown; readonly message: AIMessage } | undefined;
    const { generations } = await attempt.generate(async () => {
      const raw = await unheard(attempt.optionsOf(config ?? {}), (own) => model.invoke(input, own));
      // Layers see other values, such as a structured answer, as JSON.
      const message = isBaseMessage(raw) ? (raw as AIMessage) : new AIMessage(JSON.stringify(raw) ?? "");
      given = { raw, message };
      return { generations: [{ text: message.text, message }] };
    });
    const left = generations[0]?.message;
    if (given === undefined || isBaseMessage(given.raw)) return left;
    return left === given.message ? given.raw : JSON.parse(left?.text ?? "null");
  };
  return standInModel(model, {
    invoke: { value },
    ...(typeof model.bindTools === "function" && {
      bindTools: { value: (...given: unknown[]) => guard(model.bindTools?.(...given)) },
    }),
  });
}

/** Calls a model without callbacks, because events to them would bypass the layers. */
export function unheard<T>(config: object | undefined, ask: (config: object) => T): T {
  const own = { ...config, callbacks: [] };
  return AsyncLocalStorageProviderSingleton.runWithConfig(own, () => ask(own), true) as T;
}
