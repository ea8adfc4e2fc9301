import type { Awaitable } from "@suite/core";

/** SHA-256 of some bytes: 32 bytes. Synchronous, since a log hashes every line. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The cryptography that verification needs, given in, so that it runs where there is no Node. */
export interface Cryptography {
  readonly sha256: Sha256;
  /** @param type the signature type of C2SP signed-note: 1 is Ed25519, 2 ECDSA of P-256 with SHA-256. An unknown type is not valid. */
  verify(type: number, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Awaitable<boolean>;
  /** `verify` on another thread, where there is one: for many at a time. */
  verifyAside?(type: number, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean>;
}
