import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex } from "@suite/kit";
import { decode } from "../../scan/decoded.js";
import type { Replace, StrategyContext } from "./context.js";
import { type HashKey, keyBytes, processKey } from "./hash-key.js";

/** The number of bytes of the MAC that are shown: 64 bits. */
const shown = 8;

/**
 * The strategy `hash`, `<email_hash:a1b2c3d4e5f60718>`: HMAC-SHA-256 over the key id, the type and the normalized
 * value. Without a key, each process creates a random one.
 */
export function hash({ type, hashKey, normal }: StrategyContext): Replace {
  // The key of the process is created at the first value: Workers have no random bytes while their modules load.
  let mac = hashKey === undefined ? undefined : begin(type, named(hashKey));
  return ({ value }) => {
    mac ??= begin(type, { id: "process", key: processKey() });
    const digest = mac
      .clone()
      .update(encoder.encode(oneSpelling(value, normal)))
      .digest()
      .subarray(0, shown);
    return `<${type}_hash:${toHex(digest)}>`;
  };
}

/** Returns the value in the normal form of its type, or unchanged if the type has none. */
const oneSpelling = (value: string, normal: StrategyContext["normal"]): string =>
  normal === undefined ? value : normal(decode(value, 0, value.length)?.text ?? value);

interface NamedKey {
  readonly id: string;
  readonly key: string | Uint8Array;
}

const encoder = new TextEncoder();

const begin = (type: string, { id, key }: NamedKey) =>
  hmac.create(sha256, keyBytes(key)).update(encoder.encode(`${JSON.stringify([id, type])}\n`));

const named = (hashKey: HashKey): NamedKey =>
  typeof hashKey === "object" && "key" in hashKey ? hashKey : { id: "default", key: hashKey };
