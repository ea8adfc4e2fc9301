/**
 * The key of `hash`: a secret of at least 16 bytes. `id` identifies the key after a rotation, and is part of the hashed
 * data.
 */
export type HashKey = string | Uint8Array | { readonly id: string; readonly key: string | Uint8Array };

let ofProcess: Uint8Array | undefined;

/** Returns a random key that lives as long as this process. */
export function processKey(): Uint8Array {
  ofProcess ??= globalThis.crypto.getRandomValues(new Uint8Array(32));
  return ofProcess;
}

export function keyBytes(key: string | Uint8Array): Uint8Array {
  return typeof key === "string" ? new TextEncoder().encode(key) : key;
}
