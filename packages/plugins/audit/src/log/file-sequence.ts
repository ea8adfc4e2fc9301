import { nodeCryptography } from "../crypto/node.js";
import { AuditError } from "../errors.js";
import type { Signer } from "../note/signer.js";
import { newFileName } from "./format.js";
import { findHeads, type Head } from "./heads.js";
import { encodeRecord } from "./line.js";
import { LogFile } from "./log-file.js";
import { openingRecord } from "./opening.js";

/** The files that one process writes, one after the other: rotation, and what follows a failed one, are the same step. */
export class FileSequence {
  readonly #dir: string;
  readonly #signer: Signer;
  readonly #maxFileBytes: number;
  #current: LogFile | undefined;
  #opening: Uint8Array | undefined;
  /** What was acknowledged in files that failed: of these the disk may say more than is true. */
  readonly #failed = new Map<string, Head>();
  #checkpoint: string | undefined;

  constructor(dir: string, signer: Signer, maxFileBytes = 64 * 1024 * 1024) {
    this.#dir = dir;
    this.#signer = signer;
    this.#maxFileBytes = maxFileBytes;
  }

  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** @throws AuditError `ERR_AUDIT_WRITE_FAILED`: none of the lines is acknowledged. */
  async commit(lines: readonly Uint8Array[]): Promise<{ index: number; file: string }> {
    try {
      return await this.#commit(lines);
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? "an error";
      const what = lines.length === 1 ? "A record was" : `${lines.length} records were`;
      throw new AuditError("ERR_AUDIT_WRITE_FAILED", `${what} not made durable: ${code} in ${this.#dir}.`, { cause });
    }
  }

  async close(): Promise<void> {
    const file = this.#current;
    this.#current = undefined;
    await file?.close();
  }

  async #commit(lines: readonly Uint8Array[]): Promise<{ index: number; file: string }> {
    const file = this.#current ?? (await this.#begin());
    const opening = file.size === 0 && this.#opening ? [this.#opening] : [];
    try {
      const index = await file.commit([...opening, ...lines]);
      this.#checkpoint = file.checkpoint;
      return { index: index + opening.length, file: file.name };
    } finally {
      if (file.failed) await this.#abandon(file);
      else if (file.full || file.bytes >= this.#maxFileBytes) await this.close().catch(() => {});
    }
  }

  async #begin(): Promise<LogFile> {
    const now = new Date();
    const name = newFileName(now);
    // Created before it looks around: of two that begin at once, at least one finds the other.
    const file = await LogFile.create(this.#dir, name, this.#signer);
    const heads = await findHeads(this.#dir, name).catch(async (error: unknown) => {
      await file.close().catch(() => {});
      throw error;
    });
    const known = heads.map((head) => this.#failed.get(head.file) ?? head);
    this.#opening = encodeRecord(openingRecord(file.origin, known, now), nodeCryptography.sha256);
    this.#current = file;
    return file;
  }

  async #abandon(file: LogFile): Promise<void> {
    this.#current = undefined;
    this.#failed.set(file.name, { file: file.name, size: file.size, ...(file.size > 0 && { root: file.root }) });
    await file.close().catch(() => {});
  }
}
