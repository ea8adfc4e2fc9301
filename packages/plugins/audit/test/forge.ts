import { toBase64 } from "@suite/kit";
import { originOf } from "../src/log/format.js";
import { rootOf } from "../src/signing/checkpoint.js";
import { MerkleTree } from "../src/signing/merkle.js";
import { nodeCryptography } from "../src/signing/node-cryptography.js";
import { type Signer, signCheckpoint } from "../src/signing/signer.js";

/** The identity of the log in these directories. */
const LOG = "0123456789abcdef0123456789abcdef";

/** Forges a file as a holder of the signing key can: other records, under a checkpoint that is in order. */
export async function forge(
  signer: Signer,
  file: string,
  records: readonly string[],
  log: string = LOG,
): Promise<string[]> {
  const tree = new MerkleTree(nodeCryptography.sha256);
  for (const record of records) tree.append(Buffer.from(record));
  const head = { origin: originOf(signer.name, log, file), size: tree.size, root: rootOf(tree), commit: 1 };
  return [...records, JSON.stringify(await signCheckpoint(head, signer, nodeCryptography))];
}

/**
 * A file of several commits, by a holder of the signing key, or of one for each commit.
 *
 * @param chained whether each checkpoint names the one before, as those of 0.1.0 did not
 * @param spoil changes the lines of checkpoints before the next one names them
 */
export async function forgeCommits(
  signer: Signer | ((commit: number) => Signer),
  file: string,
  commits: readonly (readonly string[])[],
  chained = true,
  spoil: (checkpoint: string, n: number) => string = (checkpoint) => checkpoint,
): Promise<string[]> {
  const { sha256 } = nodeCryptography;
  const tree = new MerkleTree(sha256);
  const lines: string[] = [];
  let previous: string | undefined;
  for (const [n, records] of commits.entries()) {
    for (const record of records) tree.append(Buffer.from(record));
    const own = typeof signer === "function" ? signer(n) : signer;
    const head = { origin: originOf(own.name, LOG, file), size: tree.size, root: rootOf(tree), commit: n + 1 };
    const named = chained && previous !== undefined ? { ...head, previous } : head;
    const line = spoil(JSON.stringify(await signCheckpoint(named, own, nodeCryptography)), n);
    previous = toBase64(sha256(Buffer.from(line)));
    lines.push(...records, line);
  }
  return lines;
}
