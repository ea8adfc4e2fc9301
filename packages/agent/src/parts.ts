import type { Delta, Outcome, Reply } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { AgentInfo } from "@suite/core/contract";
import type { AgentInput, AgentOptions, AgentRunOptions } from "./options.js";
import type { Resuming } from "./pending/resuming.js";
import type { AgentResult } from "./result.js";
import type { JsonSchema } from "./tools/schema.js";

/** The parts of `Agent` that its runs use. */
export interface AgentParts {
  readonly name: string;
  readonly options: AgentOptions;
  readonly stack: PluginStack;
  readonly info: AgentInfo;
  readonly resuming: Resuming;
  /** The output schema as the model receives it. */
  readonly outputSchema: JsonSchema | undefined;
  run(input: AgentInput, options: AgentRunOptions): Promise<AgentResult>;
  /** @param outer the resume options of the calling agent, if this agent runs as its tool. */
  start(
    input: AgentInput,
    options: AgentRunOptions,
    streaming: boolean,
    outer: Resuming,
  ): Promise<{ readonly outcome: Outcome<Delta, Reply>; result(): Promise<AgentResult> }>;
}
