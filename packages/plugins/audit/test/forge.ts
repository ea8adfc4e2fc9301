import { nodeCryptography } from "../src/crypto/node.js";
import { originOf } from "../src/log/format.js";
import { rootOf } from "../src/note/checkpoint.js";
import { type Signer, signCheckpoint } from "../src/note/signer.js";
import { MerkleTree } from "../src/tree/merkle.js";

/** What a holder of the signing key can do: other records, under a checkpoint that is in order. */
export async function forge(signer: Signer, file: string, records: readonly string[]): Promise<string[]> {
  const tree = new MerkleTree(nodeCryptography.sha256);
  for (const record of records) tree.append(Buffer.from(record));
  const head = { origin: originOf(signer.name, file), size: tree.size, root: rootOf(tree), commit: 1 };
  return [...records, JSON.stringify(await signCheckpoint(head, signer, nodeCryptography))];
}
