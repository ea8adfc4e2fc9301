/** A part of a message, in the form of OpenTelemetry's GenAI message schemas. Its members are unchecked. */
export type MessagePart = Readonly<Record<string, unknown>>;

/** A message of a conversation. */
export interface ChatMessage {
  readonly role: string;
  readonly parts: readonly MessagePart[];
}

/** The input and output messages of a span. */
export interface Parts {
  readonly input: readonly ChatMessage[];
  readonly output: readonly ChatMessage[];
}
