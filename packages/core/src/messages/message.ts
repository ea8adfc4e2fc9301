/**
 * The neutral message model: the parts, roles and finish reasons of the OpenTelemetry GenAI message schemas
 * (`gen-ai-input-messages`, `gen-ai-output-messages`, 2026-10-09), in camelCase.
 */

/** The role of a message's author. */
export type Role = "system" | "user" | "assistant" | "tool";

/** The modality of a part's data, other than text. */
export type Modality = "image" | "video" | "audio" | "document" | (string & {});

/** The reason why a model stopped. Providers may add others. */
export type FinishReason = "stop" | "length" | "content_filter" | "tool_call" | "compaction" | "error" | (string & {});

interface Native {
  /**
   * The framework's object that this part was read from, so that an unchanged part is returned verbatim. A rewritten
   * part must leave it out: it still contains the original content.
   */
  readonly native?: unknown;
}

/** Text, as a JavaScript string (UTF-16). */
export interface TextPart extends Native {
  readonly type: "text";
  readonly content: string;
}

/**
 * A model's reasoning before its answer. With `signature` it is signed or encrypted: pass it on verbatim, or remove the
 * whole part.
 */
export interface ReasoningPart extends Native {
  readonly type: "reasoning";
  readonly content: string;
  readonly signature?: string;
}

/** A model's call of a tool. `arguments` is parsed JSON, or a string if the model did not write valid JSON. */
export interface ToolCallPart extends Native {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * The response of a tool: any value, or content parts (`toolContentOf`). With `isError`, the tool failed and `response`
 * is the short error message for the model.
 */
export interface ToolCallResponsePart extends Native {
  readonly type: "tool_call_response";
  readonly id: string;
  readonly response: unknown;
  readonly isError?: boolean;
}

/** A tool that the provider runs itself. */
export interface ServerToolCallPart extends Native {
  readonly type: "server_tool_call";
  readonly id?: string;
  readonly name: string;
  readonly serverToolCall: { readonly type: string; readonly [field: string]: unknown };
}

/** The response of a tool of the provider. */
export interface ServerToolCallResponsePart extends Native {
  readonly type: "server_tool_call_response";
  readonly id?: string;
  readonly serverToolCallResponse: { readonly type: string; readonly [field: string]: unknown };
}

/** Bytes in the message itself, base64. */
export interface BlobPart extends Native {
  readonly type: "blob";
  readonly modality: Modality;
  readonly mimeType?: string;
  readonly content: string;
}

/** A file that the provider holds. */
export interface FilePart extends Native {
  readonly type: "file";
  readonly modality: Modality;
  readonly mimeType?: string;
  readonly fileId: string;
}

/** A file by its address. The suite never downloads it. */
export interface UriPart extends Native {
  readonly type: "uri";
  readonly modality: Modality;
  readonly mimeType?: string;
  readonly uri: string;
}

/** A compaction: a provider's replacement for shortened history. */
export interface CompactionPart extends Native {
  readonly type: "compaction";
  readonly id?: string;
  readonly content?: string;
}

/** A framework's value that has no part type in this model. Guards treat `value` like any other value. */
export interface NativePart {
  readonly type: "native";
  readonly value: unknown;
}

/** A part of a message. */
export type Part =
  | TextPart
  | ReasoningPart
  | ToolCallPart
  | ToolCallResponsePart
  | ServerToolCallPart
  | ServerToolCallResponsePart
  | BlobPart
  | FilePart
  | UriPart
  | CompactionPart
  | NativePart;

/** One message. Never mutated: a change creates a new object. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  /** The participant's name, if the framework has one. */
  readonly name?: string;
  readonly native?: unknown;
}

/** Tokens of one model call, under OpenTelemetry's names (`gen_ai.usage.*`). Input tokens include cached ones. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheCreationInputTokens?: number;
  readonly reasoningOutputTokens?: number;
}

/** A complete answer of a model or an agent. */
export interface Reply {
  readonly message: Message;
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  /**
   * The provider's id of the response, the model that answered, and the types of the edits that the provider applied to
   * the history, such as `clear_tool_uses_20250919`.
   */
  readonly response?: { readonly id?: string; readonly model?: string; readonly contextEdits?: readonly string[] };
}
