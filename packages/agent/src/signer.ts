import type { Part } from "@suite/core";
import { isJson, type Json } from "@suite/wire";

interface Server {
  readonly address: string;
  readonly port?: number;
}

/**
 * Returns the `signer` of a model client: the API and a hash of its server. The hash contains only letters, so that no
 * guard redacts it as an address.
 */
export function signerOf(api: "chat" | "messages" | "responses", server: Server | undefined): string {
  let hash = 0x811c9dc5; // FNV-1a
  for (const character of `${server?.address}:${server?.port}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  const letters = hash.toString(16).replace(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
  return `${api}-${letters}`;
}

/**
 * Returns the `native` of a part if the client with this `signer` wrote it. A client writes its `signer` in the field
 * `from`, so that a signature of one server is never sent to another.
 */
export function nativeOfSigner(part: Part, signer: string): Json | undefined {
  const native = "native" in part ? part.native : undefined;
  return isJson(native) && native.from === signer ? native : undefined;
}

/** True if the part is encrypted content that only its provider can read, such as Anthropic's `redacted_thinking`. */
export const isSealed = (part: Part): boolean =>
  part.type === "native" &&
  isJson(part.value) &&
  (part.value.type === "redacted_thinking" || typeof part.value.encrypted_content === "string");

/** True if a model client of this package wrote this `native`: it is plain JSON and contains the signer of the part. */
export const isOfModelClient = (native: unknown): boolean =>
  isJson(native) &&
  (typeof native.from === "string" || (native.type === "reasoning" && Object.keys(native).length === 1));
