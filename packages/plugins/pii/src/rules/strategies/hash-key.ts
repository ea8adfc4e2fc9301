/** The key of `hash`: a secret of at least 16 bytes. `id` tells keys apart when they change; it is part of what is hashed. */
export type HashKey = string | Uint8Array | { readonly id: string; readonly key: string | Uint8Array };

let ofProcess: Uint8Array | undefined;

/** A key that lives as long as this process. */
export function processKey(): Uint8Array {
  ofProcess ??= globalThis.crypto.getRandomValues(new Uint8Array(32));
  return ofProcess;
}

export function keyBytes(key: string | Uint8Array): Uint8Array {
  return typeof key === "string" ? new TextEncoder().encode(key) : key;
}
