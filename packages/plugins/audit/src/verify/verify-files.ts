import type { Cryptography } from "../crypto/crypto.js";
import type { JsonObject } from "../json/canonical.js";
import { fileNameOf } from "../log/format.js";
import type { Head } from "../log/heads.js";
import { headsOf } from "../log/opening.js";
import type { Checkpoint } from "../note/checkpoint.js";
import type { PublicKey } from "../note/key.js";
import { type Claim, checkClaim, coverage } from "./claims.js";
import { LineReader } from "./lines.js";
import { Scan } from "./scan.js";
import type { FileVerdict, Problem, Verdict } from "./verdict.js";

/** One file of a log, wherever it is. Read twice: its beginning first. */
export interface LogFileSource {
  readonly name: string;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface VerifyFilesOptions {
  readonly keys: readonly PublicKey[];
  /** Verified checkpoints that were kept elsewhere. */
  readonly anchors: readonly Checkpoint[];
  readonly cryptography: Cryptography;
}

/**
 * Verifies the files of a log against public keys and anchors. It uses no Node built-in: bytes and cryptography are given
 * in. Memory does not grow with the length of a file.
 */
export async function verifyFiles(
  sources: readonly LogFileSource[],
  { keys, anchors, cryptography }: VerifyFilesOptions,
): Promise<Omit<Verdict, "attestation">> {
  const openings = new Map<string, readonly Head[]>();
  for (const source of sources) openings.set(source.name, (await openingOf(source)) ?? []);
  const claims: Claim[] = [...openings].flatMap(([by, heads]) => heads.map((head) => ({ ...head, by })));
  claims.push(...anchors.map(anchorClaim));

  const scans = new Map<string, Scan>();
  const problems: Problem[] = [];
  for (const source of sources) {
    const wanted = new Set(claims.filter(({ file }) => file === source.name).map(({ size }) => size));
    const scan = new Scan(source.name, keys, cryptography, wanted);
    await feed(source, scan);
    scans.set(source.name, scan);
    const problem = scan.finish() ?? checkOpening(source.name, scan);
    if (problem) problems.push(problem);
  }
  for (const claim of claims) {
    // What a file says counts only as far as its own opening record is proven.
    if (claim.by !== undefined && !scans.get(claim.by)?.head) continue;
    const problem = checkClaim(claim, scans.get(claim.file));
    if (problem) problems.push(problem);
  }

  const damaged = new Set(problems.map(({ file }) => file));
  const anchored = coverage(anchors.map(anchorClaim), openings, damaged);
  const files = [...scans].map(([file, scan]) => verdictOf(file, scan, damaged.has(file), anchored.get(file) ?? 0));
  const sum = (key: "size" | "records" | "tail" | "anchored") => files.reduce((total, file) => total + file[key], 0);
  return {
    ok: problems.length === 0,
    size: sum("size"),
    records: sum("records"),
    tail: sum("tail"),
    anchored: sum("anchored"),
    problems,
    files,
  };
}

const anchorClaim = ({ origin, size, root }: Checkpoint): Claim => ({ file: fileNameOf(origin), size, root });

async function feed(source: LogFileSource, scan: Scan): Promise<void> {
  const reader = new LineReader();
  for await (const piece of source.read()) {
    for (const line of reader.push(piece)) {
      const pending = scan.read(line);
      if (pending) await pending;
    }
  }
  for (const line of reader.end()) await scan.read(line);
}

/** The heads that the first line names; undefined where it is not an opening record. */
async function openingOf(source: LogFileSource): Promise<readonly Head[] | undefined> {
  const reader = new LineReader();
  for await (const piece of source.read()) {
    for (const { bytes } of reader.push(piece)) return parseOpening(bytes);
  }
  return undefined;
}

function parseOpening(bytes: Uint8Array): readonly Head[] | undefined {
  try {
    const record = JSON.parse(new TextDecoder().decode(bytes)) as JsonObject | null;
    return record ? headsOf(record) : undefined;
  } catch {
    return undefined;
  }
}

function checkOpening(file: string, scan: Scan): Problem | undefined {
  if (!scan.head || (scan.opening && parseOpening(scan.opening))) return undefined;
  const message = "The first record does not say which files were there before.";
  return { kind: "opening_missing", file, line: 1, index: 0, message };
}

function verdictOf(file: string, scan: Scan, damaged: boolean, anchored: number): FileVerdict {
  const { head, records, tail } = scan;
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
