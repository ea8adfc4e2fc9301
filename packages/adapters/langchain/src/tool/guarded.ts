import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { isRecord } from "../messages/metadata.js";
import { standIn } from "../stand-in.js";
import type { ToolAttempt, Write } from "./attempt.js";

/** A tool of LangChain that can be run, whatever class it is of. */
interface Callable {
  _call(input: unknown, manager: unknown, config: unknown): unknown;
}

/** A tool as it is, what it gives and writes going through an attempt; undefined where it has no place for that. */
export function guardedTool<T extends ClientTool | ServerTool>(tool: T, attempt: ToolAttempt): T | undefined {
  if (!("_call" in tool) || typeof tool._call !== "function") return undefined;
  const callable = tool as unknown as Callable;
  const value = (input: unknown, manager: unknown, config: unknown): Promise<unknown> =>
    attempt.call((write) => callable._call(input, manager, writingWith(write, config)), writerIn(config));
  return standIn(tool, { _call: { value } }, () => false);
}

const writerIn = (config: unknown): Write | undefined =>
  isRecord(config) && typeof config.writer === "function" ? (config.writer as Write) : undefined;

/** The configuration with another writer. LangGraph hands its own on beside that of the tool. */
function writingWith(writer: Write, config: unknown): unknown {
  if (!isRecord(config) || config.writer === undefined) return config;
  return { ...config, writer, ...(isRecord(config.config) && { config: { ...config.config, writer } }) };
}
