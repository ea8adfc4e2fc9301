import { type Check, either } from "@suite/core/options";
import { checkOptions, list, type OptionChecks, string } from "../options.js";
import type { Found } from "./found.js";
import type { Summary } from "./summary.js";

/** A filter of records: one passes for which all fields that are given hold. */
export interface RecordFilter {
  /** Milliseconds since the epoch; at that time or later. */
  readonly since?: number;
  /** Milliseconds since the epoch; before that time. */
  readonly until?: number;
  /** The id of the run. */
  readonly run?: string;
  /**
   * The name or id of the agent, or the id of the user that it acted for: one, or several of which one has to match. If users
   * are encrypted, the log holds the id of the user's key in place of the user.
   */
  readonly actor?: string | readonly string[];
  /** The type of record, as FORMAT.md lists them: `tool_call`, `approval`, … */
  readonly type?: string;
  /** The operation under its name in OpenTelemetry: `chat`, `execute_tool`, … */
  readonly operation?: string;
  /** The decision of a person or a plugin: `approved`, `rejected`, … */
  readonly decision?: string;
  /** Hashed values (`hmac-sha256:<kid>:<hex>`), at least one of which occurs anywhere in the record. */
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
 * Checks a filter: one with a misspelled field would let all records pass.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION`
 */
export const checkFilter = (filter: RecordFilter): RecordFilter => checkOptions("filter of records", filter, checks);

/** Whether a record passes a filter. One without a valid time does not where times are given. */
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

/** The actors of a filter as a list. */
export const actorsOf = (actor: string | readonly string[]): readonly string[] =>
  typeof actor === "string" ? [actor] : actor;

const isBy = (actors: readonly string[], { agent, agentId, onBehalfOf }: Summary): boolean =>
  [agent, agentId, onBehalfOf].some((each) => each !== undefined && actors.includes(each));

/** The time of a record in milliseconds since the epoch, or undefined where the text is no ISO 8601 time. */
export function timeOf(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

const hashed = /hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}/g;

/** The hashed values in the line of a record, in whatever field they stand, also within texts. */
export const hashedValuesIn = (line: string): readonly string[] =>
  line.includes("hmac-sha256:") ? (line.match(hashed) ?? []) : [];
