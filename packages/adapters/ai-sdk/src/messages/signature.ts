import { isRecord } from "@suite/kit";

/** Matches the names that providers use for signatures and encrypted reasoning. */
const names = /signature|encrypted|redacted/i;

/** Returns true if a field with this name contains a signature or an encrypted value. */
export const isSigned = (name: string): boolean => names.test(name);

/**
 * Returns the signature or the encrypted form of reasoning from a part's metadata. Returns `undefined` if it has
 * neither.
 */
export function signatureOf(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) return undefined;
  for (const provider of Object.values(metadata)) {
    if (!isRecord(provider)) continue;
    for (const [name, value] of Object.entries(provider)) {
      if (isSigned(name) && typeof value === "string" && value !== "") return value;
    }
  }
  return undefined;
}
