import type { ToolCallPart } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import type { AgentTool } from "./tool.js";

/** What one run's tools share. */
export interface ToolContext {
  readonly run: Run;
  readonly stack: PluginStack;
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** Asks a person who is there now; undefined suspends the run. */
  readonly onHumanInput: ((question: string, about: ToolCallPart) => unknown) | undefined;
}
