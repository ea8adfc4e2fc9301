import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AuditError, type Verdict, verify } from "@suite/audit";
import { type Found, proveRecord, queryLog, type RecordFilter } from "@suite/audit/query";
import type { PageRecord, PageVerdict, RecordProof, RunLog } from "../run/audit.js";
import { type Span, textAt } from "../run/span.js";

/** The most records of one run that are shown. */
const MOST_RECORDS = 2000;
/** The most problems of a log that are shown. */
const MOST_PROBLEMS = 50;
/** The search range for the records of a run, in milliseconds before and after it, if its spans contain no run id. */
const AROUND_MS = 60_000;

/** The log of `@suite/audit` in a folder, as the page shows it. */
export class AuditLog {
  readonly #dir: string;
  readonly #key: { readonly key?: string };
  #known: { readonly files: string; readonly verdict: Promise<Verdict> } | undefined;

  /**
   * @param key public keys from another source, as text. Without it, the folder's keys are used and the verdict is
   *   self-attested.
   */
  constructor(dir: string, key: string | undefined) {
    this.#dir = dir;
    this.#key = key === undefined ? {} : { key };
  }

  /** Returns the records of a run in order of time, and the verdict on their log. */
  async recordsOf(spans: readonly Span[]): Promise<RunLog> {
    try {
      const found = await this.#find(spans);
      // Verified after the records were read, so that the verdict covers all of them.
      const verdict = await this.#verdict();
      const sizes = new Map(verdict.files.map(({ file, size }) => [file, size]));
      const records = found.slice(0, MOST_RECORDS).map((each) => pageRecord(each, sizes.get(each.file) ?? 0));
      return { records: records.reverse(), more: found.length > MOST_RECORDS, verdict: pageVerdict(verdict) };
    } catch (error) {
      return { records: [], problem: problemOf(error) };
    }
  }

  /** Returns the proof of one record, and the public keys to check it with. */
  async proofOf(file: string, index: number): Promise<RecordProof> {
    try {
      const proof = await proveRecord(this.#dir, { file, index }, this.#key);
      return { proof, keys: this.#key.key ?? (await readFile(join(this.#dir, "key.pub"), "utf8")) };
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  /** Returns the newest records of the runs of the spans, one more than is shown. */
  async #find(spans: readonly Span[]): Promise<readonly Found[]> {
    const runs = new Set(spans.flatMap(({ attributes }) => textAt(attributes, "suite.run.id") ?? []));
    const traces = new Set(spans.map(({ traceId }) => traceId));
    const found: Found[] = [];
    const read = async (filter: RecordFilter, fits: (record: Found) => boolean): Promise<void> => {
      for await (const record of queryLog(this.#dir, filter)) {
        if (fits(record)) found.push(record);
        if (found.length > MOST_RECORDS) return;
      }
    };
    for (const run of runs) await read({ run }, () => true);
    if (runs.size === 0) {
      const since = spans.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY) - AROUND_MS;
      const until = spans.reduce((most, { end }) => Math.max(most, end), 0) + AROUND_MS;
      await read({ since, until }, ({ record }) => typeof record.traceId === "string" && traces.has(record.traceId));
    }
    return runs.size > 1 ? found.sort((a, b) => (b.summary.time ?? "").localeCompare(a.summary.time ?? "")) : found;
  }

  /** Returns the verdict on the whole log. It is computed again when the files change. */
  async #verdict(): Promise<Verdict> {
    const names = (await readdir(this.#dir)).sort();
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(this.#dir, name)).then(
          ({ size, mtimeMs }) => `${name} ${size} ${mtimeMs}`,
          () => name, // retention may have removed it
        ),
      ),
    );
    const files = sizes.join("\n");
    if (this.#known?.files !== files) {
      const known = { files, verdict: verify(this.#dir, this.#key) };
      this.#known = known;
      // A failed verification is tried again.
      known.verdict.catch(() => {
        if (this.#known === known) this.#known = undefined;
      });
    }
    return this.#known.verdict;
  }
}

/** Returns the message for an error. Files come and go: the agent creates them, and retention removes them. */
function problemOf(error: unknown): string {
  if (AuditError.is(error)) return error.message;
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return "The log, or one of its files, does not exist.";
  throw error;
}

/** @param size the records of its file that are covered by a valid signature. */
function pageRecord({ file, index, line, summary, unproven }: Found, size: number): PageRecord {
  const { time, type, operation, target, decision, status, stage } = summary;
  const went = status ?? stage;
  return {
    file,
    index,
    line,
    proven: unproven !== true && index < size,
    ...(time !== undefined && { time }),
    ...(type !== undefined && { type }),
    ...(operation !== undefined && { operation }),
    ...(target !== undefined && { target }),
    ...(decision !== undefined && { decision }),
    ...(went !== undefined && { status: went }),
  };
}

function pageVerdict({ ok, attestation, size, files, tail, problems }: Verdict): PageVerdict {
  return {
    found: ok ? "verified" : problems.every(({ doubt }) => doubt) ? "doubt" : "damaged",
    attestation,
    size,
    files: files.length,
    tail,
    problems: problems
      .slice(0, MOST_PROBLEMS)
      .map(
        ({ file, line, kind, message }) => `${file}${line === undefined ? "" : `, line ${line}`}: ${kind}. ${message}`,
      ),
  };
}
