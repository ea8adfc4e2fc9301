import type { Awaitable, RuntimeContext } from "@suite/core";
import type { ModelSettings, ToolChoice } from "@suite/core/contract";
import type { Model } from "../models/model.js";
import type { AgentOptions, CompressContext } from "../options.js";
import type { RunContext } from "../tools/context.js";
import type { LiveTools } from "../tools/table.js";

/** The context that all rounds of one run share. */
export interface LoopContext extends RunContext {
  readonly model: Model;
  readonly tools: LiveTools;
  readonly systemPrompt: string | ((runtime: RuntimeContext) => Awaitable<string>);
  readonly compressContext: CompressContext | undefined;
  readonly settings: ModelSettings | undefined;
  readonly toolChoice: ToolChoice | undefined;
  readonly outputSchema: unknown;
  readonly plans: AgentOptions["plans"];
  readonly stopWhen: AgentOptions["stopWhen"];
  readonly maxRounds: number;
}
