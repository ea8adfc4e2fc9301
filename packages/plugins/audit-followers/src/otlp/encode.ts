import { decodeCheckpoint, member, parseRecord } from "@suite/audit/internal";
import type { FollowedLine } from "../follow/target.js";

/** A key and a value in OTLP's JSON, which encodes 64-bit integers as strings. */
interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

const INFO = { severityNumber: 9, severityText: "INFO" };
const ERROR = { severityNumber: 17, severityText: "ERROR" };
/** The types of records that report a problem, in addition to records with a failed outcome. */
const alarming = new Set<unknown>(["fault", "gap"]);
/** Names are short. A longer value may be content, and is only in the body. */
const MAX_ATTRIBUTE = 256;

/** Encodes the lines of one file as the body of an `ExportLogsServiceRequest` (OTLP 1.x, JSON), in order. */
export function encodeLogs(
  file: string,
  lines: readonly FollowedLine[],
  resource: Readonly<Record<string, string>>,
  now: number,
): string {
  const attributes = Object.entries(resource).map(([key, value]) => text(key, value));
  const logRecords = lines.map((line) => ({ observedTimeUnixNano: nanoseconds(now), ...logRecord(file, line) }));
  return JSON.stringify({
    resourceLogs: [{ resource: { attributes }, scopeLogs: [{ scope: { name: "@suite/audit" }, logRecords }] }],
  });
}

function logRecord(file: string, { kind, index, text: line, end }: FollowedLine) {
  const place = [
    text("suite.audit.file", file),
    { key: "suite.audit.index", value: { intValue: String(index) } },
    // Identifies the line together with the file: a record and a checkpoint may have the same index.
    { key: "suite.audit.end", value: { intValue: String(end) } },
  ];
  if (kind === "checkpoint") {
    return {
      ...INFO,
      eventName: "suite.audit.checkpoint",
      body: { stringValue: decodeCheckpoint(line) },
      attributes: place,
    };
  }
  const record = parseRecord(line) ?? {};
  const { status } = member(record.outcome);
  const time = typeof record.time === "string" ? Date.parse(record.time) : Number.NaN;
  return {
    ...(time >= 0 && { timeUnixNano: nanoseconds(time) }),
    ...(status === "failed" || alarming.has(record.type) ? ERROR : INFO),
    eventName: "suite.audit.record",
    // As stored: these bytes are the leaf in the tree.
    body: { stringValue: line },
    attributes: [
      ...place,
      ...name("suite.audit.type", record.type),
      ...name("suite.audit.stage", record.stage),
      ...name("suite.audit.operation", record.operation),
      ...name("suite.audit.outcome", status),
    ],
    // A collector refuses the whole request because of one invalid id.
    ...(isId(record.traceId, 32) && { traceId: record.traceId }),
    ...(isId(record.traceId, 32) && isId(record.spanId, 16) && { spanId: record.spanId }),
  };
}

const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: wellFormed(value) } });

const name = (key: string, value: unknown): Attribute[] =>
  typeof value === "string" && value.length <= MAX_ATTRIBUTE ? [text(key, value)] : [];

/** Replaces half surrogate pairs, which have no UTF-8. */
const wellFormed = (value: string): string => Buffer.from(value).toString();

const nanoseconds = (milliseconds: number): string => String(BigInt(Math.trunc(milliseconds)) * 1_000_000n);

const isId = (value: unknown, digits: number): value is string =>
  typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value) && !/^0+$/.test(value);
