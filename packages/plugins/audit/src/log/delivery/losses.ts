import type { Composed } from "../../record/compose.js";
import type { AuditRecord } from "../../record/record.js";

/** Counts records that were lost, until a record of the gap can be written. */
export class Losses {
  readonly #warn: (text: string) => void;
  #records = 0;
  #bytes = 0;
  #since = "";

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get records(): number {
    return this.#records;
  }

  /** @param why for the warning, after "records are lost:". */
  add({ record, bytes }: Composed, why: string, error?: unknown): void {
    if (record.type === "gap") {
      this.#addGap(record);
      return;
    }
    this.#count(1, bytes, record.time);
    this.#warn(`Audit records are lost: ${why}${codeOf(error)}. A gap record will say how many.`);
  }

  /** Tells of a failure by which nothing is lost yet. */
  tell(error: unknown): void {
    this.#warn(`Audit records cannot be written${codeOf(error)}. They are kept in memory and tried again.`);
  }

  /** The record of the gap, if there is one. It begins to count anew. */
  take(): Composed | undefined {
    if (this.#records === 0) return undefined;
    const details = { records: this.#records, bytes: this.#bytes, since: this.#since };
    this.#records = 0;
    this.#bytes = 0;
    this.#since = "";
    const id = crypto.randomUUID();
    const time = new Date().toISOString();
    const record: AuditRecord = { version: 1, id, time, stage: "outcome", type: "gap", operation: "record", details };
    return { record, bytes: 256 };
  }

  /** A gap that could not be told goes into the next one. */
  #addGap({ details }: AuditRecord): void {
    const { records, bytes, since } = details as { records: number; bytes: number; since: string };
    this.#count(records, bytes, since);
  }

  #count(records: number, bytes: number, since: string): void {
    this.#records += records;
    this.#bytes += bytes;
    if (this.#since === "" || since < this.#since) this.#since = since;
  }
}

function codeOf(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const known = cause?.code ?? code;
  return typeof known === "string" ? ` (${known})` : "";
}
