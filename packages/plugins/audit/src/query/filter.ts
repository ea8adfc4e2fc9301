import { type Check, either } from "@suite/kit/options";
import { checkOptions, list, type OptionChecks, string } from "../options.js";
import type { Found } from "./found.js";
import type { Summary } from "./summary.js";

/** A filter of records. A record must match all fields that are set. */
export interface RecordFilter {
  /** Minimum time, in milliseconds since the epoch, inclusive. */
  readonly since?: number;
  /** Maximum time, in milliseconds since the epoch, exclusive. */
  readonly until?: number;
  /** The id of the run. */
  readonly run?: string;
  /**
   * The name or id of the agent, or the id of the user that it acted for. With several values, one must match. If users
   * are encrypted, the log contains the id of the user's key in place of the user.
   */
  readonly actor?: string | readonly string[];
  /** The type of record, as listed in FORMAT.md: `tool_call`, `approval`, … */
  readonly type?: string;
  /** The operation under its name in OpenTelemetry: `chat`, `execute_tool`, … */
  readonly operation?: string;
  /** The decision of a person or a plugin: `approved`, `rejected`, … */
  readonly decision?: string;
  /** Hashed values (`hmac-sha256:<kid>:<hex>`). At least one must occur anywhere in the record. */
  readonly values?: readonly string[];
}

const instant: Check = (value) =>
  typeof value === "number" && !Number.isNaN(value) ? undefined : "a number of milliseconds since the epoch";

const checks: OptionChecks<RecordFilter> = {
  since: instant,
  until: instant,
  run: string,
  actor: either(string, list(string)),
  type: string,
  operation: string,
  decision: string,
  values: list(string),
};

/**
 * Checks a filter: a misspelled field would let all records pass.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export const checkFilter = (filter: RecordFilter): RecordFilter => checkOptions("filter of records", filter, checks);

/** Returns true if a record passes a filter. A record without a valid time does not match a time limit. */
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
    (actor === undefined || isBy(actorsOf(actor), summary)) &&
    (values === undefined || hashedValuesIn(line).some((found) => values.includes(found)))
  );
}

/** Returns the actors of a filter as a list. */
export const actorsOf = (actor: string | readonly string[]): readonly string[] =>
  typeof actor === "string" ? [actor] : actor;

const isBy = (actors: readonly string[], { agent, agentId, onBehalfOf }: Summary): boolean =>
  [agent, agentId, onBehalfOf].some((each) => each !== undefined && actors.includes(each));

/** Parses the time of a record. Returns milliseconds since the epoch, or `undefined` if it is not an ISO 8601 time. */
export function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const hashed = /hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}/g;

/** Returns the hashed values in the line of a record, in any field and also within strings. */
export const hashedValuesIn = (line: string): readonly string[] =>
  line.includes("hmac-sha256:") ? (line.match(hashed) ?? []) : [];
