import { actorsOf, type RecordFilter } from "../filter.js";
import { term } from "./schema.js";

/**
 * Creates the query for a filter, newest first. It may find too many records, since terms are checksums, but never too
 * few.
 */
export function select(filter: RecordFilter, databases: readonly string[]): { sql: string; values: number[] } {
  const conditions: string[] = [];
  const values: number[] = [];
  const is = (condition: string, ...parameters: (number | null)[]) => {
    conditions.push(condition);
    values.push(...parameters.map((value) => value ?? 0));
  };
  const { since, until, run, actor, type, operation, decision, values: hashed } = filter;
  if (since !== undefined) is("time >= ?", since);
  if (until !== undefined) is("time < ?", until);
  if (run !== undefined) is("run = ?", term(run));
  if (type !== undefined) is("type = ?", term(type));
  if (operation !== undefined) is("operation = ?", term(operation));
  if (decision !== undefined) is("decision = ?", term(decision));
  if (actor !== undefined) {
    const actors = actorsOf(actor);
    is(`(${actors.map(() => "? IN (agent, agentId, onBehalfOf)").join(" OR ") || "0"})`, ...actors.map(term));
  }
  if (hashed !== undefined) {
    is(`id IN (SELECT record FROM DB.mentions WHERE value IN (${hashed.map(() => "?")}))`, ...hashed.map(term));
  }
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const one = `SELECT file, idx, offset, length, time FROM DB.records${where}`;
  return {
    sql: `${databases.map((name) => one.replaceAll("DB.", `${name}.`)).join(" UNION ALL ")} ORDER BY time DESC, file DESC, idx DESC`,
    values: databases.flatMap(() => values),
  };
}
