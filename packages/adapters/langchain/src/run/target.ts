import type { BaseMessage } from "@langchain/core/messages";
import type { Interrupt } from "../human/question.js";

/** The configuration of one call of an agent. */
export interface AgentConfig {
  readonly signal?: AbortSignal;
  readonly streamMode?: string | readonly string[];
  readonly subgraphs?: boolean;
  readonly encoding?: string;
  readonly version?: string;
  readonly configurable?: Readonly<Record<string, unknown>>;
}

/** A snapshot of a graph, as LangGraph returns it. */
export interface Snapshot {
  readonly values: { readonly messages?: readonly BaseMessage[] };
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tasks: readonly { readonly interrupts: readonly Interrupt[] }[];
}

/** The store of LangGraph's checkpoints. */
export interface Checkpointer {
  getTuple(config: object): Promise<
    | {
        readonly checkpoint: object;
        readonly metadata?: object;
        readonly parentConfig?: object;
        readonly config: object;
      }
    | undefined
  >;
  put(config: object, checkpoint: object, metadata: object, newVersions: object): Promise<unknown>;
}

/** The members of a `createAgent` agent that this package uses. Its type in LangChain depends on its options. */
export interface Agent {
  readonly options: { readonly name?: string; readonly description?: string; readonly model?: unknown };
  readonly checkpointer?: unknown;
  readonly graph: { getState(config: object): Promise<Snapshot> };
  invoke(input: unknown, config?: AgentConfig): Promise<unknown>;
  stream(input: unknown, config?: AgentConfig): Promise<AsyncIterable<unknown>>;
  streamEvents(
    input: unknown,
    config?: AgentConfig,
    options?: object,
  ): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
  withConfig(config: object): Agent;
  getState(config: AgentConfig, options?: object): Promise<Snapshot>;
  getStateHistory(config: AgentConfig, options?: object): AsyncIterable<Snapshot>;
}

export const isCheckpointer = (value: unknown): value is Checkpointer =>
  typeof value === "object" && value !== null && "getTuple" in value && "put" in value;
