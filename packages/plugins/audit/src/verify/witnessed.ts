import { type Checkpoint, openCheckpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import type { PublicKey } from "../signing/key.js";
import { type Cosignature, cosignaturesOf, parseWitnesses, type Witness } from "../witness/cosignature.js";
import { checkPolicy } from "../witness/policy.js";
import { HEADS_DIR, headName, leafName, numberIn, openTreeHead, rootsOf } from "../witness/tree-head.js";
import type { Problem, WitnessedVerdict } from "./verdict.js";

/** The accepted witnesses, and how many must cosign. */
export interface WitnessPolicy {
  /** Verifier keys of type 4 (cosignature/v1), one per line. A URL may follow each key. */
  readonly keys: string;
  /** The number of witnesses that must have cosigned a head. Default: all. */
  readonly policy?: number;
}

/** A file of the folder of heads. */
export interface HeadFile {
  readonly name: string;
  readonly text: string;
}

/** The part of a log that witnesses have seen. */
export interface WitnessedLog {
  readonly verdict: WitnessedVerdict;
  readonly problems: readonly Problem[];
  /**
   * Returns the checkpoints of log files that were cosigned before a time, in seconds since the epoch. They are used as
   * anchors.
   */
  before(time: number): readonly Checkpoint[];
}

/** A head that enough witnesses have cosigned. */
interface Quorum {
  readonly size: number;
  /** The time when enough of them had cosigned. */
  readonly time: number;
  readonly by: readonly Cosignature[];
}

/**
 * Reads the cosigned heads of the tree of checkpoints, each signed by the log.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_KEY`, `ERR_AUDIT_INVALID_OPTION`
 */
export async function witnessedLog(
  files: readonly HeadFile[],
  { keys: text, policy: requestedPolicy }: WitnessPolicy,
  keys: readonly PublicKey[],
  crypto: Cryptography,
): Promise<WitnessedLog> {
  const witnesses = parseWitnesses(text, crypto.sha256);
  const policy = checkPolicy(requestedPolicy ?? witnesses.length, witnesses.length);
  const leaves = leavesIn(files);
  const problems: Problem[] = [];
  const heads = await quorumsIn(files, leaves, witnesses, policy, keys, crypto, problems);
  const newest = heads.at(-1);
  const anchors: Checkpoint[] = [];
  for (const [index, leaf] of leaves.slice(0, newest?.size ?? 0).entries()) {
    const opened = await openCheckpoint(leaf, keys, crypto);
    if (opened.status === "signed") anchors.push(opened.checkpoint);
    else
      problems.push(
        altered(leafName(index), "is not a checkpoint signed by a key of the log, although witnesses saw it."),
      );
    if (opened.status !== "signed") break;
  }
  if (newest === undefined) {
    const message = `No head of this log was cosigned by ${policy} of ${witnesses.length} witnesses.`;
    problems.push({ kind: "not_witnessed", file: HEADS_DIR, message });
  }
  return {
    verdict: {
      policy,
      of: witnesses.length,
      heads: newest?.size ?? 0,
      ...(newest && { time: isoTime(newest.time) }),
      by: (newest?.by ?? []).map(({ witness, time }) => ({ name: witness.name, time: isoTime(time) })),
    },
    problems,
    before: (time) => {
      const head = heads.findLast((each) => each.time < time);
      return anchors.slice(0, head?.size ?? 0);
    },
  };
}

function leavesIn(files: readonly HeadFile[]): readonly string[] {
  const byIndex = new Map<number, string>();
  for (const { name, text } of files) {
    const number = numberIn(name);
    if (number?.kind === "leaf") byIndex.set(number.n, text);
  }
  const leaves: string[] = [];
  for (let leaf = byIndex.get(0); leaf !== undefined; leaf = byIndex.get(leaves.length)) leaves.push(leaf);
  return leaves;
}

/**
 * Returns the heads that enough witnesses cosigned, smallest first. A head that differs from the leaves is added to the
 * problems.
 */
async function quorumsIn(
  files: readonly HeadFile[],
  leaves: readonly string[],
  witnesses: readonly Witness[],
  policy: number,
  keys: readonly PublicKey[],
  crypto: Cryptography,
  problems: Problem[],
): Promise<readonly Quorum[]> {
  const roots = rootsOf(leaves, crypto.sha256);
  const heads: Quorum[] = [];
  for (const { name, text } of files) {
    if (numberIn(name)?.kind !== "checkpoint") continue;
    const opened = await openTreeHead(text, keys, crypto);
    if (!opened) continue;
    const { head, note } = opened;
    const by = await cosignaturesOf(note, witnesses, crypto);
    if (by.length < policy) continue;
    if (roots[head.size] !== head.root) {
      problems.push(altered(headName(head.size), `was cosigned, but does not match the ${leaves.length} heads here.`));
      continue;
    }
    const times = by.map(({ time }) => time).sort((a, b) => a - b);
    heads.push({ size: head.size, time: times[policy - 1] ?? 0, by });
  }
  return heads.sort((a, b) => a.size - b.size);
}

const altered = (name: string, what: string): Problem => ({
  kind: "heads_altered",
  file: `${HEADS_DIR}/${name}`,
  message: `This head ${what}`,
});

const isoTime = (seconds: number): string => new Date(Math.min(seconds, 8.64e12) * 1000).toISOString();
