import { CHECKPOINT, RECORD } from "../log/format.js";
import type { Line } from "../log/line-reader.js";

/**
 * Whether a line was cut: only its beginning is there, without newline. Zeros may stand behind the cut, where a file
 * had grown before what was written into it reached the disk.
 */
export function isCut({ bytes, complete }: Line): boolean {
  if (complete) return false;
  const rest = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  return rest.length === 0 || rest[0] === RECORD || (rest[0] === CHECKPOINT && isCutCheckpoint(rest));
}

/** A checkpoint whose line was cut has no text behind its closing quote. */
function isCutCheckpoint(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i === text.length - 1;
  }
  return true;
}

/** Whole lines stay as they were written, wherever the cut is: records, which are JSON objects. */
export function isJsonObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The least that a disk writes whole. */
const SECTOR_BYTES = 512;
/** The text that follows the root in a checkpoint, as its line has it. */
const AFTER_ROOT = new TextEncoder().encode("\\ncommit ");

/**
 * Whether all that follows the root in a checkpoint's line lies in one sector. Otherwise the end of a line whose root fits can
 * be that of a file that is gone, whose sector stood there before.
 */
export function isOfOneSector({ bytes, offset }: Line): boolean {
  let from = bytes.length - AFTER_ROOT.length;
  while (from > 0 && AFTER_ROOT.some((byte, n) => bytes[from + n] !== byte)) from--;
  return Math.floor((offset + from) / SECTOR_BYTES) === Math.floor((offset + bytes.length) / SECTOR_BYTES);
}
