import { AIMessage, isBaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { standInModel } from "../stand-in.js";
import type { Attempt } from "./attempt.js";

/** A model of somebody's own, of no class of LangChain, as stand-ins are: all that is known of it is that it can be invoked. */
export interface PlainModel {
  getName?(): string;
  invoke(input: unknown, config?: object): unknown;
  bindTools?(...given: unknown[]): unknown;
}

/** Whether a value is a plain model: not what is made of LangChain's classes, of whatever copy: a chain, say, is more than its `invoke`. */
export function isPlainModel(value: unknown): value is PlainModel {
  if (typeof value !== "object" || value === null || !("invoke" in value)) return false;
  return typeof value.invoke === "function" && !("lc_namespace" in value);
}

/**
 * A copy of a model, whose answers go through an attempt.
 *
 * @param guard does so with what it gives when tools are bound to it.
 */
export function guardedPlain(model: PlainModel, attempt: Attempt, guard: (bound: unknown) => unknown): PlainModel {
  const value = async (input: unknown, config?: object): Promise<unknown> => {
    let given: { readonly raw: unknown; readonly message: AIMessage } | undefined;
    const { generations } = await attempt.generate(async () => {
      const raw = await unheard(attempt.optionsOf(config ?? {}), (own) => model.invoke(input, own));
      // A structured answer, say: for layers it is the JSON of it.
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

/** Calls a model of which nobody hears until it has answered: what it tells callbacks would pass the layers by. */
export function unheard<T>(config: object | undefined, ask: (config: object) => T): T {
  const own = { ...config, callbacks: [] };
  return AsyncLocalStorageProviderSingleton.runWithConfig(own, () => ask(own), true) as T;
}
