import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import type { Tool } from "@suite/core";
import { isRecord } from "@suite/kit";

type LangChainTool = ClientTool | ServerTool;

const known = new WeakMap<object, Tool>();

/** Converts a LangChain tool to a neutral tool. It is converted once, and its schema only when it is read. */
export function neutralTool(tool: LangChainTool): Tool {
  let neutral = known.get(tool);
  if (neutral === undefined) {
    neutral = convert(tool);
    known.set(tool, neutral);
  }
  return neutral;
}

/** Stores the plugin's tool that a LangChain tool was made from. */
export const nameTool = (tool: object, neutral: Tool): void => void known.set(tool, neutral);

/** Returns the name of a tool. Tools that the provider runs are plain objects without a name: their type is used. */
export function nameOfTool(tool: object): string {
  const { name, type, function: described } = tool as Readonly<Record<string, unknown>>;
  const nested = isRecord(described) ? described.name : undefined;
  return String(name ?? nested ?? type ?? "");
}

function convert(tool: LangChainTool): Tool {
  const { description } = tool as { readonly description?: unknown };
  let parameters: Readonly<Record<string, unknown>> | undefined;
  return {
    name: nameOfTool(tool),
    ...(typeof description === "string" && { description }),
    get parameters() {
      parameters ??= parametersOf(tool);
      return parameters;
    },
    ...(isInvokable(tool) && !isHeadless(tool) && { execute: (input: unknown) => tool.invoke(input) }),
  };
}

function parametersOf(tool: LangChainTool): Readonly<Record<string, unknown>> {
  if (!("schema" in tool) || tool.schema === undefined) return {};
  return { ...toJsonSchema(tool.schema as Parameters<typeof toJsonSchema>[0]) };
}

interface Invokable {
  invoke(input: unknown): Promise<unknown>;
}

const isInvokable = (tool: object): tool is Invokable => "invoke" in tool && typeof tool.invoke === "function";

/** True for a LangChain tool without a function. A call of it only interrupts. */
const isHeadless = (tool: object): boolean =>
  "metadata" in tool && isRecord(tool.metadata) && tool.metadata.headlessTool === true;
