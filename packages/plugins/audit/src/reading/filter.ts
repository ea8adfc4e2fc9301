import type { Found } from "./found.js";

/** Which records are asked for: those for which all that is given holds. */
export interface RecordFilter {
  /** Milliseconds since the epoch; at that time or later. */
  readonly since?: number;
  /** Milliseconds since the epoch; before that time. */
  readonly until?: number;
  readonly run?: string;
  /** Name or id of the agent, or id of the user it acted for. */
  readonly actor?: string;
  readonly type?: string;
  readonly operation?: string;
  readonly decision?: string;
  /** Hashed values (`hmac-sha256:<kid>:<hex>`), at least one of which occurs anywhere in the record. */
  readonly values?: readonly string[];
}

/** Whether a record is one that is asked for. */
export function matches(filter: RecordFilter, { summary, line }: Pick<Found, "summary" | "line">): boolean {
  const { since, until, run, actor, type, operation, decision, values } = filter;
  if (since !== undefined || until !== undefined) {
    const time = timeOf(summary.time);
    if (time === undefined || time < (since ?? -Infinity) || time >= (until ?? Infinity)) return false;
  }
  return (
    (run === undefined || summary.run === run) &&
    (type === undefined || summary.type === type) &&
    (operation === undefined || summary.operation === operation) &&
    (decision === undefined || summary.decision === decision) &&
    (actor === undefined || [summary.agent, summary.agentId, summary.onBehalfOf].includes(actor)) &&
    (values === undefined || hashedValuesIn(line).some((found) => values.includes(found)))
  );
}

/** Milliseconds since the epoch, or undefined where the text is no time. */
export function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const hashed = /hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}/g;

/** The hashed values in a record, wherever they stand. */
export const hashedValuesIn = (line: string): readonly string[] =>
  line.includes("hmac-sha256:") ? (line.match(hashed) ?? []) : [];
