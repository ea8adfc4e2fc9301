import { stat } from "node:fs/promises";
import { join } from "node:path";
import { AuditError } from "../errors.js";
import { syncDirectory } from "../files/directory.js";
import { createOnce, readIfThere, writeSynced } from "../files/durable.js";
import { ed25519Signer, generatePrivateKey } from "./ed25519.js";
import { formatPublicKey, PUBLIC_KEY_FILE, type PublicKey, parsePublicKey } from "./key.js";
import { nodeCryptography } from "./node-cryptography.js";
import type { Signer } from "./signer.js";

/** The private key that a log without a signer creates. */
const PRIVATE_KEY_FILE = "key";

/**
 * Returns the signer of a directory. Its key is created on first use, with mode 0600. `created` is its path if it was
 * created now.
 */
export async function signerOf(dir: string): Promise<{ readonly signer: Signer; readonly created?: string }> {
  const path = join(dir, PRIVATE_KEY_FILE);
  const known = await readIfThere(path);
  if (known !== undefined) return { signer: signerFrom(known, path) };
  const created = await createOnce(path, `${generatePrivateKey()}\n`);
  // Another process may have been first: its key counts.
  return { signer: signerFrom((await readIfThere(path)) ?? "", path), ...(created && { created: path }) };
}

/** Adds a public key to the directory durably if it is missing, so that `verify` works without a key option. */
export async function publish(dir: string, key: PublicKey): Promise<void> {
  const line = formatPublicKey(key, nodeCryptography.sha256);
  const path = join(dir, PUBLIC_KEY_FILE);
  const text = (await readIfThere(path)) ?? "";
  // A key may be followed by its period.
  if (text.split("\n").some((each) => each.trim().split(/\s/)[0] === line)) return;
  // A line that was cut by a full disk must not damage this one.
  const begin = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeSynced(path, `${begin}${line}\n`, "a", 0o644);
  await syncDirectory(dir);
}

/** Returns the public keys in a directory, one per line. Cut lines, which are not keys, are omitted. */
export async function publicKeysOf(dir: string): Promise<string | undefined> {
  const text = await readIfThere(join(dir, PUBLIC_KEY_FILE));
  return text?.split("\n").filter(isPublicKey).join("\n");
}

/** Returns true if users other than its owner can read the key file. */
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
      `${path} does not contain a private key. Move it away, or pass a signer.`,
      { cause },
    );
  }
}

function isPublicKey(line: string): boolean {
  try {
    parsePublicKey(line, nodeCryptography.sha256);
    return true;
  } catch {
    return false;
  }
}
