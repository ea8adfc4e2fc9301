import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { name } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import { checkArgument } from "../options.js";

const MIN_BYTES = 16;

/** A key for sensitive values. Its bytes are not shown when it is printed. */
export interface ValueKey {
  /** Identifies the key: the first 8 hex digits of its SHA-256. */
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * Creates the key for `hashedValue` from a secret of at least 16 random bytes, or a string of that length. The same
 * string in a file, in an environment variable or here results in the same key: surrounding white space is ignored.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`
 *
 * @example
 * ```ts
 * audit({ valueKey: valueKey(process.env.AUDIT_VALUE_KEY ?? "") });
 * ```
 */
export function valueKey(secret: string | Uint8Array): ValueKey {
  // The error of Node would contain the secret.
  if (typeof secret !== "string" && !((secret as unknown) instanceof Uint8Array))
    throw new AuditError("ERR_AUDIT_INVALID_KEY", "A key for values must be a string or a Uint8Array.");
  const bytes = typeof secret === "string" ? Buffer.from(secret.trim(), "utf8") : Buffer.from(secret);
  if (bytes.length < MIN_BYTES) {
    throw new AuditError(
      "ERR_AUDIT_INVALID_KEY",
      `A key for values has ${bytes.length} bytes. Use at least ${MIN_BYTES} random bytes: openssl rand -hex 32.`,
    );
  }
  return { kid: createHash("sha256").update(bytes).digest("hex").slice(0, 8), key: createSecretKey(bytes) };
}

/**
 * Reads a key from a text file, as created by the plugin or `openssl rand -hex 32 > FILE`.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`; the error of the file system if it cannot be read
 */
export async function readValueKey(path: string): Promise<ValueKey> {
  checkArgument("readValueKey", "path", path, name);
  return valueKey(await readFile(path, "utf8"));
}
