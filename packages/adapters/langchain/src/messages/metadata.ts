/** Metadata that a message of LangChain has beside its content: what providers add under names of their own. */
export interface Metadata {
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
}

/** The native form of a part: what it stands for in LangChain, so that a part which nobody changed goes back as it was. */
export interface NativeForm {
  /** The content block. */
  readonly block?: unknown;
  /** The metadata, on the first part of a message. */
  readonly metadata?: Metadata;
}

/** Names under which providers say things about an answer, never what is in it. Kept also where a guard rewrote the answer. */
const harmless = new Set([
  ...["model_provider", "model_name", "model", "finish_reason", "stop_reason", "system_fingerprint", "service_tier"],
  ...["id", "object", "created", "created_at", "status", "usage", "tokenUsage", "estimatedTokenUsage"],
]);

/** Names, kinds and ciphers: never a text that goes on in the next chunk. */
const labels = new Set([
  ...["type", "index", "name", "role", "format", "language", "mime_type", "mimeType", "output_version"],
  ...["data", "signature", "thoughtSignature", "encrypted_content"],
]);

/** Whether a field of this name labels what stands beside it. */
export const isLabel = (name: string): boolean => labels.has(name) || harmless.has(name) || /(?:^|_)id$|Id$/.test(name);

/** Forms of the tool calls that are parts already. */
const copies = new Set(["tool_calls", "function_call"]);

/** The metadata in which anything may be, or undefined. */
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
  const kept = Object.entries(from ?? {}).filter(([key, value]) => value !== undefined && !leaveOut(key));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The native form of a part, where it still has one. */
export const nativeFormOf = (part: object): NativeForm =>
  "native" in part && isRecord(part.native) ? (part.native as NativeForm) : {};
