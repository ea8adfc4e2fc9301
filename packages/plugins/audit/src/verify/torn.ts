import type { Line } from "./lines.js";

const SECTOR = 512;

/**
 * A power failure can leave sectors of zeros in what was being written, and the rest of it intact. No line of a log holds a
 * zero byte, so a sector of zeros in the last commit says that it was never acknowledged.
 *
 * @param from where the last commit begins in the file
 */
export function hasZeroSector({ bytes, offset, complete }: Line, from: number): boolean {
  const end = offset + bytes.length;
  for (let sector = offset - (offset % SECTOR); sector < end; sector += SECTOR) {
    // A sector that the line shares counts only where the other part belongs to what was safe, or lies behind the end.
    if (sector < offset && offset !== from) continue;
    if (sector + SECTOR > end && complete) continue;
    const part = bytes.subarray(Math.max(0, sector - offset), sector + SECTOR - offset);
    if (part.length > 1 && part.every((byte) => byte === 0)) return true;
  }
  return false;
}

/** A checkpoint whose line was cut has no text behind its closing quote. */
export function isCutCheckpoint(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i === text.length - 1;
  }
  return true;
}

export function isJsonObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
