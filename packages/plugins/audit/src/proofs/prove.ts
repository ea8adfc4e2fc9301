import { fileNameOf } from "../log/format.js";
import { parseRecord, recordsOfFile } from "../query/records-of.js";
import type { Checkpoint } from "../signing/checkpoint.js";
import type { PublicKey } from "../signing/key.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { verifyConsistency } from "./consistency.js";
import { rootBytes } from "./hashing.js";
import { verifyInclusion } from "./inclusion.js";
import type { ConsistencyText, InclusionText } from "./proof-text.js";
import { damaged, signedHeadOf, unproven } from "./signed-head.js";
import { consistencyPath, inclusionPath, PathHasher, type Subtree } from "./subtrees.js";

const { sha256 } = nodeCryptography;

/**
 * Proves that a record is in its file, as covered by the last checkpoint. The file is read twice, in constant memory.
 *
 * @throws AuditError `ERR_AUDIT_NO_PROOF`
 */
export async function proveInclusion(
  dir: string,
  file: string,
  index: number,
  keys: readonly PublicKey[],
): Promise<InclusionText> {
  const { note, checkpoint } = await signedHeadOf(dir, file, keys);
  const { size, root } = checkpoint;
  if (index >= size) throw unproven(`${file} has ${size} acknowledged records, so there is no record ${index}.`);
  const { hashes, leaf } = await hashed(dir, file, inclusionPath(index, size), index);
  if (!leaf || !verifyInclusion({ leaf, index, size, root: rootBytes(root) }, hashes, sha256)) throw damaged(file);
  return { kind: "inclusion", record: leaf, index, hashes, checkpoint: note };
}

/**
 * Proves that a file begins with the records of an earlier checkpoint of it.
 *
 * @param old a verified checkpoint that was kept elsewhere
 * @throws AuditError `ERR_AUDIT_NO_PROOF`
 */
export async function proveConsistency(
  dir: string,
  old: Checkpoint,
  keys: readonly PublicKey[],
): Promise<ConsistencyText> {
  const file = fileNameOf(old.origin);
  const { note, checkpoint } = await signedHeadOf(dir, file, keys);
  const { size } = checkpoint;
  if (old.size > size) throw unproven(`${file} is shorter than the anchor: it has ${size} of ${old.size} records.`);
  const { hashes } = await hashed(dir, file, consistencyPath(old.size, size));
  const claim = { oldSize: old.size, oldRoot: rootBytes(old.root), size, root: rootBytes(checkpoint.root) };
  if (!verifyConsistency(claim, hashes, sha256)) throw damaged(file);
  return { kind: "consistency", oldSize: old.size, hashes, checkpoint: note };
}

/**
 * Finds the file and the index of the record with the id.
 *
 * @throws AuditError `ERR_AUDIT_NO_PROOF`
 */
export async function findById(
  dir: string,
  files: readonly string[],
  id: string,
): Promise<{ readonly file: string; readonly index: number }> {
  const member = Buffer.from(`"id":${JSON.stringify(id)}`);
  for (const file of files) {
    for await (const records of recordsOfFile(dir, file)) {
      for (const { index, bytes } of records) {
        const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        if (line.includes(member) && parseRecord(line.toString())?.id === id) return { file, index };
      }
    }
  }
  throw unproven("No record of this log has that id.");
}

async function hashed(dir: string, file: string, path: readonly Subtree[], index?: number) {
  const hasher = new PathHasher(path, sha256);
  let leaf: Uint8Array | undefined;
  for await (const records of recordsOfFile(dir, file)) {
    for (const record of records) {
      hasher.append(record.bytes);
      if (record.index === index) leaf = record.bytes;
    }
  }
  return { hashes: hasher.hashes(), leaf };
}
