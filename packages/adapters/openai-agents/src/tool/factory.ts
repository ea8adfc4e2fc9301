import type { tool } from "@openai/agents";
import type { SdkTool } from "../framework.js";
import { type ErrorFunction, noteErrorFunction, noteFailure } from "./failure.js";

type Factory = typeof tool;

interface Options {
  readonly execute: (...args: readonly unknown[]) => unknown;
  readonly errorFunction?: ErrorFunction;
  readonly [option: string]: unknown;
}

/**
 * Returns a `tool()` of the SDK whose tools report errors of `execute` to the layers. Their `errorFunction` is called
 * after the layers, with the error that these left.
 */
export function toolFactory(factory: Factory): Factory {
  const createTool = factory as unknown as (options: Options) => SdkTool;
  return ((options: Options) => {
    const { execute, errorFunction } = options;
    const observedExecute = async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        return await execute(...args);
      } catch (error) {
        noteFailure({ error }, invoke);
        throw error;
      }
    };
    const observedErrorFunction = (context: unknown, error: unknown, details?: unknown): unknown => {
      const respond = (finalError: unknown): unknown => errorFunction?.(context, finalError, details);
      return noteFailure({ error, respond }, invoke) ? "" : respond(error);
    };
    const name = options.name ?? execute.name;
    const tool = createTool({
      ...options,
      name,
      execute: observedExecute,
      ...(typeof errorFunction === "function" && { errorFunction: observedErrorFunction }),
    });
    const { invoke } = tool;
    if (errorFunction !== undefined) noteErrorFunction(tool, errorFunction);
    return tool;
  }) as unknown as Factory;
}
