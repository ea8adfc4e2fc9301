import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { nodeCryptography } from "../crypto/node.js";
import { AuditError } from "../errors.js";
import { parsePublicKeys, publicKeysOf } from "../keys/key-files.js";
import { listLogFiles } from "../log/directory.js";
import { type Checkpoint, openCheckpoint } from "../note/checkpoint.js";
import type { PublicKey } from "../note/key.js";
import type { Verdict } from "./verdict.js";
import { verifyFiles } from "./verify-files.js";

export interface VerifyOptions {
  /** Public keys as text, one a line, from elsewhere than the log's directory. Without it, the key there is taken. */
  readonly key?: string;
  /** Checkpoints that were kept elsewhere: each a signed note. */
  readonly anchor?: string | readonly string[];
}

/**
 * Verifies the log in a directory: every acknowledged record is there, unchanged and in its place. Cutting off whole
 * commits at the end, or whole files that no other names, cannot be seen without an anchor.
 *
 * @throws AuditError `ERR_AUDIT_NO_LOG`, `ERR_AUDIT_NO_KEY`, `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_INVALID_ANCHOR`; damage is
 * not an error: it is in the verdict's `problems`
 * @example
 * ```ts
 * const { ok, problems } = await verify(".suite/audit", { key: await readFile("audit.pub", "utf8") });
 * ```
 */
export async function verify(dir: string, options: VerifyOptions = {}): Promise<Verdict> {
  const found = await listLogFiles(dir).catch((cause: unknown) => {
    throw new AuditError("ERR_AUDIT_NO_LOG", `${resolve(dir)} cannot be read as a directory.`, { cause });
  });
  if (found.length === 0)
    throw new AuditError("ERR_AUDIT_NO_LOG", `${resolve(dir)} holds no log: no file audit-*.jsonl.`);
  const keys = options.key === undefined ? await publicKeysOf(dir) : parsePublicKeys(options.key);
  if (keys.length === 0)
    throw new AuditError("ERR_AUDIT_NO_KEY", `No public key: none was given, and ${resolve(dir)} holds none.`);
  const anchors = await openAnchors([options.anchor ?? []].flat(), keys);
  // A file that was empty when the sizes were taken may say of others what was written after they are read.
  const sources = found.map(({ name, bytes }) => ({
    name,
    read: () => (bytes === 0 ? [] : createReadStream(join(dir, name), { highWaterMark: 1024 * 1024 })),
  }));
  const verdict = await verifyFiles(sources, { keys, anchors, cryptography: nodeCryptography });
  const attestation =
    anchors.length > 0 && verdict.anchored > 0 ? "anchor" : options.key === undefined ? "self" : "key";
  return { attestation, ...verdict };
}

async function openAnchors(texts: readonly string[], keys: readonly PublicKey[]): Promise<Checkpoint[]> {
  const checkpoints: Checkpoint[] = [];
  for (const text of texts) {
    const opened = await openCheckpoint(text, keys, nodeCryptography);
    if (opened.status === "signed") checkpoints.push(opened.checkpoint);
    else throw new AuditError("ERR_AUDIT_INVALID_ANCHOR", because[opened.status]);
  }
  return checkpoints;
}

const because = {
  malformed: "The anchor is not a signed checkpoint of a log.",
  unknown_key: "The anchor is not signed by the key of this log.",
  bad_signature: "The anchor was changed after it was signed.",
};
