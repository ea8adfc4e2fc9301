import { AuditError } from "../errors.js";

/**
 * The period of a key under the control of its holder, according to the keeper of the public keys. Times are
 * milliseconds since the epoch.
 */
export interface KeyPeriod {
  /** The beginning of the period: earlier signatures are not valid. */
  readonly from?: number;
  /** The end of the period: later signatures are not valid. */
  readonly until?: number;
  /** The first time or checkpoint at which others may have signed with the key. */
  readonly revoked?: number | CheckpointPosition;
}

/** A checkpoint, by its file and the number of records in that file. */
interface CheckpointPosition {
  readonly file: string;
  readonly size: number;
}

const words = ["from", "until", "revoked"] as const;
const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

/**
 * Parses the period after a verifier key: `from=TIME`, `until=TIME`, `revoked=TIME` or `revoked=FILE#SIZE`.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY` for an unknown word, since it may revoke the key
 */
export function parsePeriod(text: string): KeyPeriod {
  const period: { -readonly [word in keyof KeyPeriod]: KeyPeriod[word] } = {};
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const [, name, value = ""] = /^([a-z]+)=(\S+)$/.exec(word) ?? [];
    const known = words.find((each) => each === name);
    const position = known === "revoked" ? positionOf(value) : undefined;
    const at = position ?? (time.test(value) ? Date.parse(value) : Number.NaN);
    if (known === undefined || period[known] !== undefined || Number.isNaN(at)) throw invalid();
    if (known === "revoked") period.revoked = at;
    else period[known] = at as number;
  }
  return period;
}

/** Returns the strictest combination of two periods: a key may occur twice in a file, and be revoked in one line. */
export function strictest(one: KeyPeriod, other: KeyPeriod): KeyPeriod {
  const times = { from: Math.max, until: Math.min } as const;
  const [from, until] = (["from", "until"] as const).map((word) => {
    const defined = [one[word], other[word]].filter((value) => value !== undefined);
    return defined.length === 0 ? undefined : times[word](...defined);
  });
  const [a, b] = [one.revoked, other.revoked];
  const revoked = typeof a === "number" && typeof b === "number" ? Math.min(a, b) : (a ?? b);
  return {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(revoked !== undefined && { revoked }),
  };
}

function positionOf(text: string): CheckpointPosition | undefined {
  const [, file, size] = /^(audit-[0-9A-Za-z-]{1,80}\.jsonl)#(\d{1,15})$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, size: Number(size) };
}

const invalid = (): AuditError =>
  new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "Invalid text after a public key. Expected from=TIME, until=TIME, revoked=TIME or revoked=FILE#SIZE, each at most once, with times in UTC (2026-01-31T08:00Z).",
  );
