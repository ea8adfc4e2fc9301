import type {
  AgentInputItem,
  AgentOutputItem,
  FunctionTool,
  Model,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  RunResult,
  RunState,
  RunStreamEvent,
  Session,
  StreamEvent,
  StreamedRunResult,
  Tool,
} from "@openai/agents";
import { isRecord } from "@suite/kit";

/** The SDK's types, with the names that this package uses. */
export type Item = AgentInputItem | AgentOutputItem;
export type SdkTool = FunctionTool;
export type SdkModel = Model;
export type SdkProvider = ModelProvider;
export type SdkRequest = ModelRequest;
export type SdkResponse = ModelResponse;
export type SdkEvent = StreamEvent;
export type RunEvent = RunStreamEvent;
export type DoneEvent = Extract<StreamEvent, { type: "response_done" }>;

/** The members of an agent that this package uses. Its type in the SDK depends on its options. */
export interface AgentLike {
  readonly name: string;
  readonly handoffDescription?: string;
  readonly model?: unknown;
  getAllTools(...args: unknown[]): Promise<Tool[]>;
  getEnabledHandoffs(...args: unknown[]): Promise<readonly { readonly agent: AgentLike }[]>;
  processFinalOutput(output: string): unknown;
}

/** A state of the SDK, for any agent. */
export type AnyState = RunState<unknown, never>;
export type AnyResult = RunResult<unknown, never>;
export type AnyStreamed = StreamedRunResult<unknown, never>;

/** The options of `run`. */
export interface RunOptions {
  readonly stream?: boolean;
  readonly context?: unknown;
  readonly maxTurns?: number | null;
  readonly signal?: AbortSignal;
  readonly session?: Session;
  readonly conversationId?: string;
  readonly [option: string]: unknown;
}

export type Run = (
  this: RunnerLike,
  agent: AgentLike,
  input: unknown,
  options?: RunOptions,
) => Promise<AnyResult | AnyStreamed>;

/** The members of a runner that this package uses. */
export interface RunnerLike {
  readonly config: {
    readonly modelProvider?: ModelProvider;
    readonly model?: unknown;
    readonly groupId?: string;
    readonly tracingDisabled?: boolean;
    readonly traceIncludeSensitiveData?: boolean;
    readonly tracing?: { readonly apiKey?: string };
  };
  readonly run: Run;
}

export type Invoke = FunctionTool["invoke"];

/** True if the value is a model of the SDK. */
export const isModel = (value: unknown): value is SdkModel =>
  isRecord(value) && typeof value.getResponse === "function" && typeof value.getStreamedResponse === "function";

/** True for a state that is passed as input to resume a run. */
export const isState = (input: unknown): input is AnyState =>
  isRecord(input) && "_currentAgent" in input && "_context" in input;
