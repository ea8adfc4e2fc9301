import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keyBytes, processKey } from "./hash-key.js";
import type { Replace, StrategyContext } from "./strategy.js";

/** Bytes of the MAC that are shown: 64 bits. */
const shown = 8;

/** `<email_hash:a1b2c3d4e5f60718>`: HMAC-SHA-256 over key id, type and value. Without a key, one made at random per process. */
export function hash({ type, hashKey }: StrategyContext): Replace {
  const { id, key } = named(hashKey);
  const mac = hmac.create(sha256, keyBytes(key));
  const encoder = new TextEncoder();
  mac.update(encoder.encode(`${JSON.stringify([id, type])}\n`));
  return ({ value }) => {
    const digest = mac.clone().update(encoder.encode(value)).digest().subarray(0, shown);
    return `<${type}_hash:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}>`;
  };
}

function named(hashKey: StrategyContext["hashKey"]): { readonly id: string; readonly key: string | Uint8Array } {
  if (hashKey === undefined) return { id: "process", key: processKey() };
  return typeof hashKey === "object" && "key" in hashKey ? hashKey : { id: "default", key: hashKey };
}
