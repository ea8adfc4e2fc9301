import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { isRecord } from "@suite/kit";
import { standIn } from "../stand-in.js";
import type { ToolAttempt, Write } from "./attempt.js";

/** A tool of LangChain that can be run, of any class. */
interface Callable {
  _call(input: unknown, manager: unknown, config: unknown): unknown;
}

/**
 * Returns a copy of a tool whose result and chunks pass through an attempt. Returns `undefined` if the tool has no
 * `_call`.
 */
export function guardedTool<T extends ClientTool | ServerTool>(tool: T, attempt: ToolAttempt): T | undefined {
  if (!("_call" in tool) || typeof tool._call !== "function") return undefined;
  const callable = tool as unknown as Callable;
  const value = (input: unknown, manager: unknown, config: unknown): Promise<unknown> =>
    attempt.call((write) => callable._call(input, manager, writingWith(write, config)), writerIn(config));
  return standIn(tool, { _call: { value } }, () => false);
}

const writerIn = (config: unknown): Write | undefined =>
  isRecord(config) && typeof config.writer === "function" ? (config.writer as Write) : undefined;

/**
 * Returns the configuration with another writer. It also replaces the one in the nested configuration that LangGraph
 * passes.
 */
function writingWith(writer: Write, config: unknown): unknown {
  if (!isRecord(config) || config.writer === undefined) return config;
  return { ...config, writer, ...(isRecord(config.config) && { config: { ...config.config, writer } }) };
}
