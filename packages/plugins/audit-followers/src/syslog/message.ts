import { member, parseRecord } from "@suite/audit/internal";
import type { FollowedLine } from "../follow/target.js";

/** The fields that all messages have in common. */
export interface MessageHead {
  /** The facility, 0 to 23 (RFC 5424, 6.2.1); 13 is "log audit". */
  readonly facility: number;
  readonly hostname: string;
  readonly appName: string;
}

const ERROR = 3;
const INFO = 6;
/** The types of records that report a problem, in addition to records with a failed outcome. */
const alarming = new Set<unknown>(["fault", "gap"]);

/**
 * Formats a line as a message of RFC 5424, after its length in octets (RFC 6587, 3.4.1; RFC 5425). The message is the
 * stored line, byte for byte. The structured data before it contains the file and the byte after the line, which
 * together identify the line. A record and a checkpoint may have the same index.
 */
export function messageOf(file: string, { kind, index, text, end }: FollowedLine, head: MessageHead): Buffer {
  const record = kind === "record" ? (parseRecord(text) ?? {}) : {};
  const failed = member(record.outcome).status === "failed" || alarming.has(record.type);
  const priority = head.facility * 8 + (failed ? ERROR : INFO);
  const place = `[suiteAudit@32473 file="${file}" index="${index}" end="${end}"]`;
  const message = `<${priority}>1 ${timeOf(record.time)} ${head.hostname} ${head.appName} - ${kind} ${place} ${text}`;
  return Buffer.from(`${Buffer.byteLength(message)} ${message}`);
}

function timeOf(time: unknown): string {
  const at = typeof time === "string" ? Date.parse(time) : Number.NaN;
  // The format allows only four digits for a year.
  return at >= 0 && at < 253_402_300_800_000 ? new Date(at).toISOString() : "-";
}

/** Returns a valid header field: printable ASCII without spaces, cut to a length. */
export const headerName = (text: string, length: number): string =>
  text.replaceAll(/[^\x21-\x7e]/g, "_").slice(0, length) || "-";
