/** One event of an event stream. */
export interface ServerEvent {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** An event of this data, named by its type where the protocol does so. */
export const eventOf = (data: unknown, event?: string): ServerEvent => ({
  data: JSON.stringify(data),
  ...(event !== undefined && { event }),
});

/** As the standard has it. Data of several lines is several fields. */
export function serialise({ event, id, data }: ServerEvent): string {
  const head = (id === undefined ? "" : `id: ${id}\n`) + (event === undefined ? "" : `event: ${event}\n`);
  return `${head}data: ${data.includes("\n") ? data.replaceAll("\n", "\ndata: ") : data}\n\n`;
}
