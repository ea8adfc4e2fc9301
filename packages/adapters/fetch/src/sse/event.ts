/** One event of an event stream. */
export interface ServerEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  /** Empty where there is none: comments alone, which keep a connection alive. */
  readonly data: string;
  /** The text that it came as, to its blank line; none of an event that is made here. */
  readonly source?: string;
  /** The bytes that it came as, where they were of it alone. */
  bytes?: Uint8Array | undefined;
}

/** An event of this data, named by its type where the protocol does so. */
export const eventOf = (data: unknown, event?: string): ServerEvent => ({
  data: JSON.stringify(data),
  ...(event !== undefined && { event }),
});

/** The text of an event: as it came, else as the standard has it, with data of several lines in several fields. */
export function serialise({ event, id, data, source }: ServerEvent): string {
  if (source !== undefined) return source;
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}
