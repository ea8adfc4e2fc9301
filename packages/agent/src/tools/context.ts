import type { Message, ToolCallPart } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import type { AgentOptions } from "../options.js";
import type { Resuming } from "../pending/resuming.js";
import type { Batch } from "./calls.js";
import type { AgentTool } from "./tool.js";

/** The context that all tool calls of one run share. */
export interface RunContext {
  readonly run: Run;
  readonly stack: PluginStack;
  readonly maxParallelTools: number;
  readonly toolTimeout: number | undefined;
  /** Whether the run is asked for a stream. */
  readonly streaming: boolean;
  /** The settings by which suspended runs go on: inner agents take them over. */
  readonly resuming: Resuming;
  /** Asks a person who is there now; undefined suspends the run. */
  readonly onHumanInput: AgentOptions["onHumanInput"];
}

/** The context that the tool calls of one reply share. */
export interface ToolContext extends RunContext {
  readonly batch: Batch;
  /** The tools by name, as they were when the calls began. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  readonly calls: readonly ToolCallPart[];
  /** The history up to the reply, which is the last message. */
  readonly history: readonly Message[];
  /** Tools that a layer took off the request: the model was not offered them, and cannot call them. */
  readonly withheld: ReadonlySet<string>;
}
