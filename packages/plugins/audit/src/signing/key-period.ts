import { AuditError } from "../errors.js";

/**
 * The period in which a key was its holder's, as whoever keeps the public keys says. Times are milliseconds since the
 * epoch.
 */
export interface KeyPeriod {
  /** The beginning of the period: the key signs nothing before. */
  readonly from?: number;
  /** The end of the period: the key signs nothing after. */
  readonly until?: number;
  /** The time, or the checkpoint, from which on anybody may have signed with it. */
  readonly revoked?: number | Place;
}

/** A checkpoint, by its file and how many records that file held. */
interface Place {
  readonly file: string;
  readonly size: number;
}

const words = ["from", "until", "revoked"] as const;
const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;

/**
 * The period in the words behind a verifier key: `from=TIME`, `until=TIME`, `revoked=TIME` or `revoked=FILE#SIZE`.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`: a word that is not understood may be what takes a key out of use
 */
export function parsePeriod(text: string): KeyPeriod {
  const period: { -readonly [word in keyof KeyPeriod]: KeyPeriod[word] } = {};
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const [, name, value = ""] = /^([a-z]+)=(\S+)$/.exec(word) ?? [];
    const known = words.find((each) => each === name);
    const place = known === "revoked" ? placeOf(value) : undefined;
    const at = place ?? (time.test(value) ? Date.parse(value) : Number.NaN);
    if (known === undefined || period[known] !== undefined || Number.isNaN(at)) throw invalid();
    if (known === "revoked") period.revoked = at;
    else period[known] = at as number;
  }
  return period;
}

/** The strictest of two: one key may stand twice in a file, and be revoked in one line. */
export function strictest(one: KeyPeriod, other: KeyPeriod): KeyPeriod {
  const times = { from: Math.max, until: Math.min } as const;
  const [from, until] = (["from", "until"] as const).map((word) => {
    const given = [one[word], other[word]].filter((value) => value !== undefined);
    return given.length === 0 ? undefined : times[word](...given);
  });
  const [a, b] = [one.revoked, other.revoked];
  const revoked = typeof a === "number" && typeof b === "number" ? Math.min(a, b) : (a ?? b);
  return {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...(revoked !== undefined && { revoked }),
  };
}

function placeOf(text: string): Place | undefined {
  const [, file, size] = /^(audit-[0-9A-Za-z-]{1,80}\.jsonl)#(\d{1,15})$/.exec(text) ?? [];
  return file === undefined ? undefined : { file, size: Number(size) };
}

const invalid = (): AuditError =>
  new AuditError(
    "ERR_AUDIT_INVALID_KEY",
    "What stands behind a public key is not understood: from=TIME, until=TIME, revoked=TIME or revoked=FILE#SIZE was expected, each once, with times in UTC (2026-01-31T08:00Z).",
  );
