import { nodeCryptography } from "../src/crypto/node.js";
import { originOf } from "../src/log/format.js";
import { rootOf } from "../src/note/checkpoint.js";
import { type Signer, signCheckpoint } from "../src/note/signer.js";
import { MerkleTree } from "../src/tree/merkle.js";

/** The identity of the log in these directories. */
const LOG = "0123456789abcdef0123456789abcdef";

/** What a holder of the signing key can do: other records, under a checkpoint that is in order. */
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
