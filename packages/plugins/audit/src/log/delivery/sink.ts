import type { AuditRecord } from "../../record/record.js";

/** The sink for the plugin's records. */
export interface Sink {
  /**
   * Resolves when the record is durable. Rejects if it may not be. Concurrent calls must be allowed, and may return the
   * same promise.
   */
  append(record: AuditRecord): Promise<unknown>;
  /** Waits for the appended records, then releases all resources. */
  close(): Promise<void>;
}
