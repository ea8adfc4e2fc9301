/** One event of an event stream. */
export interface ServerEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  /** The data. Empty if the event contains only comments, which keep a connection alive. */
  readonly data: string;
  /** The original text, including the blank line at the end. `undefined` if this package created the event. */
  readonly source?: string;
  /** The original bytes, if they contain only this event. */
  bytes?: Uint8Array | undefined;
}

/** Creates an event with this data. @param event its name, if the protocol names its events */
export const eventOf = (data: unknown, event?: string): ServerEvent => ({
  data: JSON.stringify(data),
  ...(event !== undefined && { event }),
});

/** Returns the original text of an event, otherwise the text by the standard: one field for each line of data. */
export function serialise({ event, id, data, source }: ServerEvent): string {
  if (source !== undefined) return source;
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}
