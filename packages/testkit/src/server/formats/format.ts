import type { CutText, ResolvedAnswer } from "../resolve.js";

/** One event of a stream, before encoding. */
export interface StreamEvent {
  readonly event?: string;
  /** An object is sent as JSON, a string unchanged. */
  readonly data: object | string;
  /** Whether the event carries a piece of the answer's text. */
  readonly isText?: boolean;
}

/** The wire format of one provider. `body` is the parsed request. */
export interface WireFormat {
  /** Returns the answer as one JSON body. */
  json(answer: ResolvedAnswer, body: unknown): unknown;
  /** Returns the answer as a stream. */
  events(answer: ResolvedAnswer, body: unknown): readonly StreamEvent[];
  /** The body of an HTTP error response. */
  error(status: number, message: string): unknown;
  /** Returns the event that the provider sends when it fails in mid-stream. */
  errorEvent(message: string): StreamEvent;
}

/** Returns a member of an unknown value. Returns `undefined` if the value is not an object or lacks it. */
export const member = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** Returns the events of all parts: one part after the other, or in turn if the parts are interleaved. */
export function inOrder<Event>(
  { interleaved }: ResolvedAnswer,
  parts: readonly (readonly Event[])[],
): readonly Event[] {
  if (!interleaved) return parts.flat();
  const longest = Math.max(0, ...parts.map((events) => events.length));
  return Array.from({ length: longest }, (_, turn) => parts.flatMap((events) => events.slice(turn, turn + 1))).flat();
}

/**
 * Returns the deltas of a streamed string. The first and the last one are empty, as some servers send them.
 *
 * @param text the string and its pieces
 */
export const deltasOf = ({ pieces }: CutText): readonly string[] => ["", ...pieces, ""];

const padding = "qR7fZk2LwX9bTn4V";

/**
 * Returns the padding that OpenAI adds to each event with text, so that the length of events does not reveal the text. Requests
 * switch it off with `stream_options.include_obfuscation: false`.
 */
export const obfuscation = (text: string, body: unknown): { readonly obfuscation?: string } =>
  member(member(body, "stream_options"), "include_obfuscation") === false
    ? {}
    : { obfuscation: padding.slice(text.length % padding.length) };
