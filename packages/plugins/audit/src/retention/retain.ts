import { stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { amount, callable, flag, name } from "@suite/kit/options";
import { AuditError } from "../errors.js";
import { syncDirectory } from "../files/directory.js";
import { isGone } from "../files/errors.js";
import { listLogFiles } from "../log/directory.js";
import type { Head } from "../log/heads.js";
import { openLog } from "../log/log.js";
import { headsIn } from "../log/opening.js";
import { deletedIn, MAX_DELETED, retentionRecord } from "../log/retention-record.js";
import { checkArgument, checkOptions, type OptionChecks, object, string } from "../options.js";
import { recordsOfFile } from "../query/records-of.js";
import type { Signer } from "../signing/signer.js";
import type { FileVerdict, Verdict } from "../verify/verdict.js";
import { verify } from "../verify/verify.js";
import { ABANDONED_AGE, daysBefore, writtenUntil } from "./age.js";

/** Six months are at most 184 days, the minimum of Art. 19 and 26(6) of the EU AI Act. */
const MINIMUM_DAYS = 184;

/** Maximum number of tries. Each time another run deletes files, fewer are left. */
const MAX_TRIES = 10;

/** The options of `retain`. */
export interface RetainOptions {
  /** Deletes files that have not been written to for this number of days. Either this or `before` is required. */
  readonly olderThanDays?: number;
  /** Deletes files that have not been written to since this date. */
  readonly before?: Date;
  /** Returns true for files that must stay, however old, for example for a court or an auditor. */
  readonly keep?: (file: string) => boolean;
  /** Minimum number of days. Fewer are rejected. Default 184: six months. */
  readonly minimumDays?: number;
  /** Allows less than the minimum, but never less than two days: until then a process may still write to a file. */
  readonly force?: boolean;
  /** Reports the files that would be deleted, and changes nothing. */
  readonly dryRun?: boolean;
  /** Signs the record of the deletion. Default: the key in the directory. */
  readonly signer?: Signer;
  /** Public keys, see `verify`. Default: those in the directory. */
  readonly key?: string;
}

const checks: OptionChecks<RetainOptions> = {
  olderThanDays: amount,
  before: (value) => (value instanceof Date ? undefined : "a Date"),
  keep: callable,
  minimumDays: amount,
  force: flag,
  dryRun: flag,
  signer: object,
  key: string,
};

/** The result of `retain`, also of a dry run. */
export interface Retained {
  readonly deleted: readonly Head[];
  /**
   * Files that are old enough but were kept. `damaged`: the file is damaged, or names a damaged one. `written`: it was
   * written to during the run.
   */
  readonly kept: readonly { readonly file: string; readonly why: "damaged" | "wanted" | "written" }[];
}

/**
 * Deletes whole files of a log, oldest records first, and keeps their heads: a signed record with name, size and root
 * of each is durable before anything is deleted, so that `verify` distinguishes retention from loss. Damaged files are
 * evidence and stay, and so do files that name them. Several runs may be active at once.
 *
 * @throws AuditError `ERR_AUDIT_INVALID_OPTION` under the minimum; the errors of `verify` and `openLog`
 *
 * @example
 * ```ts
 * await retain("/var/log/agent", { olderThanDays: 365, signer });
 * ```
 */
export async function retain(dir: string, options: RetainOptions): Promise<Retained> {
  checkArgument("retain", "dir", dir, name);
  options = checkOptions("retain", options, checks);
  const before = cutoff(options, new Date());
  for (let tries = 1; ; tries++) {
    try {
      return await retainBefore(dir, before, options);
    } catch (error) {
      // Another run deleted a file that this one was reading. Start again with the remaining files.
      if (!isGone(error) || tries === MAX_TRIES) throw error;
    }
  }
}

async function retainBefore(dir: string, before: Date, options: RetainOptions): Promise<Retained> {
  const sizes = new Map((await listLogFiles(dir)).map(({ name, bytes }) => [name, bytes]));
  const verdict = await verify(dir, options.key === undefined ? {} : { key: options.key });
  const kept: { file: string; why: Retained["kept"][number]["why"] }[] = [];
  const chosen: FileVerdict[] = [];
  const damaged = new Set(verdict.problems.map(({ file }) => file));
  for (const found of await outOfDate(dir, verdict, before)) {
    if (damaged.has(found.file) || (await isWitness(dir, found.file, damaged)))
      kept.push({ file: found.file, why: "damaged" });
    else if (options.keep?.(found.file)) kept.push({ file: found.file, why: "wanted" });
    else chosen.push(found);
  }
  if (options.dryRun || chosen.length === 0) return { deleted: chosen.map(headOf), kept };
  await record(dir, chosen, before, options.signer);
  const deleted: Head[] = [];
  for (const found of chosen) {
    if (await remove(join(dir, found.file), sizes.get(found.file))) deleted.push(headOf(found));
    else kept.push({ file: found.file, why: "written" });
  }
  await syncDirectory(dir);
  return { deleted, kept };
}

function cutoff(options: RetainOptions, now: Date): Date {
  const { olderThanDays, before, minimumDays = MINIMUM_DAYS, force = false } = options;
  const at = before ?? daysBefore(now, olderThanDays ?? Number.NaN);
  if (Number.isNaN(at.getTime()) || (before && olderThanDays !== undefined)) {
    throw refusal("Pass either a number of days or a date.");
  }
  if (now.getTime() - at.getTime() < ABANDONED_AGE)
    throw refusal("Files less than two days old may still be written to.");
  if (!force && at > daysBefore(now, minimumDays)) {
    throw refusal(`Records are kept for at least ${minimumDays} days. Use force to delete younger ones.`);
  }
  return at;
}

const refusal = (message: string): AuditError => new AuditError("ERR_AUDIT_INVALID_OPTION", `retain: ${message}`);

async function outOfDate(dir: string, { files }: Verdict, before: Date): Promise<FileVerdict[]> {
  const old: FileVerdict[] = [];
  for (const found of files) {
    if ((await writtenUntil(dir, found.file)) < before.getTime()) old.push(found);
  }
  return old;
}

/** Returns true if a file names a damaged or missing file, whose loss would otherwise be unnoticed. */
async function isWitness(dir: string, file: string, damaged: ReadonlySet<string>): Promise<boolean> {
  if (damaged.size === 0) return false;
  for await (const records of recordsOfFile(dir, file)) {
    if (records.some(({ bytes }) => headsIn(bytes)?.some((head) => damaged.has(head.file)))) return true;
  }
  return false;
}

/**
 * Records the heads of the files to delete in a new file, durably. Includes the deleted heads that these files record.
 */
async function record(dir: string, files: readonly FileVerdict[], before: Date, signer?: Signer): Promise<void> {
  const heads = [...(await namedEarlier(dir, files)), ...files.map(headOf)];
  const log = await openLog({ dir, ...(signer && { signer }) });
  try {
    for (let i = 0; i < heads.length; i += MAX_DELETED) {
      await log.append(retentionRecord(heads.slice(i, i + MAX_DELETED), before));
    }
  } finally {
    await log.close();
  }
}

async function namedEarlier(dir: string, files: readonly FileVerdict[]): Promise<Head[]> {
  const named: Head[] = [];
  for (const { file, size } of files) {
    for await (const records of recordsOfFile(dir, file)) {
      for (const { index, bytes } of records) if (index < size) named.push(...deletedIn(bytes));
    }
  }
  return named;
}

/** Removes a file if it still has the same size, or was removed by another run. Returns false if it was written to. */
async function remove(path: string, bytes: number | undefined): Promise<boolean> {
  try {
    if ((await stat(path)).size !== bytes) return false;
    await unlink(path);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  return true;
}

const headOf = ({ file, size, root }: FileVerdict): Head => ({ file, size, ...(root !== undefined && { root }) });
