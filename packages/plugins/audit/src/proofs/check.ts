import { type Checkpoint, openCheckpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import type { PublicKey } from "../signing/key.js";
import { verifyConsistency } from "./consistency.js";
import { rootBytes } from "./hashing.js";
import { verifyInclusion } from "./inclusion.js";
import type { ConsistencyText, InclusionText } from "./proof-text.js";

/** The result of a check: the checkpoint that the proof leads to, or the reason why it fails. */
export type Checked =
  | { readonly holds: true; readonly checkpoint: Checkpoint }
  | { readonly holds: false; readonly because: "not_signed" | "other_log" | "wrong_hashes" };

/** Checks that the record is at the place in the proof, in a log that the key has signed. */
export async function checkInclusion(
  proof: InclusionText,
  keys: readonly PublicKey[],
  cryptography: Cryptography,
): Promise<Checked> {
  const checkpoint = await opened(proof.checkpoint, keys, cryptography);
  if (!checkpoint) return { holds: false, because: "not_signed" };
  const { size, root } = checkpoint;
  const { record: leaf, index, hashes } = proof;
  const holds = verifyInclusion({ leaf, index, size, root: rootBytes(root) }, hashes, cryptography.sha256);
  return holds ? { holds, checkpoint } : { holds, because: "wrong_hashes" };
}

/** Checks that the log that the key has signed begins with the records of the anchor. */
export async function checkConsistency(
  proof: ConsistencyText,
  anchor: Checkpoint,
  keys: readonly PublicKey[],
  cryptography: Cryptography,
): Promise<Checked> {
  const checkpoint = await opened(proof.checkpoint, keys, cryptography);
  if (!checkpoint) return { holds: false, because: "not_signed" };
  if (checkpoint.origin !== anchor.origin || proof.oldSize !== anchor.size)
    return { holds: false, because: "other_log" };
  const { size, root } = checkpoint;
  const claim = { oldSize: anchor.size, oldRoot: rootBytes(anchor.root), size, root: rootBytes(root) };
  const holds = verifyConsistency(claim, proof.hashes, cryptography.sha256);
  return holds ? { holds, checkpoint } : { holds, because: "wrong_hashes" };
}

async function opened(
  note: string,
  keys: readonly PublicKey[],
  cryptography: Cryptography,
): Promise<Checkpoint | undefined> {
  const result = await openCheckpoint(note, keys, cryptography);
  return result.status === "signed" ? result.checkpoint : undefined;
}
