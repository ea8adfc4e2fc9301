import { fromBase64 } from "@suite/kit";
import { rootOf, signerOf } from "../signing/checkpoint.js";
import type { Cryptography, Sha256 } from "../signing/cryptography.js";
import { formatPublicKey, type PublicKey } from "../signing/key.js";
import { MerkleTree } from "../signing/merkle.js";
import { type Note, parseNote } from "../signing/note.js";

/** The folder with a log's heads in its directory: the log that witnesses see. */
export const HEADS_DIR = "heads";

const DIGITS = 12;
/** Returns the file name of the n-th leaf of the tree of heads, from 0: a signed checkpoint of a log file. */
export const leafName = (index: number): string => `${String(index).padStart(DIGITS, "0")}.leaf`;
/** Returns the file name of the checkpoint of `size` leaves, with the cosignatures of witnesses. */
export const headName = (size: number): string => `${String(size).padStart(DIGITS, "0")}.checkpoint`;

/** Returns the kind of a file in that folder, and the index or size in its name. */
export function numberIn(name: string): { readonly kind: "leaf" | "checkpoint"; readonly n: number } | undefined {
  const [, digits, kind] = /^(\d{12})\.(leaf|checkpoint)$/.exec(name) ?? [];
  return digits === undefined ? undefined : { kind: kind as "leaf" | "checkpoint", n: Number(digits) };
}

/** The head of the tree of heads: a C2SP checkpoint without extension lines, whose origin never changes. */
export interface TreeHead {
  /** The name of the key, a slash, and the log's identity. */
  readonly origin: string;
  readonly size: number;
  readonly root: string;
}

/** Returns the origin of the tree of heads. */
export const headsOrigin = (keyName: string, log: string): string => `${keyName}/${log}`;

/** Returns the verifier key that identifies the log to witnesses. */
export const verifierKeyOf = (key: PublicKey, log: string, sha256: Sha256): string =>
  formatPublicKey({ type: key.type, bytes: key.bytes, name: headsOrigin(key.name, log) }, sha256);

export const formatTreeHead = ({ origin, size, root }: TreeHead): string => `${origin}\n${size}\n${root}\n`;

/** Parses the tree head of a note. Returns `undefined` if it has another format. */
function parseTreeHead(text: string): TreeHead | undefined {
  const [, origin, size, root] = /^([^\n]+)\n(\d{1,15})\n(\S{44})\n$/.exec(text) ?? [];
  if (origin === undefined || root === undefined || !fromBase64(root)) return undefined;
  const head = { origin, size: Number(size), root };
  return formatTreeHead(head) === text ? head : undefined;
}

/** Parses a note with a tree head that one of the keys signed. Returns `undefined` if it is not one. */
export async function openTreeHead(
  text: string,
  keys: readonly PublicKey[],
  crypto: Cryptography,
): Promise<{ readonly head: TreeHead; readonly note: Note } | undefined> {
  const note = parseNote(text);
  const head = note && parseTreeHead(note.text);
  if (!note || !head) return undefined;
  return typeof (await signerOf(note, head.origin, keys, crypto)) === "string" ? undefined : { head, note };
}

/** Returns the roots of the tree of leaves, for each size from 0. */
export function rootsOf(leaves: readonly string[], sha256: Sha256): readonly string[] {
  const tree = new MerkleTree(sha256);
  const roots = [rootOf(tree)];
  for (const leaf of leaves) {
    tree.append(new TextEncoder().encode(leaf));
    roots.push(rootOf(tree));
  }
  return roots;
}
