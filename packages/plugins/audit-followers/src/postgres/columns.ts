import { member, parseRecord } from "@suite/audit/internal";
import type { FollowedLine, FollowerBatch } from "../follow/target.js";

type Cell = string | number | null;

/** Returns the parameters of `insertBatch`: one array per column, for `unnest`. */
export function parametersOf({ file, lines, end }: FollowerBatch): unknown[] {
  const records = lines.filter(({ kind }) => kind === "record").map(rowOf);
  const columns = Array.from({ length: COLUMNS }, (_, column) => records.map((row) => row[column] ?? null));
  return [file, end.bytes, end.records, end.checkpoint ?? null, ...columns];
}

const COLUMNS = 16;

function rowOf({ index, text: line }: FollowedLine): readonly Cell[] {
  const record = parseRecord(line) ?? {};
  const { actor, target, outcome } = record;
  return [
    index,
    timeOf(record.time),
    text(record.stage),
    text(record.type),
    text(record.operation),
    text(record.runId),
    text(record.sessionId),
    text(record.callId),
    text(record.traceId),
    text(member(actor).agent),
    text(member(actor).onBehalfOf),
    text(member(target).name),
    text(record.decision),
    text(member(outcome).status),
    jsonOf(record),
    line,
  ];
}

/** A string in PostgreSQL cannot contain U+0000. */
const text = (value: unknown): Cell => (typeof value === "string" ? value.replaceAll("\0", "\ufffd") : null);

function timeOf(value: unknown): Cell {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  // Years with more than four digits have another format.
  return time >= 0 && time < Date.UTC(9999) ? new Date(time).toISOString() : null;
}

/**
 * Returns a copy of the record for queries. `jsonb` accepts neither U+0000 nor half of a surrogate pair, so that U+FFFD
 * replaces them. After `JSON.stringify` there are no other escapes of surrogates.
 */
const jsonOf = (record: object): string =>
  JSON.stringify(record).replace(/\\(?:(u0000|ud[89a-f][0-9a-f]{2})|.)/g, (found, refused) =>
    refused === undefined ? found : "\ufffd",
  );
