import type { AuditRecord } from "../../record/record.js";

/** The sink that the plugin's records go to. */
export interface Sink {
  /**
   * Resolves when the record is durable; rejects when it may not be. Calls at the same time must be allowed, and may be given
   * one promise.
   */
  append(record: AuditRecord): Promise<unknown>;
  /** Waits for what was appended, then releases what the sink holds. */
  close(): Promise<void>;
}
