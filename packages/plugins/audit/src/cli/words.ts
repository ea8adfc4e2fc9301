import type { ApprovalNotification, ExternalResultNotification, GuardrailNotification } from "@suite/core/contract";
import { acts } from "../plugin/acts.js";
import type { RecordFilter } from "../query/filter.js";
import type { Found } from "../query/found.js";
import { noticeTypes } from "../record/notice-types.js";
import { UsageError } from "./usage.js";

/** The types of the records that this package writes. `log` is the type of records about the log itself. */
export const recordTypes: readonly string[] = [...Object.values(acts).map(({ type }) => type), ...noticeTypes, "log"];

const ofGuards: Readonly<Record<GuardrailNotification["decision"], true>> = {
  modify: true,
  block: true,
  fail_open: true,
  fail_closed: true,
};
const ofPersons: Readonly<Record<ApprovalNotification["decision"], true>> = {
  approved: true,
  edited: true,
  rejected: true,
  responded: true,
  answered: true,
  expired: true,
};
const ofResults: Readonly<Record<Extract<ExternalResultNotification["outcome"], "denied" | "expired">, true>> = {
  denied: true,
  expired: true,
};

/** The decisions in records of guards and people. Plugins add others, such as `hit` and `fallback`. */
export const decisionWords: readonly string[] = [
  ...new Set([...Object.keys(ofGuards), ...Object.keys(ofPersons), ...Object.keys(ofResults)]),
];

/** Reads the records of a log that match a filter. */
export type Query = (filter: RecordFilter) => AsyncIterable<Found>;

/**
 * Rejects a type or a decision that is unknown and that no record contains. Otherwise an empty result would look like
 * an answer.
 *
 * @throws UsageError
 */
export async function checkWords(filter: RecordFilter, query: Query): Promise<void> {
  for (const [name, words] of [["type", recordTypes] as const, ["decision", decisionWords] as const]) {
    const word = filter[name];
    if (word === undefined || words.includes(word) || (await occurs({ [name]: word }, query))) continue;
    throw new UsageError(
      `No record of this log has the ${name} ${JSON.stringify(word)}. Known ${name}s: ${words.join(", ")}.`,
    );
  }
}

/** Returns the filters of a query that match no record even alone, which explains an empty result. */
export async function withoutMatch(filter: RecordFilter, query: Query): Promise<readonly string[]> {
  const without: string[] = [];
  for (const name of ["run", "actor", "type", "operation", "decision", "values"] as const) {
    if (filter[name] !== undefined && !(await occurs({ [name]: filter[name] }, query))) without.push(name);
  }
  return without;
}

async function occurs(filter: RecordFilter, query: Query): Promise<boolean> {
  for await (const _ of query(filter)) return true;
  return false;
}
