import type { HeldLines } from "../log/held-lines.js";
import type { Sha256 } from "../signing/cryptography.js";
import { keyId, type PublicKey } from "../signing/key.js";
import type { KeyPeriod } from "../signing/key-period.js";
import type { Claim } from "./claim.js";
import type { KeyVerdict, Problem } from "./verdict.js";

/** The records of one file that one key has signed, by index. */
interface KeyUse {
  readonly first: number;
  /** The index after the last record. */
  end: number;
  records: number;
  /**
   * The first record signed outside of the key's period, and the first after it was revoked, by the times of records.
   */
  outside?: number;
  revoked?: number;
}

/** The keys that have signed one file. */
export class KeyUses {
  readonly #uses = new Map<PublicKey, KeyUse>();
  /** The time in the last record, also used for commits whose records contain no time. */
  #time = Number.NaN;

  /** Adds a valid checkpoint, by its signer and the lines of its commit. */
  see(key: PublicKey, from: number, to: number, lines: HeldLines): void {
    let use = this.#uses.get(key);
    if (!use) {
      use = { first: from, end: to, records: 0 };
      this.#uses.set(key, use);
    }
    use.records += to - from;
    use.end = to;
    if (key.period === undefined || to === from) return;
    this.#time = timeOf(lines) ?? this.#time;
    const { from: begin = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, revoked } = key.period;
    if (this.#time < begin || this.#time > until) use.outside ??= from;
    if (typeof revoked === "number" && this.#time >= revoked) use.revoked ??= from;
  }

  of(key: PublicKey): KeyUse | undefined {
    return this.#uses.get(key);
  }
}

/**
 * Finds signatures of keys outside their period, or after they were revoked.
 *
 * @param coveredBy returns the number of records of each file that some heads cover
 * @param before returns the heads that witnesses had seen before a time, in seconds, if witnesses were requested: a
 * thief cannot backdate these
 */
export function outOfUse(
  keys: readonly PublicKey[],
  files: ReadonlyMap<string, KeyUses>,
  coveredBy: (heads: readonly Claim[]) => ReadonlyMap<string, number>,
  before?: (time: number) => readonly Claim[],
): readonly Problem[] {
  return keys.flatMap((key) => {
    const { revoked } = key.period ?? {};
    const last = typeof revoked === "number" ? before?.(revoked / 1000) : revoked && [revoked];
    const held = last && coveredBy(last);
    return [...files].flatMap(([file, uses]): Problem[] => {
      const use = uses.of(key);
      if (use === undefined) return [];
      const index = held && use.end > (held.get(file) ?? 0) ? Math.max(use.first, held.get(file) ?? 0) : use.revoked;
      if (index !== undefined) {
        const message = `From here on it is signed by ${key.name} after that key was revoked: anyone who had the key can have written it.`;
        return [{ kind: "key_revoked", file, index, message }];
      }
      if (use.outside === undefined) return [];
      const message = `From here on it is signed by ${key.name}, outside the validity period of that key.`;
      return [{ kind: "key_out_of_period", file, index: use.outside, message }];
    });
  });
}

/** Returns the signatures of a key, for the verdict. */
export function keyVerdictOf(key: PublicKey, files: ReadonlyMap<string, KeyUses>, sha256: Sha256): KeyVerdict {
  const uses = [...files.values()].flatMap((file) => file.of(key) ?? []);
  const records = uses.reduce((sum, use) => sum + use.records, 0);
  return { name: key.name, id: keyId(key, sha256), ...written(key.period ?? {}), files: uses.length, records };
}

const written = ({ from, until, revoked }: KeyPeriod): Pick<KeyVerdict, "from" | "until" | "revoked"> => ({
  ...(from !== undefined && { from: new Date(from).toISOString() }),
  ...(until !== undefined && { until: new Date(until).toISOString() }),
  ...(revoked !== undefined && {
    revoked: typeof revoked === "number" ? new Date(revoked).toISOString() : `${revoked.file}#${revoked.size}`,
  }),
});

/** Returns the time of the last record that contains one. */
function timeOf(lines: HeldLines): number | undefined {
  const decoder = new TextDecoder();
  for (let index = lines.length - 1; index >= 0; index--) {
    try {
      const { time } = JSON.parse(decoder.decode(lines.at(index).bytes)) as { readonly time?: unknown };
      const at = typeof time === "string" ? Date.parse(time) : Number.NaN;
      if (!Number.isNaN(at)) return at;
    } catch {
      // Another check reports invalid JSON.
    }
  }
  return undefined;
}
