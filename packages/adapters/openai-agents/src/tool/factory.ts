import type { tool } from "@openai/agents";
import type { SdkTool } from "../framework.js";
import { type ErrorFunction, noteErrorFunction, noteFailure } from "./failure.js";

type Factory = typeof tool;

interface Options {
  readonly execute: (...given: readonly unknown[]) => unknown;
  readonly errorFunction?: ErrorFunction;
  readonly [option: string]: unknown;
}

/**
 * Returns a `tool()` of the SDK whose tools report errors of `execute` to the layers. Their `errorFunction` is called
 * after the layers, with the error that these left.
 */
export function toolFactory(factory: Factory): Factory {
  const plain = factory as unknown as (options: Options) => SdkTool;
  return ((options: Options) => {
    const { execute, errorFunction } = options;
    const told = async (...given: readonly unknown[]): Promise<unknown> => {
      try {
        return await execute(...given);
      } catch (error) {
        noteFailure({ error }, invoke);
        throw error;
      }
    };
    const asked = (context: unknown, error: unknown, details?: unknown): unknown => {
      const respond = (left: unknown): unknown => errorFunction?.(context, left, details);
      return noteFailure({ error, respond }, invoke) ? "" : respond(error);
    };
    const name = options.name ?? execute.name;
    const made = plain({
      ...options,
      name,
      execute: told,
      ...(typeof errorFunction === "function" && { errorFunction: asked }),
    });
    const { invoke } = made;
    if (errorFunction !== undefined) noteErrorFunction(made, errorFunction);
    return made;
  }) as unknown as Factory;
}
