import { isRecord } from "../framework.js";

/** The names that providers give to signatures and encrypted reasoning. */
const names = /signature|encrypted|redacted/i;

/** Whether a field of this name holds what signs or encrypts. */
export const isSigned = (name: string): boolean => names.test(name);

/** The signed or encrypted form of reasoning among a part's metadata, as text; undefined where there is none. */
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
