import { isRecord } from "@suite/kit";

/** The metadata of a LangChain message: fields that providers add. */
export interface Metadata {
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The native form of a part: the LangChain value that it was made from, so that an unchanged part is sent back
 * unchanged.
 */
export interface NativeForm {
  /** The content block. */
  readonly block?: unknown;
  /** The metadata, on the first part of a message. */
  readonly metadata?: Metadata;
}

/**
 * Names of fields that describe an answer and never contain its content. They are kept even if a guard rewrote the
 * answer.
 */
const harmless = new Set([
  ...["model_provider", "model_name", "model", "finish_reason", "stop_reason", "system_fingerprint", "service_tier"],
  ...["id", "object", "created", "created_at", "status", "usage", "tokenUsage", "estimatedTokenUsage"],
]);

/** Names of fields that contain names, types or ciphers, never text that continues in the next chunk. */
const labels = new Set([
  ...["type", "index", "name", "role", "format", "language", "mime_type", "mimeType", "output_version"],
  ...["data", "signature", "thoughtSignature", "encrypted_content"],
]);

/** True if a field of this name is a label. */
export const isLabel = (name: string): boolean => labels.has(name) || harmless.has(name) || /(?:^|_)id$|Id$/.test(name);

/** Fields that repeat the tool calls, which are parts already. */
const copies = new Set(["tool_calls", "function_call"]);

/** Returns the metadata that may contain anything, or `undefined` if it is absent. */
export function metadataOf(message: {
  readonly additional_kwargs?: object;
  readonly response_metadata?: object;
  readonly tool_calls?: readonly unknown[];
}): Metadata | undefined {
  const called = (message.tool_calls?.length ?? 0) > 0;
  const kwargs = entries(message.additional_kwargs, (key) => harmless.has(key) || (called && copies.has(key)));
  const response = entries(message.response_metadata, (key) => harmless.has(key));
  if (kwargs === undefined && response === undefined) return undefined;
  return { ...(kwargs && { additional_kwargs: kwargs }), ...(response && { response_metadata: response }) };
}

function entries(from: object | undefined, leaveOut: (key: string) => boolean): Record<string, unknown> | undefined {
  const remaining = Object.entries(from ?? {}).filter(([key, value]) => value !== undefined && !leaveOut(key));
  return remaining.length === 0 ? undefined : Object.fromEntries(remaining);
}

/** Returns the native form of a part, or an empty object if it has none. */
export const nativeFormOf = (part: object): NativeForm =>
  "native" in part && isRecord(part.native) ? (part.native as NativeForm) : {};
