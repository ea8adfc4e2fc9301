import type { Delta } from "../messages/delta.js";
import type { Message, Part, Reply, ToolCallPart } from "../messages/message.js";
import type { Awaitable } from "./protocol.js";
import type { RuntimeContext } from "./runtime.js";
import type {
  EmbeddingRequest,
  EmbeddingResult,
  MemoryRequest,
  MemoryResult,
  RetrievalRequest,
  RetrievalResult,
} from "./search.js";
import type { ApprovalDecision } from "./suspension.js";

/** A tool that is offered to the model. A tool without `execute` runs elsewhere: a call to it suspends the run. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** True if the tool makes a plan. It is traced as the conventions' `plan`, inside the span of its call. */
  readonly plans?: boolean;
  /** JSON Schema of the input, sent to the model. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** @param steps passed by @suite/agent; `undefined` if a framework runs the tool. */
  execute?(input: unknown, runtime: RuntimeContext, call: CallId, steps?: ToolSteps): Awaitable<unknown>;
  /** Undoes a completed call. Called only by `undo` of @suite/resilience. */
  readonly undo?: UndoTool;
}

/**
 * Undoes a tool call, from its input and result. It may run in another process than the tool did. It is called at most
 * once.
 *
 * @example
 * ```ts
 * const undo: UndoTool = (input, result, { toolCallId }) => shop.cancel(result.order, { key: toolCallId });
 * ```
 */
export type UndoTool = (
  input: unknown,
  result: unknown,
  about: { readonly toolCallId: string; readonly signal: AbortSignal },
) => Awaitable<unknown>;

/**
 * Steps of one tool call, for a tool that asks a person while it runs. If no one can answer, the run is suspended. When
 * the answer has arrived, the tool runs again from its beginning with the same input. Work before the question is
 * repeated, except for steps done with `once`.
 *
 * @example
 * ```ts
 * async execute({ order }, runtime, call, steps) {
 *   const reserved = await steps.once("reserve", () => reserve(order));
 *   const where = await steps.ask(`${reserved.count} are there. Where to?`);
 *   return steps.once("ship", () => ship(order, where));
 * }
 * ```
 */
export interface ToolSteps {
  /**
   * Returns a person's answer to the question, as JSON. The answer is kept until the tool succeeds. If a layer runs the
   * tool again after that, the question is asked again. Rejects if the run is suspended: do not catch that, since the
   * tool's result is then discarded.
   */
  ask(question: string): Promise<unknown>;
  /**
   * Runs a step once per call, even if the tool runs several times. Returns a copy of its result, as JSON. A step that
   * throws does not count as done.
   */
  once<T>(name: string, step: () => Awaitable<T>): Promise<T>;
}

/** Restricts which tools a model may call. An object requires the tool with this name. */
export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** Sampling settings under OpenTelemetry's names (`gen_ai.request.*`). Settings of a provider may be added. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly [setting: string]: unknown;
}

/** The request of a run: the input of an agent. */
export interface AgentRequest {
  readonly messages: readonly Message[];
  /** Present when a suspended run resumes: the decisions and results that arrived while it waited. */
  readonly resume?: readonly Part[];
}

/** One round: the model's input before the system prompt is added. */
export interface ReasoningRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly outputSchema?: unknown;
  readonly settings?: ModelSettings;
  /** True if the answer is a plan. It is traced as the conventions' `plan`, around the span of the model call. */
  readonly plans?: boolean;
}

/**
 * Marks a prefix of the request, for providers that cache only marked prefixes: everything up to the end of one
 * message.
 */
export interface CacheMark {
  /** One of the request's messages, by identity. A layer that replaces the message removes the mark. */
  readonly after: Message;
  /** The time that the prefix is kept after its last use. Default: the provider's. */
  readonly ttl?: "5m" | "1h";
}

/** One model call. The system prompt, if any, is the first message. */
export interface ModelRequest extends ReasoningRequest {
  readonly model: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `anthropic`, … */
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
  /**
   * Another model client for this call, set by a layer: a fallback or a cheaper model. For @suite/agent it is a
   * `Model`, for a framework the framework's model object. Its name and provider then replace those above. An adapter
   * that does not support it rejects it (`ERR_CLIENT_NOT_SERVED`).
   */
  readonly client?: unknown;
  /**
   * The purpose of a call that a plugin makes (`runtime.ask`): `summarize`, `moderate`, … `undefined` for a round of
   * the agent.
   */
  readonly purpose?: string;
  /** True if the caller asked for a streamed answer. */
  readonly stream?: boolean;
  /** Marks of prefixes that are worth caching at the provider. An adapter that does not support marks ignores them. */
  readonly cacheMarks?: readonly CacheMark[];
  /**
   * Returns the rest of the framework's model input that has no field here, such as a provider's options. Plain data,
   * made on each call, to compare two requests. Not to be changed.
   */
  beside?(): unknown;
}

