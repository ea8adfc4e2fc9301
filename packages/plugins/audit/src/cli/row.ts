import { printable } from "@suite/kit/text";
import type { Found } from "../query/found.js";
import { UNPROVEN } from "./unproven.js";

const MAX_REST = 120;

/**
 * Formats a record as a line of a table: time, type, operation, actor, target, result, place in the log, and details.
 */
export function row({ file, index, record, line, summary, unproven }: Found): string {
  const { time, type, operation, agent, agentId, onBehalfOf, target, decision, status, stage } = summary;
  const actor = joined([agent ?? agentId, onBehalfOf], " for ");
  const went = joined([decision, status ?? (decision === undefined ? stage : undefined)], " ");
  // Other programs can append records of an unknown form. They are shown in full.
  const rest = type === undefined ? line : record.details === undefined ? "" : JSON.stringify(record.details);
  const cells = [
    (time ?? "-").padEnd(24),
    (type ?? "-").padEnd(10),
    (operation ?? "-").padEnd(14),
    actor.padEnd(24),
    (target ?? "-").padEnd(16),
    went.padEnd(10),
    `${file}#${index}`,
    rest.length > MAX_REST ? `${rest.slice(0, MAX_REST)}…` : rest,
  ];
  return (unproven ? `${UNPROVEN}  ` : "") + printable(cells.join("  ").trimEnd());
}

const joined = (parts: readonly (string | undefined)[], between: string): string =>
  parts.filter((part) => part !== undefined).join(between) || "-";
