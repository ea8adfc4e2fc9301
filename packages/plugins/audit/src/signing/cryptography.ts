import type { Awaitable } from "@suite/core";

/** Returns the SHA-256 of bytes: 32 bytes. Synchronous, since a log hashes every line. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The cryptography for verification. It is passed in, so that verification runs without Node. */
export interface Cryptography {
  readonly sha256: Sha256;
  /**
   * @param type the signature type of C2SP signed-note: 1 is Ed25519, 2 ECDSA of P-256 with SHA-256. An unknown type is
   * not valid.
   */
  verify(type: number, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Awaitable<boolean>;
  /** Verifies on another thread if there is one, for many signatures at a time. */
  verifyAside?(type: number, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
