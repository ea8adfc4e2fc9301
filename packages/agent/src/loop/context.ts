import type { Awaitable, Message, ModelSettings, Reply, RuntimeContext, ToolChoice } from "@suite/core";
import type { Model } from "../models/model.js";
import type { ToolContext } from "../tools/execute.js";

/** Shortens a history that has grown too long. It calls the model through the `model` layers, like everyone else. */
export type CompressContext = (
  messages: readonly Message[],
  help: {
    /** The system prompt of this round, to count its tokens. */
    systemPrompt(): Awaitable<string>;
    /** One model call about these messages. */
    ask(messages: readonly Message[]): Promise<Reply>;
    readonly runtime: RuntimeContext;
  },
) => Awaitable<readonly Message[]>;

/** What all rounds of one run share. */
export interface LoopContext extends ToolContext {
  readonly model: Model;
  readonly systemPrompt: string | ((runtime: RuntimeContext) => Awaitable<string>);
  readonly compressContext: CompressContext | undefined;
  readonly settings: ModelSettings | undefined;
  readonly toolChoice: ToolChoice | undefined;
  readonly outputSchema: unknown;
  readonly maxRounds: number;
  readonly streaming: boolean;
}
