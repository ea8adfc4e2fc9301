import { AuditError } from "../errors.js";
import { fileNameOf, logIdOf } from "../log/format.js";
import { LineReader } from "../log/line-reader.js";
import type { Checkpoint } from "../signing/checkpoint.js";
import type { Cryptography } from "../signing/cryptography.js";
import { type PublicKey, parsePublicKeys } from "../signing/key.js";
import { openAnchors } from "./anchors.js";
import type { Claim } from "./claim.js";
import { checkClaim, coverage } from "./claims.js";
import { keyVerdictOf, outOfUse } from "./key-uses.js";
import type { VerifyOptions } from "./options.js";
import { type Count, counter } from "./progress.js";
import { Scan } from "./scan.js";
import { DeferredSignatures, eachSignature } from "./signatures.js";
import type { LogFileSource } from "./sources.js";
import type { FileVerdict, Problem, Verdict, WitnessedVerdict } from "./verdict.js";
import { type HeadFile, type WitnessedLog, witnessedLog } from "./witnessed.js";

/** A log in any storage, and the cryptography to verify it. */
export interface Sources {
  readonly files: readonly LogFileSource[];
  /** The place of the files, for messages. */
  readonly where: string;
  /** The content of the log's `key.pub`, if there is one. */
  readonly ownKey: string | undefined;
  /** Returns the files of the folder of heads. Called if witnesses were requested. */
  readonly heads?: () => Promise<readonly HeadFile[]>;
  readonly cryptography: Cryptography;
}

/**
 * Verifies the files of a log against public keys and anchors. Uses no built-in modules of Node: bytes and cryptography
 * are passed in. Memory use does not grow with the length of a file.
 */
export async function verifySources(sources: Sources, options: VerifyOptions): Promise<Verdict> {
  const { files, where, ownKey, cryptography } = sources;
  if (files.length === 0) throw new AuditError("ERR_AUDIT_NO_LOG", `${where} contains no log: no file audit-*.jsonl.`);
  const keys = parsePublicKeys(options.key ?? ownKey ?? "", cryptography.sha256);
  if (keys.length === 0) {
    throw new AuditError("ERR_AUDIT_NO_KEY", `No public key: none was passed, and ${where} holds none.`);
  }
  const anchors = await openAnchors([options.anchor ?? []].flat(), keys, cryptography);
  const { witnesses } = options;
  const seen = witnesses && (await witnessedLog((await sources.heads?.()) ?? [], witnesses, keys, cryptography));
  const verdict = await verdictOf(sources, keys, anchors, seen, options);
  return { attestation: attestationOf(verdict.anchored, seen?.verdict, options), ...verdict };
}

const claimOf = ({ origin, size, root }: Checkpoint): Claim => ({ file: fileNameOf(origin), size, root });

function attestationOf(
  anchored: number,
  witnessed: WitnessedVerdict | undefined,
  { key }: VerifyOptions,
): Verdict["attestation"] {
  if (anchored > 0) return witnessed !== undefined && witnessed.heads > 0 ? "witness" : "anchor";
  return key === undefined ? "self" : "key";
}

async function verdictOf(
  { files, cryptography }: Sources,
  keys: readonly PublicKey[],
  passedAnchors: readonly Checkpoint[],
  seen: WitnessedLog | undefined,
  { everySignature = false, onProgress }: VerifyOptions,
): Promise<Omit<Verdict, "attestation">> {
  const scans = new Map<string, Scan>();
  const count = counter(files, onProgress);
  for (const file of files) {
    const { once, name } = file;
    const deferred = once ? undefined : await deferredScan(file, keys, cryptography, everySignature, count);
    scans.set(name, deferred ?? (await exactScan(file, keys, cryptography, once ? count : () => {})));
  }
  const anchors = [...passedAnchors, ...(seen?.before(Number.POSITIVE_INFINITY) ?? [])];
  const anchored = anchors.map(claimOf);
  // Only heads in proven records count.
  const claims = [...scans].flatMap(([by, scan]) =>
    scan.named.between(0, scan.head?.size ?? 0).map((head): Claim => ({ ...head, by })),
  );
  const problems: Problem[] = [
    ...problemsWithin(scans, anchored, claims),
    ...foreignFiles(scans, anchors, new Set(claims.map(({ file }) => file))),
  ];
  const deleted = new Map([...scans.values()].flatMap((scan) => scan.deleted).map((head) => [head.file, head]));
  for (const claim of [...claims, ...anchored]) {
    const problem = checkClaim(claim, scans.get(claim.file), deleted.get(claim.file));
    // Reported once per file, even if several files recorded it.
    if (problem && !problems.some((known) => known.kind === problem.kind && known.file === problem.file)) {
      problems.push(problem);
    }
  }
  const damaged = new Set(problems.map(({ file }) => file));
  const coveredBy = (heads: readonly Claim[]) => coverage(heads, (file) => scans.get(file)?.named, damaged);
  const covered = coveredBy(anchored);
  const uses = new Map([...scans].map(([file, scan]) => [file, scan.keys]));
  return {
    ...summary(
      [...scans].map(([file, scan]) => fileVerdictOf(file, scan, damaged.has(file), covered.get(file) ?? 0)),
      [
        ...problems,
        ...outOfUse(keys, uses, coveredBy, seen && ((time) => seen.before(time).map(claimOf))),
        ...(seen?.problems ?? []),
      ],
      [...deleted.keys()].filter((file) => !scans.has(file)),
    ),
    keys: keys.map((key) => keyVerdictOf(key, uses, cryptography.sha256)),
    ...(seen && { witnessed: seen.verdict }),
  };
}

