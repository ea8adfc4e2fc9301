import { fromBase64, toBase64 } from "@suite/kit";
import type { Cryptography, Sha256 } from "./cryptography.js";
import { keyId, type PublicKey } from "./key.js";
import { type Note, parseNote } from "./note.js";

/** The tree head of one file, which is signed after every group commit (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the key, a slash, and the file without its extension. It is also the name of the signer. */
  readonly origin: string;
  /** The number of records in the file so far. */
  readonly size: number;
  /** The Merkle tree hash of these records, base64. */
  readonly root: string;
  /** The number of the file's commit, from 1. An extension line: without it a removed checkpoint would go unnoticed. */
  readonly commit: number;
  /**
   * SHA-256 of the line of the file's previous checkpoint, signature included, in base64. The second extension line:
   * with it, the last signature of a file covers all earlier ones. Absent in commit 1, and in files of 0.1.0.
   */
  readonly previous?: string;
}

/** Formats a checkpoint for signing. */
export const formatCheckpoint = ({ origin, size, root, commit, previous }: Checkpoint): string =>
  `${origin}\n${size}\n${root}\ncommit ${commit}\n${previous === undefined ? "" : `previous ${previous}\n`}`;

const wording = /^([^\n]+)\n(\d{1,15})\n(\S{44})\ncommit (\d{1,15})\n(?:previous (\S{44})\n)?$/;

/** Parses the checkpoint in a note. Returns `undefined` if it has another format. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [, origin, size, root, commit, previous] = wording.exec(text) ?? [];
  if (origin === undefined || root === undefined || !fromBase64(root)) return undefined;
  if (previous !== undefined && !fromBase64(previous)) return undefined;
  const checkpoint = {
    origin,
    size: Number(size),
    root,
    commit: Number(commit),
    ...(previous !== undefined && { previous }),
  };
  return formatCheckpoint(checkpoint) === text ? checkpoint : undefined;
}

/** Returns the root of a tree in base64. */
export const rootOf = (tree: { root(): Uint8Array }): string => toBase64(tree.root());

/** The result of reading a signed checkpoint. */
export type Opened =
  | { readonly status: "signed"; readonly checkpoint: Checkpoint; readonly note: Note; readonly key: PublicKey }
  /** A checkpoint without a valid signature by a known key. */
  | { readonly status: "unknown_key" | "bad_signature"; readonly checkpoint: Checkpoint }
  | { readonly status: "malformed" };

/** Parses a signed checkpoint and verifies its signature. Signatures by others (witnesses) are ignored. */
export async function openCheckpoint(text: string, keys: readonly PublicKey[], crypto: Cryptography): Promise<Opened> {
  const note = parseNote(text);
  const checkpoint = note && parseCheckpoint(note.text);
  if (!note || !checkpoint) return { status: "malformed" };
  const by = await signerOf(note, checkpoint.origin, keys, crypto);
  return typeof by === "string" ? { status: by, checkpoint } : { status: "signed", checkpoint, note, key: by };
}

/** Finds the key that signed a note under an origin, which begins with the key's name. */
export async function signerOf(
  { text, signatures }: Note,
  origin: string,
  keys: readonly PublicKey[],
  crypto: Cryptography,
): Promise<PublicKey | "unknown_key" | "bad_signature"> {
  const message = new TextEncoder().encode(text);
  let known = false;
  for (const key of keys) {
    if (!origin.startsWith(`${key.name}/`)) continue;
    const id = idUnder(origin, key, crypto.sha256);
    for (const { name, keyId: signedBy, signature } of signatures) {
      if (name !== origin || signedBy !== id) continue;
      known = true;
      if (await crypto.verify(key.type, key.bytes, message, signature)) return key;
    }
  }
  return known ? "bad_signature" : "unknown_key";
}

const lastIds = new WeakMap<PublicKey, { readonly origin: string; readonly id: string }>();

/** Returns the id of a key under an origin. It is cached, since a file has many checkpoints of one origin. */
function idUnder(origin: string, key: PublicKey, sha256: Sha256): string {
  const last = lastIds.get(key);
  if (last?.origin === origin) return last.id;
  const id = keyId({ ...key, name: origin }, sha256);
  lastIds.set(key, { origin, id });
  return id;
}
