import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { AuditError } from "../errors.js";
import { MAX_RECORD_BYTES } from "../log/format.js";
import { damaged, signedHeadOf } from "../proofs/signed-head.js";
import { logFilesOf, recordsOfFile } from "../query/records-of.js";
import { rootOf } from "../signing/checkpoint.js";
import type { PublicKey } from "../signing/key.js";
import { MerkleTree } from "../signing/merkle.js";
import { nodeCryptography } from "../signing/node-cryptography.js";
import { verifierKeys } from "../signing/verifier-keys.js";
import { TileWriter } from "./tile-writer.js";

const { sha256 } = nodeCryptography;

/**
 * Writes each file of a log as a tiled transparency log (https://c2sp.org/tlog-tiles) into a new folder with its name.
 * Writes the signed checkpoint, its public key, the tiles of its tree, and the records that it covers.
 *
 * @throws AuditError `ERR_AUDIT_NO_PROOF` if a file does not match its signature; `ERR_AUDIT_RECORD_TOO_LARGE`
 */
export async function writeTiles(dir: string, out: string, keys: readonly PublicKey[]): Promise<void> {
  for (const { name } of await logFilesOf(dir)) await exportFile(dir, name, join(out, basename(name, ".jsonl")), keys);
}

async function exportFile(dir: string, file: string, out: string, keys: readonly PublicKey[]): Promise<void> {
  const { note, checkpoint } = await signedHeadOf(dir, file, keys);
  await mkdir(out, { recursive: true });
  const tiles = new TileWriter(out, sha256);
  const tree = new MerkleTree(sha256);
  for await (const records of recordsOfFile(dir, file)) {
    for (const { index, bytes } of records) {
      if (index >= checkpoint.size) break;
      if (bytes.length > MAX_RECORD_BYTES) throw tooLarge(file, index, bytes.length);
      tree.append(bytes);
      await tiles.append(bytes);
    }
  }
  if (tree.size !== checkpoint.size || rootOf(tree) !== checkpoint.root) throw damaged(file);
  await tiles.end();
  await writeFile(join(out, "key.pub"), `${verifierKeys(note, keys).join("\n")}\n`, { flag: "wx" });
  // The checkpoint is written last: a folder with one is complete.
  await writeFile(join(out, "checkpoint"), note, { flag: "wx" });
}

const tooLarge = (file: string, index: number, bytes: number): AuditError =>
  new AuditError(
    "ERR_AUDIT_RECORD_TOO_LARGE",
    `Record ${index} of ${file} has ${bytes} bytes, but an entry of a tiled log has at most ${MAX_RECORD_BYTES}. Export this file in another format.`,
  );
