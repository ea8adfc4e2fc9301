import { isRecord } from "@suite/kit";
import { CHECKPOINT, RECORD } from "../log/format.js";
import type { Line } from "../log/line-reader.js";

/**
 * Returns true if only the beginning of a line is present, without newline. Zeros may follow the cut, if a file had
 * grown before its data reached the disk.
 */
export function isCut({ bytes, complete }: Line): boolean {
  if (complete) return false;
  const rest = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  return rest.length === 0 || rest[0] === RECORD || (rest[0] === CHECKPOINT && isCutCheckpoint(rest));
}

/** Returns true if no text follows the closing quote of a checkpoint. */
function isCutCheckpoint(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i === text.length - 1;
  }
  return true;
}

/** Returns true for a JSON object. Complete lines before a cut are unchanged, so that they must be records. */
export function isJsonObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isRecord(value);
  } catch {
    return false;
  }
}

/** The smallest unit that a disk writes as a whole. */
const SECTOR_BYTES = 512;
/** The text after the root in the line of a checkpoint. */
const AFTER_ROOT = new TextEncoder().encode("\\ncommit ");

/**
 * Returns true if the rest of a checkpoint's line after the root lies in one sector. Otherwise the end of a line with a
 * fitting root may come from a deleted file that used the sector before.
 */
export function isOfOneSector({ bytes, offset }: Line): boolean {
  let from = bytes.length - AFTER_ROOT.length;
  while (from > 0 && AFTER_ROOT.some((byte, n) => bytes[from + n] !== byte)) from--;
  return Math.floor((offset + from) / SECTOR_BYTES) === Math.floor((offset + bytes.length) / SECTOR_BYTES);
}
