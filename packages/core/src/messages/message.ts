/**
 * The neutral message model: the parts, roles and finish reasons of the OpenTelemetry GenAI message schemas
 * (`gen-ai-input-messages`, `gen-ai-output-messages`, 2026-10-09), in camelCase where a field has two words.
 */

/** The role of whoever wrote a message. */
export type Role = "system" | "user" | "assistant" | "tool";

/** The modality of data that a part carries, where it is not text. */
export type Modality = "image" | "video" | "audio" | "document" | (string & {});

/** The reason why a model stopped. Open: providers have others. */
export type FinishReason = "stop" | "length" | "content_filter" | "tool_call" | "compaction" | "error" | (string & {});

interface Native {
  /**
   * The framework's own object of which this part is the reading, so that an unchanged part goes back verbatim.
   * A rewritten part leaves it out: the native copy still holds what was rewritten.
   */
  readonly native?: unknown;
}

/** Text, in UTF-16 as JavaScript has it. */
export interface TextPart extends Native {
  readonly type: "text";
  readonly content: string;
}

/** Reasoning: what a model thought before it answered. `signature`: signed or encrypted; pass it on verbatim, or remove the part whole. */
export interface ReasoningPart extends Native {
  readonly type: "reasoning";
  readonly content: string;
  readonly signature?: string;
}

/** A model asks for a tool. `arguments` is parsed JSON; a string where what the model wrote is not JSON. */
export interface ToolCallPart extends Native {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * The response of a tool: any value, or content parts (`toolContentOf`). `isError`: it failed, and `response` is the short message
 * the model is given.
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

/** A file by its address. The suite never fetches it. */
export interface UriPart extends Native {
  readonly type: "uri";
  readonly modality: Modality;
  readonly mimeType?: string;
  readonly uri: string;
}

/** A compaction, which stands for history that the provider has shortened. */
export interface CompactionPart extends Native {
  readonly type: "compaction";
  readonly id?: string;
  readonly content?: string;
}

/** A native value, which a framework has and this model lacks. Guards treat `value` like any other value. */
export interface NativePart {
  readonly type: "native";
  readonly value: unknown;
}

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

/** One message. Never mutated: a change is a new object. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
  /** Name of the participant, where a framework has one. */
  readonly name?: string;
  readonly native?: unknown;
}

/** Tokens of one model call, under OpenTelemetry's names (`gen_ai.usage.*`). Input includes what came from a cache. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheCreationInputTokens?: number;
  readonly reasoningOutputTokens?: number;
}

/** A whole answer of a model or an agent. */
export interface Reply {
  readonly message: Message;
  readonly usage?: Usage;
  readonly finishReason?: FinishReason;
  /** The provider's id of the response, and the model that gave it. */
  readonly response?: { readonly id?: string; readonly model?: string };
}
