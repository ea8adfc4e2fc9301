import type { Tool } from "@suite/core";
import type { ToolChoice } from "@suite/core/contract";
import type { CallOptions, ModelTool } from "../framework.js";

/** Returns the neutral form of a tool of the model. */
export const toolOf = (tool: ModelTool): Tool =>
  tool.type === "function"
    ? {
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        parameters: tool.inputSchema as Readonly<Record<string, unknown>>,
      }
    : { name: tool.name };

/** Returns the framework's form of a tool that a layer added or changed. */
export const fromTool = ({ name, description, parameters = { type: "object" } }: Tool): ModelTool => ({
  type: "function",
  name,
  ...(description !== undefined && { description }),
  inputSchema: parameters,
});

export const toToolChoice = (choice: NonNullable<CallOptions["toolChoice"]>): ToolChoice =>
  choice.type === "tool" ? { name: choice.toolName } : choice.type;

export const fromToolChoice = (choice: ToolChoice): NonNullable<CallOptions["toolChoice"]> =>
  typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.name };
