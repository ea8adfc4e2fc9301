/** A part of a message, as OpenTelemetry's GenAI message schemas have it. Nothing in it is relied on. */
export type MessagePart = Readonly<Record<string, unknown>>;

/** A message of a conversation. */
export interface ChatMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

/** The input and output messages of a span. */
export interface Parts {
  readonly given: readonly ChatMessage[];
  readonly said: readonly ChatMessage[];
}