/** The MCP request of a tool call. Reading a resource and getting a prompt count too. */
export interface McpCall {
  /** `client`: this side sends the request. `server`: this side answers it. */
  readonly side: "client" | "server";
  /** The method, such as `tools/call`. */
  readonly method: string;
  readonly requestId: string;
  readonly sessionId?: string;
  /** The MCP version that both sides agreed on. */
  readonly protocolVersion?: string;
  /** Absent for a transport within the process and for an unknown one. */
  readonly transport?: "stdio" | "http";
}

/** The request of a tool call. */
export interface ToolRequest {
  /** The model's id of this call. */
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** The MCP request of this call, if it is one. */
  readonly mcp?: McpCall;
  /** All tool calls of the model's answer, including this one, if the adapter knows them. Not to be changed. */
  readonly batch?: readonly ToolCallPart[] | undefined;
  /** The conversation up to that answer, if the adapter knows it. Not to be changed. */
  readonly history?: readonly Message[] | undefined;
}

/** The request for a decision or an answer of a person. */
export interface HumanInputRequest extends Pick<ToolRequest, "batch" | "history"> {
  readonly question: string;
  /** The tool call that the question is about. */
  readonly about?: ToolCallPart;
  /** Decisions that an approval allows. A layer may remove some. `undefined` for a question. */
  readonly decisions?: readonly ApprovalDecision[];
}

/** The request to make a conversation shorter. */
export interface CompressContextRequest {
  readonly messages: readonly Message[];
  /**
   * Assembles the system prompt of this round, to count its tokens. It is assembled once, even if this is called
   * several times.
   */
  systemPrompt?(): Awaitable<string>;
}

/**
 * The kinds of call that layers intercept: one row per kind, with its request, its streamed chunks and its final value.
 * From `tool` on, the answer is a single value that streams as one chunk. A tool may stream progress before it.
 */
export interface Kinds {
  /** A whole reply: all rounds, all tools, the final answer. */
  agent: { request: AgentRequest; chunk: Delta; final: Reply };
  /** One round: assemble the input, call the model, decode the stream. */
  reasoning: { request: ReasoningRequest; chunk: Delta; final: Reply };
  /** One model call. */
  model: { request: ModelRequest; chunk: Delta; final: Reply };
  /** One tool call. The last chunk is the result. */
  tool: { request: ToolRequest; chunk: unknown; final: unknown };
  /** One request for a person's input or approval. */
  humanInput: { request: HumanInputRequest; chunk: unknown; final: unknown };
  /** The decision to compress the history, and the compression. */
  compressContext: { request: CompressContextRequest; chunk: readonly Message[]; final: readonly Message[] };
  /** One request for embeddings. */
  embedding: { request: EmbeddingRequest; chunk: EmbeddingResult; final: EmbeddingResult };
  /** One search of documents. */
  retrieval: { request: RetrievalRequest; chunk: RetrievalResult; final: RetrievalResult };
  /** One operation on a memory. */
  memory: { request: MemoryRequest; chunk: MemoryResult; final: MemoryResult };
}
/** The kind of a call, such as `model` or `tool`. */
export type Kind = keyof Kinds;
/** The request of a kind of call. */
export type Request<K extends Kind> = Kinds[K]["request"];
/** A piece of the answer of a kind of call, as the framework streams it. */
export type Chunk<K extends Kind> = Kinds[K]["chunk"];
/** The complete answer of a kind of call. */
export type Final<K extends Kind> = Kinds[K]["final"];

/** Identity of one call. Its layers, span, records and nested calls refer to it. Unique across processes. */
export interface CallId {
  readonly id: string;
  readonly kind: Kind;
  readonly parent?: CallId | undefined;
}

/** Ids of a span, to find a call in a trace: W3C trace context ids in lower-case hex. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  /** True if the span is recorded. Default: true. */
  readonly sampled?: boolean;
}
