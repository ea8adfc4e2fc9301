import { randomUUID } from "node:crypto";
import { link, open, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { nodeCryptography } from "../crypto/node.js";
import { AuditError } from "../errors.js";
import { syncDirectory } from "../log/directory.js";
import { formatPublicKey, type PublicKey, parsePublicKey } from "../note/key.js";
import type { Signer } from "../note/signer.js";
import { ed25519Signer, generatePrivateKey } from "./ed25519.js";

/** The private key that a log without a signer makes for itself. */
const PRIVATE_KEY_FILE = "key";
/** The public keys of all who have signed in the directory, one a line. */
const PUBLIC_KEY_FILE = "key.pub";

/** The signer of a directory; its key is made on first use, with mode 0600. `made` says where, if it was now. */
export async function signerOf(dir: string): Promise<{ readonly signer: Signer; readonly made?: string }> {
  const path = join(dir, PRIVATE_KEY_FILE);
  const known = await read(path);
  if (known !== undefined) return { signer: signerFrom(known, path) };
  const made = await createOnce(dir, path, `${generatePrivateKey()}\n`);
  // Another process may have been first: its key counts.
  return { signer: signerFrom((await read(path)) ?? "", path), ...(made && { made: path }) };
}

/** Puts a public key into the directory, if it is not there yet, so that `verify` works without being given one. */
export async function publish(dir: string, key: PublicKey): Promise<void> {
  const line = formatPublicKey(key, nodeCryptography.sha256);
  const path = join(dir, PUBLIC_KEY_FILE);
  if ((await read(path))?.split("\n").includes(line)) return;
  await appendSynced(path, `${line}\n`, "a", 0o644);
  await syncDirectory(dir);
}

/** The public keys in a directory. */
export async function publicKeysOf(dir: string): Promise<PublicKey[]> {
  return parsePublicKeys((await read(join(dir, PUBLIC_KEY_FILE))) ?? "");
}

/** Public keys as text, one a line. */
export const parsePublicKeys = (text: string): PublicKey[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parsePublicKey(line, nodeCryptography.sha256)]));

/** True if the key file can be read by others than its owner. */
export async function isOpenToOthers(dir: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  return stat(join(dir, PRIVATE_KEY_FILE)).then(
    ({ mode }) => (mode & 0o077) !== 0,
    () => false,
  );
}

function signerFrom(text: string, path: string): Signer {
  try {
    return ed25519Signer(text);
  } catch (cause) {
    throw new AuditError(
      "ERR_AUDIT_INVALID_KEY",
      `${path} does not hold a private key. Move it away, or give a signer.`,
      { cause },
    );
  }
}

/** Writes a file whole or not at all, and only if there is none. */
async function createOnce(dir: string, path: string, content: string): Promise<boolean> {
  const temporary = join(dir, `.${randomUUID()}.tmp`);
  await appendSynced(temporary, content, "wx", 0o600);
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(temporary);
    await syncDirectory(dir);
  }
}

async function appendSynced(path: string, content: string, flags: string, mode: number): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
