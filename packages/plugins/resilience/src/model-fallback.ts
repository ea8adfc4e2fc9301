import { definePlugin, type ModelRequest, override, type Plugin } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, common, either, listOf, name } from "@suite/kit/options";
import { type ErrorFilter, errorFilter, isFinal, isUnavailable, matcherOf, nameOf } from "./failure.js";
import { checkOptions, type ResilienceOptions } from "./options.js";

/** A fallback model: its name, or a model client like `client` of a `ModelRequest`. */
export type FallbackModel = string | object;

/** The options of `modelFallback`. */
export interface ModelFallbackOptions extends ResilienceOptions {
  /** The models to try when the first one fails, in order. */
  readonly models: readonly FallbackModel[];
  /**
   * The errors after which the next model is tried. Default: errors that mean the model is not available
   * (`isUnavailable`).
   */
  readonly fallbackOn?: ErrorFilter;
}

const client: Check = (value) => (isObject(value) && !Array.isArray(value) ? undefined : "a model client");

/**
 * Tries other models, in order, if a model fails. If all fail, the call fails with the last error, unchanged. A stream
 * falls back only if nothing of it was emitted. The next call starts with the first model again.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * modelFallback({ models: ["gpt-5-mini", anthropic("claude-haiku-4-5")] });
 * ```
 */
export function modelFallback(options: ModelFallbackOptions): Plugin {
  const checks = { ...common, models: listOf(either(name, client)), fallbackOn: errorFilter };
  options = checkOptions("modelFallback", options, checks, ["models"]);
  const { name: pluginName = "modelFallback", mode = "enforce", models } = options;
  const fallsBack = matcherOf(options.fallbackOn, isUnavailable);
  const enforced = mode === "enforce";

  return definePlugin({
    name: pluginName,
    settings: { models: models.map(nameOfModel), mode },
    async model(invocation, callNext) {
      const { runtime, call, request } = invocation;
      for (let index = 0; ; index++) {
        try {
          await callNext();
          const { result } = invocation;
          if (result?.streaming === true) await result.ready();
          return;
        } catch (error) {
          const next = models[index];
          if (next === undefined || isFinal(error, invocation.signal) || !fallsBack(error)) throw error;
          const details = { attempt: index + 1, to: nameOfModel(next) };
          const reason = `the model failed: ${nameOf(error)}`;
          const decision = { type: "decision", plugin: pluginName, decision: "fallback", enforced } as const;
          runtime.notify({ ...decision, call, place: "model", reason, details });
          if (!enforced) throw error;
          invocation.request = requestFor(next, request);
        }
      }
    },
  });
}

const requestFor = (model: FallbackModel, request: ModelRequest): ModelRequest =>
  typeof model === "string" ? override(request, { model }) : override(request, { client: model });

/** Returns the name of a model for reports. */
function nameOfModel(model: FallbackModel): string {
  if (typeof model === "string") return model;
  const { name } = model as { readonly name?: unknown };
  return typeof name === "string" ? name : "another client";
}
