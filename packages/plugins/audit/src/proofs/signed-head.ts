import { open } from "node:fs/promises";
import { join } from "node:path";
import { AuditError } from "../errors.js";
import { CHECKPOINT, fileNameOf } from "../log/format.js";
import { decodeCheckpoint } from "../log/line.js";
import { linesBack } from "../log/lines-back.js";
import { type Checkpoint, openCheckpoint } from "../signing/checkpoint.js";
import type { PublicKey } from "../signing/key.js";
import { nodeCryptography } from "../signing/node-cryptography.js";

/** The last signed head of a log file, which its proofs lead to. */
export interface SignedHead {
  /** The signed note, unchanged. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/** @throws AuditError `ERR_AUDIT_NO_PROOF` if the file has none, or its last one is not valid */
export async function signedHeadOf(dir: string, file: string, keys: readonly PublicKey[]): Promise<SignedHead> {
  const last = await lastCheckpointLine(join(dir, file));
  if (!last) throw unproven(`${file} contains no checkpoint: none of its records is acknowledged.`);
  const note = decodeCheckpoint(last.toString());
  const opened = await openCheckpoint(note, keys, nodeCryptography);
  if (opened.status !== "signed") throw unproven(`The last checkpoint of ${file} is not signed by this key.`);
  const { checkpoint } = opened;
  if (fileNameOf(checkpoint.origin) !== file) throw damaged(file);
  return { note, checkpoint };
}

/**
 * Returns the last line that looks like a checkpoint, even if it is invalid: a damaged checkpoint must not be skipped.
 */
async function lastCheckpointLine(path: string): Promise<Buffer | undefined> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    for await (const { bytes } of linesBack(handle, size)) if (bytes[0] === CHECKPOINT) return bytes;
    return undefined;
  } finally {
    await handle.close();
  }
}

/** Creates the error for a file that does not match its last checkpoint. */
export const damaged = (file: string): AuditError =>
  unproven(`${file} does not match its last signed checkpoint. \`suite-audit verify\` reports the location.`);

export const unproven = (message: string): AuditError => new AuditError("ERR_AUDIT_NO_PROOF", message);
