import type { HeldLines } from "../log/held-lines.js";
import type { Checkpoint, Opened } from "../signing/checkpoint.js";
import { isJsonObject } from "./torn.js";
import type { Problem } from "./verdict.js";

/** A problem without the name of its file. */
export type Found = Omit<Problem, "file">;

/** The records of one commit, between two checkpoints. */
export interface CommitLines {
  readonly lines: HeldLines;
  /** Line number of the first record, from 1. */
  readonly firstLine: number;
  /** Index of the first record. */
  readonly firstIndex: number;
}

/** Marks damage as doubtful: nothing proves that the damaged records had been acknowledged. */
export const inDoubt = (damage: Found): Found => ({
  ...damage,
  doubt: true,
  message: `${damage.message} It is the last commit, and may never have been acknowledged: a power failure during the write can have the same effect.`,
});

/** Describes a checkpoint line that could not be opened. */
export function unopened(status: Exclude<Opened["status"], "signed">, line: number): Found {
  switch (status) {
    case "malformed":
      return { kind: "checkpoint_altered", line, message: "The checkpoint is not one that a log writes." };
    case "unknown_key":
      return { kind: "unknown_key", line, message: "The checkpoint is not signed by one of the keys." };
    case "bad_signature":
      return { kind: "checkpoint_altered", line, message: "The checkpoint was changed after it was signed." };
  }
}

/** Describes more lines than one commit can have, without a checkpoint. */
export const unsigned = (line: number, lastLine: number, index: number): Found => ({
  kind: "checkpoint_missing",
  line,
  lastLine,
  index,
  message: "There are more unsigned bytes here than one commit can contain.",
});

/** Describes a line after the end of a closed file. */
export const afterEnd = (line: number): Found => ({
  kind: "record_inserted",
  line,
  message: "This line follows the end of a closed file.",
});

/** Describes a checkpoint whose hash of the previous checkpoint does not match. */
export const afterAnother = (line: number): Found => ({
  kind: "checkpoint_altered",
  line,
  message: "The checkpoint was signed after another checkpoint than the one before it.",
});

/** Describes a signed checkpoint in the wrong place. Returns `undefined` if its place is right. */
export function misplaced(signed: Checkpoint, sameOrigin: boolean, commit: number, line: number): Found | undefined {
  if (!sameOrigin) {
    const message = "The checkpoint belongs to another file, or this file was renamed.";
    return { kind: "checkpoint_foreign", line, message };
  }
  if (signed.commit < commit) {
    const message = `Commit ${signed.commit} appears a second time: it was copied or moved.`;
    return { kind: "checkpoint_repeated", line, message };
  }
  if (signed.commit > commit) {
    const message = `Commit ${signed.commit} is in the place of commit ${commit}: a checkpoint was removed or moved.`;
    return { kind: "checkpoint_missing", line, message };
  }
  return undefined;
}

/** Describes a commit that does not match its signed head, as exactly as possible. */
export function differing({ lines, firstLine, firstIndex }: CommitLines, signedSize: number): Found {
  const surplus = firstIndex + lines.length - signedSize;
  const lineAt = (i: number) => ({ line: firstLine + i, index: firstIndex + i });
  const range = { ...lineAt(0), ...(lines.length > 1 && { lastLine: firstLine + lines.length - 1 }) };
  if (surplus < 0) {
    return {
      kind: "record_missing",
      ...range,
      message: `${-surplus} of the signed records are missing here.`,
    };
  }
  const repeated = surplus > 0 ? findRepeated(lines) : -1;
  if (repeated >= 0)
    return { kind: "record_repeated", ...lineAt(repeated), message: "The record is a copy of an earlier one." };
  const broken = lines.findIndex(({ bytes }) => !isJsonObject(bytes));
  if (broken >= 0) return { kind: "record_altered", ...lineAt(broken), message: "The record is no longer valid JSON." };
  if (surplus > 0) {
    return { kind: "record_inserted", ...range, message: `${surplus} more records are here than were signed.` };
  }
  return { kind: "record_altered", ...range, message: "Another record, or another order, was signed here." };
}

function findRepeated(lines: HeldLines): number {
  const seen = new Set<string>();
  const decoder = new TextDecoder();
  return lines.findIndex(({ bytes }) => {
    const text = decoder.decode(bytes);
    const again = seen.has(text);
    seen.add(text);
    return again;
  });
}
