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

/** A tool as the model is offered it. Without `execute` it runs elsewhere: calling it suspends the run. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** Says that it plans: traced as the conventions' `plan`, within the span of its call. */
  readonly plans?: boolean;
  /** JSON Schema of the input, for the model. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** @param steps given by @suite/agent; undefined where a framework runs the tool. */
  execute?(input: unknown, runtime: RuntimeContext, call: CallId, steps?: ToolSteps): Awaitable<unknown>;
  /** The way in which a call that was carried out is undone. Nothing calls it by itself: `undo` of @suite/resilience does. */
  readonly undo?: UndoTool;
}

/**
 * Undoes a tool call, by its input and its result. It may be called in another process than the tool was, and once at most.
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
 * The steps of one tool call, for a tool that asks a person in the middle. Where nobody is there to answer, the run is
 * suspended, and the tool runs again from its beginning, with the same input, when the answer has come. What it does before
 * the question happens again then, unless it is a step that `once` remembers.
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
   * A person's answer to the question, which is JSON. It counts until the tool has ended well: not when a layer then runs
   * it again. Rejects where the run is suspended: let that through, whatever the tool still gives is dropped.
   */
  ask(question: string): Promise<unknown>;
  /**
   * The result of a step, which is done once in a call, however often its tool runs: a copy, as JSON has it. A step that
   * throws is not done.
   */
  once<T>(name: string, step: () => Awaitable<T>): Promise<T>;
}

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

/** Sampling settings under OpenTelemetry's names (`gen_ai.request.*`); a provider's own go beside them. */
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

export interface AgentRequest {
  readonly messages: readonly Message[];
  /** Present when a suspended run goes on: what was decided, or came back, while it waited. */
  readonly resume?: readonly Part[];
}

/** One round: what the model is about to be given, before the system prompt is put in front. */
export interface ReasoningRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly outputSchema?: unknown;
  readonly settings?: ModelSettings;
  /** Says that the answer is a plan: traced as the conventions' `plan`, round the span of the model call. */
  readonly plans?: boolean;
}

/** A mark in a request, for providers that are told what to cache: all up to the end of one of its messages. */
export interface CacheMark {
  /** One of the request's messages, the very object: a layer that replaces it takes the mark off. */
  readonly after: Message;
  /** The time for which it is kept after it was last used. Default: the provider's. */
  readonly ttl?: "5m" | "1h";
}

/** One model call. The system prompt, where there is one, is the first message. */
export interface ModelRequest extends ReasoningRequest {
  readonly model: string;
  /** The provider's name as in `gen_ai.provider.name`: `openai`, `anthropic`, … */
  readonly provider?: string;
  readonly server?: { readonly address: string; readonly port?: number };
  /**
   * Another model client for this call, set by a layer: a fallback, a cheaper model. Of @suite/agent it is a `Model`, of a
   * framework the framework's own model object; its name and provider then take the place of those above. Where an adapter
   * has no place for it, it refuses it (`ERR_CLIENT_NOT_SERVED`).
   */
  readonly client?: unknown;
  /**
   * The purpose of a call that a plugin makes by itself (`runtime.ask`): `summarize`, `moderate`, … Undefined where it
   * is a round of the agent.
   */
  readonly purpose?: string;
  /** The caller asked for a streamed answer. */
  readonly stream?: boolean;
  /**
   * The marks of prefixes that are worth a place in the provider's cache. An adapter that can carry none leaves them
   * out.
   */
  readonly cacheMarks?: readonly CacheMark[];
  /**
   * The rest of what the framework gives to the model, which has no field here: a provider's own options, say. As plain
   * data, made when it is asked for, by whoever has to tell two requests apart; not to be changed.
   */
  beside?(): unknown;
}

/** The request of MCP that a tool call stands for: also one that reads a resource or gets a prompt. */
export interface McpCall {
  /** `client`: this side sends the request. `server`: this side answers it. */
  readonly side: "client" | "server";
  /** The method, such as `tools/call`. */
  readonly method: string;
  readonly requestId: string;
  readonly sessionId?: string;
  /** The version of MCP that both sides agreed on. */
  readonly protocolVersion?: string;
  /** Absent for a transport within the process, and for one that is not known. */
  readonly transport?: "stdio" | "http";
}

export interface ToolRequest {
  /** The model's id of this call. */
  readonly id: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** The request of MCP that this call is, if it is one. */
  readonly mcp?: McpCall;
  /** All tool calls of the model's answer, this one among them, where the adapter knows them. Not to be changed. */
  readonly batch?: readonly ToolCallPart[] | undefined;
  /** The conversation up to that answer, where the adapter knows it. Not to be changed. */
  readonly history?: readonly Message[] | undefined;
}

export interface HumanInputRequest extends Pick<ToolRequest, "batch" | "history"> {
  readonly question: string;
  /** The tool call that the question is about. */
  readonly about?: ToolCallPart;
  /** The decisions that an approval takes, of which a layer may take some off; undefined for a question. */
  readonly decisions?: readonly ApprovalDecision[];
}

export interface CompressContextRequest {
  readonly messages: readonly Message[];
  /** Assembles the system prompt of this round (once, however often it is asked for), to count its tokens. */
  systemPrompt?(): Awaitable<string>;
}

/**
 * The kinds of call that are intercepted: one row per kind, with what goes in, what streams out, and what it adds up to.
 * From `tool` on they answer with a single value, which streams as one chunk; a tool may stream progress before it.
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
export type Kind = keyof Kinds;
export type Request<K extends Kind> = Kinds[K]["request"];
export type Chunk<K extends Kind> = Kinds[K]["chunk"];
export type Final<K extends Kind> = Kinds[K]["final"];

/** Identity of one call: what its layers, its span, its records and its nested calls hang on. Unique across processes. */
export interface CallId {
  readonly id: string;
  readonly kind: Kind;
  readonly parent?: CallId | undefined;
}

/** The ids of a span, by which a call is found in a trace: W3C trace context ids, in lower-case hex. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether the span is recorded. Left out: yes. */
  readonly sampled?: boolean;
}