/**
 * Returns the problems within each file.
 *
 * @param anchored the heads in anchors
 * @param claims the heads of a file that other files have recorded
 */
function problemsWithin(
  scans: ReadonlyMap<string, Scan>,
  anchored: readonly Claim[],
  claims: readonly Claim[],
): readonly Problem[] {
  const closed = new Set(claims.flatMap((claim) => (claim.closed ? [claim.file] : [])));
  return [...scans].flatMap(([file, scan]) => {
    const size = anchored.reduce((most, claim) => (claim.file === file ? Math.max(most, claim.size) : most), 0);
    return scan.finish(size, closed.has(file), (name) => scans.has(name)) ?? checkOpening(file, scan) ?? [];
  });
}

/** Scans a file with deferred signatures. Returns `undefined` if there is damage or an invalid signature. */
async function deferredScan(
  file: LogFileSource,
  keys: readonly PublicKey[],
  cryptography: Cryptography,
  every: boolean,
  count: Count,
): Promise<Scan | undefined> {
  const signatures = new DeferredSignatures(keys, cryptography, every);
  const scan = new Scan(file.name, signatures, cryptography);
  await feed(file, scan, count);
  return (await signatures.hold()) && scan.complete ? scan : undefined;
}

/** Scans a file and verifies each signature, to find the exact damage. */
async function exactScan(
  file: LogFileSource,
  keys: readonly PublicKey[],
  cryptography: Cryptography,
  count: Count,
): Promise<Scan> {
  const scan = new Scan(file.name, eachSignature(keys, cryptography), cryptography);
  await feed(file, scan, count);
  return scan;
}

async function feed(file: LogFileSource, scan: Scan, count: Count): Promise<void> {
  const reader = new LineReader();
  for await (const piece of file.read()) {
    for (const line of reader.push(piece)) {
      const pending = scan.read(line);
      if (pending) await pending;
    }
    count(piece.length);
  }
  for (const line of reader.end()) await scan.read(line);
  // The roots of each file are kept until the last file is read.
  scan.roots.trim();
}

function fileVerdictOf(file: string, { head, records, tail }: Scan, damaged: boolean, anchored: number): FileVerdict {
  const size = head?.size ?? 0;
  return {
    file,
    size,
    ...(head && { root: head.root }),
    records,
    tail: damaged ? 0 : tail,
    anchored: Math.min(anchored, size),
  };
}

function summary(
  files: readonly FileVerdict[],
  problems: readonly Problem[],
  deleted: readonly string[],
): Omit<Verdict, "attestation" | "keys" | "witnessed"> {
  const sum = (key: "size" | "records" | "tail" | "anchored") => files.reduce((total, file) => total + file[key], 0);
  return {
    ok: problems.length === 0,
    size: sum("size"),
    records: sum("records"),
    tail: sum("tail"),
    anchored: sum("anchored"),
    problems,
    files,
    deleted,
  };
}

/** Checks that a proven file begins with an opening record. */
function checkOpening(file: string, scan: Scan): Problem | undefined {
  if (!scan.head || scan.hasOpening) return undefined;
  const message = "The first record does not list the files that existed before.";
  return { kind: "opening_missing", file, line: 1, index: 0, message };
}

/**
 * Finds files of other logs that the same key signed, for example files added from another directory.
 *
 * @param anchors identify the log; without any, it is the log of most files
 * @param named the files that proven records of others contain: they identify files of 0.1.0, which had no identity
 */
function foreignFiles(
  scans: ReadonlyMap<string, Scan>,
  anchors: readonly Checkpoint[],
  named: ReadonlySet<string>,
): readonly Problem[] {
  const ids = new Map<string, string | undefined>();
  for (const [file, { head }] of scans) if (head !== undefined) ids.set(file, logIdOf(head.origin));
  const log =
    anchors.map(({ origin }) => logIdOf(origin)).find((id) => id !== undefined) ?? commonest([...ids.values()]);
  if (log === undefined) return [];
  return [...ids].flatMap(([file, id]): Problem[] => {
    if (id === log || (id === undefined && named.has(file))) return [];
    const which = id === undefined ? "a log without identity" : `the log ${id}`;
    return [{ kind: "file_foreign", file, message: `The file belongs to ${which}, but this is the log ${log}.` }];
  });
}

function commonest(ids: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const id of ids) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  // On a tie, the log of the oldest file: the ids are in the order of the files.
  return [...counts].reduce<readonly [string | undefined, number]>(
    (most, each) => (each[1] > most[1] ? each : most),
    [undefined, 0],
  )[0];
}
